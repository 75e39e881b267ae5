import { Blend, Crop, Eye } from 'lucide-react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import type { Size } from '../../../shared/framing.ts'
import type { ShadowShape } from '../../../shared/matte/contact-shadow.ts'
import type { RetoucherSettings } from '../../../shared/settings.ts'
import { IconButton } from '../../ui/Button.tsx'
import type { RecipeChange } from '../recipe.ts'
import { drawPreview } from './draw.ts'
import { FrameOverlay } from './FrameOverlay.tsx'
import { previewScene, type PreviewScene } from './scene.ts'
import { usePreview, type PreviewState } from './use-preview.ts'

export interface LivePreviewProps {
  /** Address of the source picture in the page's origin, some hundred pixels wide. */
  readonly source: string
  readonly settings: RetoucherSettings
  /** Dragging a corner of the frame changes the pads. */
  readonly onChange: (change: RecipeChange) => void
  readonly isDisabled?: boolean
}

/** What is shown of the preview's parts. */
interface Shown {
  readonly frame: boolean
  readonly finish: boolean
  readonly sourceAlone: boolean
}

/** CSS pixels: the inspector's width, and the preview's height. */
const stage: Size = { width: 320, height: 184 }

/** The account's defaults are not known; these are the documented ones. */
function shadowShape(settings: RetoucherSettings): ShadowShape | undefined {
  if (settings.bg_mode !== 'solid' || settings.bg_shadow !== true) return undefined
  return {
    intensity: settings.shadow_intensity ?? 1,
    size: settings.shadow_size ?? 1,
    softness: settings.shadow_softness ?? 1,
    distance: settings.shadow_distance ?? 0,
  }
}

function wordsFor(state: PreviewState, settings: RetoucherSettings): string | undefined {
  if (state.kind === 'looking') return undefined
  if (state.kind === 'unreadable') return 'No preview of this picture'
  return settings.framing_enabled === true && state.item.box === undefined
    ? 'Frame is decided by the service'
    : 'Approximate'
}

/** Draws at the sharpness of the screen, anew whenever something changed. */
function useDrawing(
  canvas: RefObject<HTMLCanvasElement | null>,
  found: Extract<PreviewState, { kind: 'found' }> | undefined,
  scene: PreviewScene | undefined,
  settings: RetoucherSettings,
  isFinished: boolean,
) {
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || canvas.current === null) return
    const ratio = window.devicePixelRatio
    canvas.current.width = stage.width * ratio
    canvas.current.height = stage.height * ratio
    context.scale(ratio, ratio)
    if (found !== undefined && scene !== undefined)
      drawPreview(context, scene, { ...found, settings, isFinished })
  })
}

/** What the settings would make of a picture, drawn before a credit is spent. */
export function LivePreview({ source, settings, onChange, isDisabled = false }: LivePreviewProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const state = usePreview(source, shadowShape(settings))
  const [shown, setShown] = useState<Shown>({ frame: true, finish: true, sourceAlone: false })
  const [scale, setScale] = useState<number>()
  const found = state.kind === 'found' ? state : undefined
  const hasFrame = shown.frame && !shown.sourceAlone
  const applied = hasFrame ? settings : { ...settings, framing_enabled: false }
  const scene =
    found === undefined
      ? undefined
      : previewScene({ source: found.item.picture, item: found.item.box, settings: applied, stage, scale })
  useDrawing(canvas, found, scene, settings, shown.finish && !shown.sourceAlone)
  const words = wordsFor(state, settings)
  return (
    <div className="prev live">
      <canvas ref={canvas} role="img" aria-label="Preview of the settings, approximate" />
      {scene?.isFramed && (
        <FrameOverlay
          scene={scene}
          stage={stage}
          settings={settings}
          onChange={onChange}
          onHold={setScale}
          isDisabled={isDisabled}
        />
      )}
      {words !== undefined && <span className="badge words">{words}</span>}
      <Tools shown={shown} onChange={setShown} />
    </div>
  )
}

const tools = [
  { key: 'frame', label: 'Frame', Glyph: Crop },
  { key: 'finish', label: 'Background and shadow', Glyph: Blend },
  { key: 'sourceAlone', label: 'Source alone', Glyph: Eye },
] as const

function Tools({ shown, onChange }: { readonly shown: Shown; readonly onChange: (shown: Shown) => void }) {
  return (
    <div className="prev-tools" role="toolbar" aria-label="Preview">
      {tools.map(({ key, label, Glyph }) => (
        <IconButton
          key={key}
          size="s"
          icon={<Glyph size={13} />}
          label={label}
          pressed={shown[key]}
          onPress={() => onChange({ ...shown, [key]: !shown[key] })}
          tooltipPlacement="top"
        />
      ))}
    </div>
  )
}
