import { frameAround, type Box, type Pads, type Size } from '../../../shared/framing.ts'
import { settingRule, type RetoucherSettings } from '../../../shared/settings.ts'
import { padSides, type PadSide } from '../../ui/PadBox.tsx'

/** What the preview shows of a picture: where things lie on its stage, in CSS pixels. Pure. */

/** Room around the frame, in CSS pixels; `bottom` where it is more than at the top. */
export interface StageMargin {
  readonly x: number
  readonly y: number
  readonly bottom?: number
}

export interface PreviewQuestion {
  /** Size of the picture that the preview is made from, in its pixels. */
  readonly source: Size
  /** The item's box in it; undefined where it is in doubt. */
  readonly item: Box | undefined
  readonly settings: RetoucherSettings
  readonly stage: Size
  /** CSS pixels for a pixel of the source; undefined to fit the stage. Kept while a corner is dragged. */
  readonly scale?: number | undefined
  readonly margin?: StageMargin | undefined
}

export interface PreviewScene {
  readonly scale: number
  readonly source: Box
  /** What the result will show: the frame, or the whole picture without one. */
  readonly frame: Box
  readonly item: Box | undefined
  /** True where the frame follows from the pads; false without framing, or where the service decides. */
  readonly isFramed: boolean
}

const usualMargin: StageMargin = { x: 16, y: 22 }
/** What the words and the tools in the lower corners of the stage take of it, in CSS pixels. */
const corner = { width: 100, height: 44 } as const

/** The pads that count: the documented default where a pad is left to the account (4.7). */
export function padsOf(settings: RetoucherSettings): Pads {
  const pad = (side: PadSide) => {
    const rule = settingRule(`framing_pad_${side}`)
    return settings[`framing_pad_${side}`] ?? (rule?.kind === 'number' ? rule.default : 0)
  }
  return { top: pad('top'), right: pad('right'), bottom: pad('bottom'), left: pad('left') }
}

/** Where picture, frame and item lie: the frame in the middle of the stage. */
export function previewScene(question: PreviewQuestion): PreviewScene {
  const { source, item, settings, stage, scale, margin = usualMargin } = question
  const { bottom = margin.y } = margin
  const whole: Box = { left: 0, top: 0, width: source.width, height: source.height }
  const isFramed = settings.framing_enabled === true && item !== undefined
  const frame = isFramed ? frameAround(item, padsOf(settings), source) : whole
  const fitting = Math.min(
    (stage.width - 2 * margin.x) / frame.width,
    (stage.height - margin.y - bottom) / frame.height,
  )
  const used = scale ?? fitting
  const left = stage.width / 2 - (frame.left + frame.width / 2) * used
  const top = (stage.height + margin.y - bottom) / 2 - (frame.top + frame.height / 2) * used
  const onStage = (box: Box): Box => ({
    left: left + box.left * used,
    top: top + box.top * used,
    width: box.width * used,
    height: box.height * used,
  })
  return {
    scale: used,
    source: onStage(whole),
    frame: onStage(frame),
    item: item === undefined ? undefined : onStage(item),
    isFramed,
  }
}

/**
 * The margin that leaves the corners of the frame free to be taken hold of: more at the bottom where one would lie under
 * the words or the tools.
 */
export function freeMargin(question: Omit<PreviewQuestion, 'scale'>): StageMargin {
  const { stage, margin = usualMargin } = question
  const { frame, isFramed } = previewScene(question)
  const isClear =
    !isFramed ||
    frame.top + frame.height < stage.height - corner.height ||
    (frame.left > corner.width && frame.left + frame.width < stage.width - corner.width)
  return isClear ? margin : { ...margin, bottom: corner.height }
}

export interface Corner {
  readonly x: 'left' | 'right'
  readonly y: 'top' | 'bottom'
}
export const corners: readonly Corner[] = [
  { x: 'left', y: 'top' },
  { x: 'right', y: 'top' },
  { x: 'left', y: 'bottom' },
  { x: 'right', y: 'bottom' },
]

/** The place of a corner of the frame. */
export function cornerOf(frame: Box, { x, y }: Corner): { readonly x: number; readonly y: number } {
  return {
    x: x === 'left' ? frame.left : frame.left + frame.width,
    y: y === 'top' ? frame.top : frame.top + frame.height,
  }
}

export interface CornerDrag {
  readonly corner: Corner
  /** The pads when the drag began. */
  readonly from: Pads
  /** How far the pointer has moved since, in CSS pixels. */
  readonly dx: number
  readonly dy: number
  /** The longer side of the item on the stage, in CSS pixels. */
  readonly longer: number
  /** The two sides of the corner each by itself (Alt), instead of all four together. */
  readonly isFree: boolean
}

/** The pads that a drag of a corner leads to, whole percents from 0 to 100: outwards is more. */
export function draggedPads({ corner, from, dx, dy, longer, isFree }: CornerDrag): Partial<Pads> {
  const outX = ((corner.x === 'left' ? -dx : dx) / longer) * 100
  const outY = ((corner.y === 'top' ? -dy : dy) / longer) * 100
  const pad = (value: number) => Math.min(100, Math.max(0, Math.round(value))) + 0
  if (isFree) return { [corner.x]: pad(from[corner.x] + outX), [corner.y]: pad(from[corner.y] + outY) }
  const out = Math.abs(outX) > Math.abs(outY) ? outX : outY
  return Object.fromEntries(padSides.map((side) => [side, pad(from[side] + out)]))
}
