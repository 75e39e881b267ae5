import type { Box } from '../framing.ts'
import { matteBox } from '../framing.ts'
import { edgeAlpha } from './edge-alpha.ts'
import { filledFrom } from './paper.ts'
import type { PixelImage, Plane } from './pixels.ts'
import { reducedPlanes } from './pixels.ts'
import { eroded, inverted } from './regions.ts'
import { segmented } from './segment.ts'

/** What makes an estimated matte doubtful; a person should see the word before trusting the frame. */
export type MatteDoubt = 'nothing found' | 'covers almost everything' | 'touches the borders' | 'low contrast'

export interface Matte {
  /** Opacity of the item, 0–255, one byte a pixel, rows from the top. */
  readonly alpha: Uint8Array
  readonly width: number
  readonly height: number
  /** Box of alpha ≥ 50 %; absent where nothing was found. */
  readonly box?: Box
  /** 0 (a guess) to 1 (clear). */
  readonly confidence: number
  readonly doubts: readonly MatteDoubt[]
  /** The paper behind the item, filled in, 0–255 in red, green and blue, at a reduced size. */
  readonly paper: readonly [Plane, Plane, Plane]
}

/** Longer side of the picture that the item is looked for in; edges are refined at full size. */
const WORKING_SIZE = 1000

/**
 * Estimates the matte of an item that lies or stands on a plain studio background: grey sweep, vignette, soft shadows,
 * dust, a slight cast. Shadows on the paper are not part of it; holes (ring, links, hoops) are open.
 *
 * Pure, and the same bytes for the same pixels.
 *
 * @throws RangeError when the picture has no pixels or too few bytes for its size.
 */
export function estimateMatte(image: PixelImage): Matte {
  const { width, height, channels, data } = image
  if (!(width > 0 && height > 0) || data.length < width * height * channels) {
    throw new RangeError('The picture has no pixels, or fewer than its size says.')
  }
  const factor = Math.max(1, Math.round(Math.max(width, height) / WORKING_SIZE))
  const reduced = reducedPlanes(image, factor)
  const parts = segmented(reduced)
  const clear = eroded(inverted(parts.item), parts.width, parts.height, 1)
  const known = parts.paper.map((value, i) => value & clear[i]!)
  const [red, green, blue] = reduced
  const paper = [filledFrom(red, known), filledFrom(green, known), filledFrom(blue, known)] as const
  const alpha = edgeAlpha(image, factor, parts, paper)
  const box = matteBox(alpha, width, height)
  return { alpha, width, height, ...(box && { box }), paper, ...trust(alpha, width, height, box) }
}

/** Confidence and doubts from what the matte covers (the design's rule for showing a frame: `design`, preview). */
function trust(alpha: Uint8Array, width: number, height: number, box: Box | undefined) {
  if (!box) return { confidence: 0, doubts: ['nothing found'] as const }
  const doubts: MatteDoubt[] = []
  let solid = 0
  let partial = 0
  for (const value of alpha) {
    if (value >= 128) solid++
    if (value > 40 && value < 215) partial++
  }
  const touched =
    +(box.left === 0) +
    +(box.top === 0) +
    +(box.left + box.width === width) +
    +(box.top + box.height === height)
  if (solid > 0.92 * width * height || box.width * box.height > 0.92 * width * height) {
    doubts.push('covers almost everything')
  }
  if (touched >= 3) doubts.push('touches the borders')
  if (partial > 0.25 * solid) doubts.push('low contrast')
  const confidence = Math.max(0.1, 1 - 0.4 * doubts.length - 0.05 * touched - Math.min(0.3, partial / solid))
  return { confidence, doubts }
}
