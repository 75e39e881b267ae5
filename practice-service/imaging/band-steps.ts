import type { Plane } from '../../shared/matte/pixels.ts'
import type { Regions } from '../../shared/matte/regions.ts'
import { connectedRegions, dilated } from '../../shared/matte/regions.ts'

/** Heights of steps that count as banding, levels: below is noise, above is the picture. */
const LOWEST = 3
const HIGHEST = 17
/** Pixels to either side of a step between which its height is read, and again as far for the flatness beyond. */
const SIDE = 4
/** A step is wiped out over this many pixels to either side of its crest. */
export const STEP_WIDTH = 3
/** Least extent of a line of banding, as a share of the picture's longer side. */
const LENGTH = 0.01
/** Least length of all lines together, likewise. */
const LEAST = 0.2
/** Change of the ground beside a step, as a share of its height, up to which it is flat. */
const FLAT = 0.7
/** Least height of a step in one colour, as a share of that in another. */
const GREY = 0.7

/**
 * Marks the small sharp steps between two flat plateaus: 2 on their crests, 1 beside them, 0 elsewhere; undefined where there are none.
 * `calm` is the lightly smoothed luma, `outline` is 1 near the outline of the item (whose edge is no banding).
 *
 * Facets and engravings have small steps too, but short ones, of changing height. Banding runs on for long, at one.
 */
export function bandSteps(calm: Plane, colors: Uint8Array, outline: Uint8Array): Uint8Array | undefined {
  const { width, height } = calm
  const crests = new Float32Array(width * height)
  const margin = 2 * SIDE + 1
  for (let y = margin; y < height - margin; y++) {
    for (let x = margin; x < width - margin; x++) {
      const at = y * width + x
      if (!outline[at]) crests[at] = stepHeight(calm, colors, at)
    }
  }
  const lines = connectedRegions(dilated(Uint8Array.from(crests, Math.ceil), width, height, 1), width, height)
  const kept = longLines(lines, crests, Math.max(12, LENGTH * Math.max(width, height)))
  const marks = new Uint8Array(width * height)
  let found = 0
  for (let at = 0; at < crests.length; at++) {
    if (crests[at] === 0 || !kept.has(lines.labels[at]!)) continue
    found++
    marks[at] = 2
    for (let v = -STEP_WIDTH; v <= STEP_WIDTH; v++) {
      const half = STEP_WIDTH - (Math.abs(v) === STEP_WIDTH ? 1 : 0)
      for (let u = -half; u <= half; u++) marks[at + v * width + u] ||= 1
    }
  }
  // A few lines are no banding: they are as likely a seam or a reflection.
  return found > LEAST * Math.max(width, height) ? marks : undefined
}

/** The lines that are long enough and whose height hardly changes. */
function longLines({ labels, list }: Regions, crests: Float32Array, least: number): ReadonlySet<number> {
  const count = new Float64Array(list.length + 1)
  const sum = new Float64Array(list.length + 1)
  const squares = new Float64Array(list.length + 1)
  for (let at = 0; at < crests.length; at++) {
    const height = crests[at]!
    if (height === 0) continue
    const label = labels[at]!
    count[label]!++
    sum[label]! += height
    squares[label]! += height * height
  }
  const kept = new Set<number>()
  for (const { label, left, right, top, bottom } of list) {
    const mean = sum[label]! / count[label]!
    const spread = Math.sqrt(Math.max(0, squares[label]! / count[label]! - mean * mean))
    const extent = Math.max(right - left, bottom - top)
    if (extent >= least && count[label]! >= 0.6 * extent && spread < 0.4 * mean) kept.add(label)
  }
  return kept
}

/** Height of the step whose crest is here, with flat ground before and behind it; 0 where there is none. */
function stepHeight({ data, width }: Plane, colors: Uint8Array, at: number): number {
  const gx = (data[at + 1]! - data[at - 1]!) / 2
  const gy = (data[at + width]! - data[at - width]!) / 2
  const slope = Math.hypot(gx, gy)
  if (slope < 0.8 || slope > 7) return 0
  const [nx, ny] = [gx / slope, gy / slope]
  const along = (distance: number): number =>
    at + Math.round(ny * distance) * width + Math.round(nx * distance)
  const slopeAt = (place: number): number =>
    ((data[place + 1]! - data[place - 1]!) * nx + (data[place + width]! - data[place - width]!) * ny) / 2
  if (slopeAt(along(1)) > slope + 0.02 || slopeAt(along(-1)) > slope + 0.02) return 0
  const before = data[along(-SIDE)]!
  const behind = data[along(SIDE)]!
  const step = behind - before
  if (step < LOWEST || step > HIGHEST || slope < 0.25 * step) return 0
  if (!isGrey(colors, along(-SIDE), along(SIDE), width)) return 0
  const flat = FLAT * step
  const isFlat =
    Math.abs(data[along(2 * SIDE)]! - behind) < flat && Math.abs(before - data[along(-2 * SIDE)]!) < flat
  return isFlat ? step : 0
}

/**
 * Whether a step is as high in red, green and blue, whatever the colour beneath. Banding comes from the picture's
 * numbers and is; a true edge on gold or on a coloured stone has their colour.
 */
function isGrey(colors: Uint8Array, before: number, behind: number, width: number): boolean {
  const heights = [0, 1, 2].map((c) => patch(colors, behind, c, width) - patch(colors, before, c, width))
  return Math.min(...heights) > GREY * Math.max(...heights)
}

/** Mean of 3 × 3 pixels of one colour. */
function patch(colors: Uint8Array, at: number, c: number, width: number): number {
  let sum = 0
  for (let v = -width; v <= width; v += width) {
    for (let u = -1; u <= 1; u++) sum += colors[(at + v + u) * 3 + c]!
  }
  return sum / 9
}
