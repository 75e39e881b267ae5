import { Blend, Crop, Eye } from 'lucide-react'
import { memo, useEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react'
import { Button } from 'react-aria-components'
import { classes } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/Button.tsx'
import type { RecipeChange } from '../recipe.ts'
import { FrameOverlay, type OverlayHandle } from './FrameOverlay.tsx'
import type { PreviewFeed } from './preview-feed.ts'
import { everythingShown, PreviewPainter, type PainterView, type Shown } from './preview-painter.ts'
import type { PreviewPicture } from './preview-picture.ts'
import { t } from '../../../shared/language/text.ts'

export interface LivePreviewProps {
  /** Undefined while it is looked for. */
  readonly picture: PreviewPicture | undefined
  /** Why there is no preview. */
  readonly trouble?: string | undefined
  /** What it shows, followed without React. */
  readonly feed: PreviewFeed
  /** Dragging a corner of the frame changes the pads. */
  readonly onChange: (change: RecipeChange) => void
  readonly isDisabled?: boolean
  /** Larger, with room for it: the sheet. */
  readonly isLarge?: boolean
  /** Pressing the picture. */
  readonly onOpen?: (() => void) | undefined
}

const largeMargin = { x: 28, y: 32 }

/** A painter on a canvas, told what it shows. */
function usePainter(
  canvas: RefObject<HTMLCanvasElement | null>,
  overlay: RefObject<OverlayHandle | null>,
  feed: PreviewFeed,
  view: Partial<PainterView>,
) {
  const painter = useRef<PreviewPainter>(undefined)
  useEffect(() => {
    if (!canvas.current) return
    const made = new PreviewPainter(canvas.current, (scene, settings) =>
      overlay.current?.place(scene, settings),
    )
    painter.current = made
    const follow = () => made.show({ settings: feed.settings })
    follow()
    const leave = feed.subscribe(follow)
    const observer = new ResizeObserver(() => made.refresh())
    observer.observe(canvas.current)
    return () => {
      leave()
      observer.disconnect()
      made.end()
    }
  }, [canvas, overlay, feed])
  const { picture, shown, margin } = view
  useEffect(() => {
    painter.current?.show({ picture, margin, ...(shown && { shown }) })
  }, [feed, picture, shown, margin])
  return painter
}

/** "Approximate", and what else is to be known; changes far less often than the settings. */
function useWords(picture: PreviewPicture | undefined, feed: PreviewFeed): string | undefined {
  const isFramed = useSyncExternalStore(feed.subscribe, () => feed.settings.framing_enabled === true)
  if (!picture) return undefined
  if (!picture.isSure && isFramed) return t`Frame is decided by the service`
  return picture.isFromCutOut ? t`From a cut-out` : t`Approximate`
}

/** What the settings would make of a picture, drawn before a credit is spent. */
export const LivePreview = memo(function LivePreview(props: LivePreviewProps) {
  const { picture, trouble, feed, onChange, isDisabled = false, isLarge = false, onOpen } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const overlay = useRef<OverlayHandle>(null)
  const [shown, setShown] = useState<Shown>(everythingShown)
  const margin = isLarge ? largeMargin : undefined
  const painter = usePainter(canvas, overlay, feed, { picture, shown, margin })
  const words = useWords(picture, feed)
  return (
    <div className={classes('prev live', isLarge && 'large-live')} data-stamp={picture?.stamp}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={
          picture?.isFromCutOut
            ? t`Preview of the settings, from a real cut-out`
            : t`Preview of the settings, approximate`
        }
      />
      {onOpen && <Button className="prev-open" aria-label={t`Larger preview`} onPress={onOpen} />}
      {!picture && trouble === undefined && <span className="skel late" aria-hidden="true" />}
      {trouble !== undefined && <p className="prev-trouble">{trouble}</p>}
      <FrameOverlay
        handle={overlay}
        onChange={onChange}
        onHold={(scale) => painter.current?.show({ scale })}
        isDisabled={isDisabled}
      />
      {words !== undefined && <span className="badge words">{words}</span>}
      {picture && (
        <div className="prev-tools" role="toolbar" aria-label={t`Preview`}>
          <Switches shown={shown} onChange={setShown} />
        </div>
      )}
    </div>
  )
})

const switches = [
  { key: 'frame', label: t`Frame`, Glyph: Crop },
  { key: 'finish', label: t`Background and shadow`, Glyph: Blend },
  { key: 'sourceAlone', label: t`Source alone`, Glyph: Eye },
] as const

function Switches({ shown, onChange }: { readonly shown: Shown; readonly onChange: (shown: Shown) => void }) {
  return switches.map(({ key, label, Glyph }) => (
    <IconButton
      key={key}
      size="s"
      icon={<Glyph size={13} />}
      label={label}
      pressed={shown[key]}
      onPress={() => onChange({ ...shown, [key]: !shown[key] })}
      tooltipPlacement="top"
    />
  ))
}
