import { useRef, type PointerEvent } from 'react'
import type { Box, Pads, Size } from '../../../shared/framing.ts'
import type { RetoucherSettings } from '../../../shared/settings.ts'
import type { RecipeChange } from '../recipe.ts'
import { cornerOf, corners, draggedPads, padsOf, type Corner, type PreviewScene } from './scene.ts'

export interface FrameOverlayProps {
  readonly scene: PreviewScene
  readonly stage: Size
  readonly settings: RetoucherSettings
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

/** Least room between item and frame in which a figure fits, in CSS pixels. */
const room = { across: 15, upright: 11 } as const

/** The figures of the pads, in the gaps between item and frame. */
function Figures({
  frame,
  item,
  pads,
  isOnWhite,
}: {
  readonly frame: Box
  readonly item: Box
  readonly pads: Pads
  readonly isOnWhite: boolean
}) {
  const middle = { x: item.left + item.width / 2, y: item.top + item.height / 2 }
  const gaps = [
    { side: 'top', x: middle.x, y: (frame.top + item.top) / 2, fits: item.top - frame.top >= room.upright },
    {
      side: 'bottom',
      x: middle.x,
      y: (item.top + item.height + frame.top + frame.height) / 2,
      fits: frame.top + frame.height - item.top - item.height >= room.upright,
    },
    {
      side: 'left',
      x: (frame.left + item.left) / 2,
      y: middle.y,
      fits: item.left - frame.left >= room.across,
    },
    {
      side: 'right',
      x: (item.left + item.width + frame.left + frame.width) / 2,
      y: middle.y,
      fits: frame.left + frame.width - item.left - item.width >= room.across,
    },
  ] as const
  return gaps
    .filter(({ fits }) => fits)
    .map(({ side, x, y }) => (
      <text key={side} x={x} y={y} className={isOnWhite ? 'dark' : 'light'}>
        {pads[side]}
        {side === 'top' || side === 'bottom' ? ' %' : ''}
      </text>
    ))
}

/** True for a background on which dark figures are read better. */
function isLight({ bg_mode: mode, bg_color: color = '#FFFFFF' }: RetoucherSettings): boolean {
  if (mode === 'transparent') return false
  if (mode !== 'solid') return true
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  return 0.3 * part(1) + 0.6 * part(3) + 0.1 * part(5) > 128
}

/** Item box, frame, pads and corners to drag, over the drawing. The pads have fields; this is the pointer's way. */
export function FrameOverlay({ scene, stage, settings, onChange, onHold, isDisabled }: FrameOverlayProps) {
  const drag = useRef<Drag>(undefined)
  const { frame, item } = scene
  if (item === undefined) return null
  const start = (event: PointerEvent<SVGRectElement>, corner: Corner) => {
    if (isDisabled) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const longer = Math.max(item.width, item.height)
    drag.current = { corner, from: padsOf(settings), x: event.clientX, y: event.clientY, longer }
    onHold(scene.scale)
  }
  const move = (event: PointerEvent) => {
    if (drag.current === undefined) return
    const { x, y, ...rest } = drag.current
    const pads = draggedPads({ ...rest, dx: event.clientX - x, dy: event.clientY - y, isFree: event.altKey })
    const keys = Object.entries(pads).map(([side, value]) => [`framing_pad_${side}`, value])
    onChange({ set: Object.fromEntries(keys) as RetoucherSettings })
  }
  const end = () => {
    drag.current = undefined
    onHold(undefined)
  }
  return (
    <svg className="prev-frame" width={stage.width} height={stage.height} aria-hidden="true">
      <rect className="item" x={item.left} y={item.top} width={item.width} height={item.height} />
      <rect className="edge" x={frame.left} y={frame.top} width={frame.width} height={frame.height} />
      <Figures frame={frame} item={item} pads={padsOf(settings)} isOnWhite={isLight(settings)} />
      {corners.map((corner) => {
        const { x, y } = cornerOf(frame, corner)
        return (
          <g key={`${corner.x} ${corner.y}`} className={`corner ${corner.x}-${corner.y}`}>
            <rect className="grip" x={x - 3} y={y - 3} width={6} height={6} rx={1.2} />
            <rect
              className="hit"
              x={x - 12}
              y={y - 12}
              width={24}
              height={24}
              onPointerDown={(event) => start(event, corner)}
              onPointerMove={move}
              onPointerUp={end}
              onPointerCancel={end}
            />
          </g>
        )
      })}
    </svg>
  )
}
