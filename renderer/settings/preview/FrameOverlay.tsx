import { useImperativeHandle, useRef, type PointerEvent, type Ref } from 'react'
import type { Box, Pads } from '../../../shared/framing.ts'
import type { RetoucherSettings } from '../../../shared/settings.ts'
import { formatNumber } from '../../ui/number-entry.ts'
import { padSides, type PadSide } from '../../ui/PadBox.tsx'
import type { RecipeChange } from '../recipe.ts'
import { cornerOf, corners, draggedPads, padsOf, type Corner, type PreviewScene } from './scene.ts'

/** Moves the overlay to where the picture was drawn; undefined where there is no frame to show. */
export interface OverlayHandle {
  readonly place: (scene: PreviewScene | undefined, settings: RetoucherSettings) => void
}

export interface FrameOverlayProps {
  readonly handle: Ref<OverlayHandle>
  readonly onChange: (change: RecipeChange) => void
  /** Keeps the scale while a corner is dragged; undefined lets it fit again. */
  readonly onHold: (scale: number | undefined) => void
  readonly isDisabled: boolean
}

interface Drag {
  readonly corner: Corner
  readonly from: Pads
  readonly x: number
  readonly y: number
  readonly longer: number
}

interface Placed {
  readonly scene: PreviewScene
  readonly settings: RetoucherSettings
}

/** Least room between item and frame in which a figure fits, in CSS pixels. */
const room = { across: 15, upright: 11 } as const

/** True for a background on which dark figures are read better. */
function isLight({ bg_mode: mode, bg_color: color = '#FFFFFF' }: RetoucherSettings): boolean {
  if (mode === 'transparent') return false
  if (mode !== 'solid') return true
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  return 0.3 * part(1) + 0.6 * part(3) + 0.1 * part(5) > 128
}

/** Where the figure of a pad stands: in the middle of its gap, if it fits there. */
function figureAt(side: PadSide, frame: Box, item: Box) {
  const across = item.left + item.width / 2
  const upright = item.top + item.height / 2
  const right = { item: item.left + item.width, frame: frame.left + frame.width }
  const bottom = { item: item.top + item.height, frame: frame.top + frame.height }
  const gaps = {
    top: { x: across, y: (frame.top + item.top) / 2, fits: item.top - frame.top >= room.upright },
    bottom: {
      x: across,
      y: (bottom.item + bottom.frame) / 2,
      fits: bottom.frame - bottom.item >= room.upright,
    },
    left: { x: (frame.left + item.left) / 2, y: upright, fits: item.left - frame.left >= room.across },
    right: { x: (right.item + right.frame) / 2, y: upright, fits: right.frame - right.item >= room.across },
  }
  return gaps[side]
}

const part = (svg: SVGSVGElement, name: string) => svg.querySelector<SVGElement>(`[data-part="${name}"]`)

function put(element: SVGElement | null, values: Readonly<Record<string, number>>) {
  for (const [name, value] of Object.entries(values)) element?.setAttribute(name, value.toFixed(2))
}

/** Sets what has moved; the elements stay the same, so that a drag is not interrupted by what it causes. */
function placeParts(svg: SVGSVGElement, { scene: { frame, item }, settings }: Placed) {
  if (!item) return
  put(part(svg, 'item'), { x: item.left, y: item.top, width: item.width, height: item.height })
  put(part(svg, 'edge'), { x: frame.left, y: frame.top, width: frame.width, height: frame.height })
  const pads = padsOf(settings)
  for (const side of padSides) {
    const figure = part(svg, side)
    const { x, y, fits } = figureAt(side, frame, item)
    put(figure, { x, y })
    figure?.setAttribute('class', isLight(settings) ? 'dark' : 'light')
    if (!figure) continue
    figure.textContent = fits
      ? `${formatNumber(pads[side], 0)}${side === 'top' || side === 'bottom' ? ' %' : ''}`
      : ''
  }
  for (const corner of corners) {
    const { x, y } = cornerOf(frame, corner)
    put(part(svg, `grip ${corner.x} ${corner.y}`), { x: x - 3, y: y - 3 })
    put(part(svg, `hit ${corner.x} ${corner.y}`), { x: x - 12, y: y - 12 })
  }
}

/** Item box, frame, pads and corners to drag, over the drawing. The pads have fields; this is the pointer's way. */
export function FrameOverlay({ handle, onChange, onHold, isDisabled }: FrameOverlayProps) {
  const svg = useRef<SVGSVGElement>(null)
  const placed = useRef<Placed>(undefined)
  const drag = useRef<Drag>(undefined)
  useImperativeHandle(handle, () => ({
    place(scene, settings) {
      if (!svg.current) return
      placed.current = scene?.isFramed ? { scene, settings } : undefined
      svg.current.style.display = placed.current ? '' : 'none'
      if (placed.current) placeParts(svg.current, placed.current)
    },
  }))
  const start = (event: PointerEvent<SVGRectElement>, corner: Corner) => {
    const now = placed.current
    if (isDisabled || !now?.scene.item) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const longer = Math.max(now.scene.item.width, now.scene.item.height)
    drag.current = { corner, from: padsOf(now.settings), x: event.clientX, y: event.clientY, longer }
    onHold(now.scene.scale)
  }
  const move = (event: PointerEvent) => {
    if (drag.current === undefined) return
    const { x, y, ...rest } = drag.current
    const pads = draggedPads({ ...rest, dx: event.clientX - x, dy: event.clientY - y, isFree: event.altKey })
    const keys = Object.entries(pads).map(([side, value]) => [`framing_pad_${side}`, value])
    onChange({ set: Object.fromEntries(keys) as RetoucherSettings })
  }
  const end = () => {
    if (drag.current === undefined) return
    drag.current = undefined
    onHold(undefined)
  }
  return (
    <svg ref={svg} className="prev-frame" style={{ display: 'none' }} aria-hidden="true">
      <rect className="item" data-part="item" />
      <rect className="edge" data-part="edge" />
      {padSides.map((side) => (
        <text key={side} data-part={side} />
      ))}
      {!isDisabled &&
        corners.map((corner) => (
          <g key={`${corner.x} ${corner.y}`} className={`corner ${corner.x}-${corner.y}`}>
            <rect className="grip" data-part={`grip ${corner.x} ${corner.y}`} width={6} height={6} rx={1.2} />
            <rect
              className="hit"
              data-part={`hit ${corner.x} ${corner.y}`}
              width={24}
              height={24}
              onPointerDown={(event) => start(event, corner)}
              onPointerMove={move}
              onPointerUp={end}
              onPointerCancel={end}
            />
          </g>
        ))}
    </svg>
  )
}
