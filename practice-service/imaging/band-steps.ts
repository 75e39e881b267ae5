import type { Plane } from '../../shared/matte/pixels.ts'
import type { Regions } from '../../shared/matte/regions.ts'
import { connectedRegions, dilated } from '../../shared/matte/regions.ts'

/** Heights of steps that count as banding, levels: below is noise, above is the picture. Lines may fade to `FAINTEST`. */
const LOWEST = 3
const FAINTEST = 1.5
const HIGHEST = 17
/** Pixels to either side of a crest between which the height is read, and where the treads' slope is read. */
const SIDE = 3
const TREAD = 3.6
/** Slope of the treads over that of the crest: up to the first it is surely a step, beyond the second none. */
const FLAT = 0.4
const SLOPING = 0.7
/** Slope on the crest over the height of the step: that of an edge about one pixel wide, in one place and along a line. */
const SHARP = [0.23, 0.42] as const
const LINE_SHARP = [0.26, 0.345] as const
/** Height in red and in blue over that in green, along a line: banding is nearly grey whatever the colour beneath. */
const RED = [0.9, 1.17] as const
const BLUE = [0.8, 1.1] as const
/** Least height in one channel, as a share of that in another, in one place. */
const GREY = 0.5
/** A step is wiped out over this many pixels to either side of its crest. */
const STEP_WIDTH = 3
/** Least extent of a line of banding, as a share of the longer side. */
const LENGTH = 0.012
/** Least share of a line's pixels that are surely a step, and most spread of their heights. */
const SURE = 0.4
/** Least mean height of a line. */
const LINE = 6
const SPREAD = 0.45
/** Least length of all lines together, as a share of the longer side. */
const LEAST = 0.6
/** Above this a channel may be clipped and its steps lower. */
const CLIPPED = 248

/** The steps of a picture, and how high they are in red, green and blue where luma has one. */
export interface BandSteps {
  /** 2 on a crest, 1 beside it, 0 elsewhere. */
  readonly marks: Uint8Array
  readonly tint: readonly [number, number, number]
}

/** The crests of small steps: their heights in levels (negative where not sure), and the height per channel. */
interface Crests {
  readonly height: Float32Array
  readonly sharp: Float32Array
  readonly red: Float32Array
  readonly blue: Float32Array
}

/**
 * Marks the small sharp steps between two flat treads; undefined where there are none. `calm` is the lightly smoothed luma, `outline` is 1 near the outline of the item (whose edge is no
 * banding).
 *
 * Facets and engravings have small steps too, but coloured like the metal, as soft as the lens, or short. Banding comes
 * from the picture's numbers: as high in all channels, one pixel sharp, long.
 */
export function bandSteps(calm: Plane, colors: Uint8Array, outline: Uint8Array): BandSteps | undefined {
  const { width, height } = calm
  const values = (): Float32Array => new Float32Array(width * height)
  const crests = { height: values(), sharp: values(), red: values(), blue: values() }
  const margin = 2 * SIDE + 1
  for (let y = margin; y < height - margin; y++) {
    for (let x = margin; x < width - margin; x++) {
      const at = y * width + x
      if (!outline[at]) readStep(calm, colors, at, crests)
    }
  }
  const longer = Math.max(width, height)
  const joined = dilated(
    Uint8Array.from(crests.height, (value) => (value === 0 ? 0 : 1)),
    width,
    height,
    1,
  )
  const lines = connectedRegions(joined, width, height)
  const kept = bandLines(lines, crests, Math.max(12, LENGTH * longer))
  const marks = new Uint8Array(width * height)
  let found = 0
  let [reds, red, blue] = [0, 0, 0]
  for (let at = 0; at < marks.length; at++) {
    if (crests.height[at] === 0 || !kept.has(lines.labels[at]!)) continue
    found++
    marks[at] = 2
    blue += crests.blue[at]!
    red += crests.red[at]!
    if (crests.red[at] !== 0) reds++
    for (let v = -STEP_WIDTH; v <= STEP_WIDTH; v++) {
      const half = STEP_WIDTH - (Math.abs(v) === STEP_WIDTH ? 1 : 0)
      for (let u = -half; u <= half; u++) marks[at + v * width + u] ||= 1
    }
  }
  // A few lines are no banding: they are as likely a seam or a reflection.
  return found > LEAST * longer ? { marks, tint: tintOf(red / Math.max(1, reds), blue / found) } : undefined
}

/** Heights per channel from those over green, of a luma of one; 1 : 1 : 1 where red was clipped throughout. */
function tintOf(red: number, blue: number): readonly [number, number, number] {
  const own = red === 0 ? 1 : red
  const luma = 0.299 * own + 0.587 + 0.114 * blue
  return [own / luma, 1 / luma, blue / luma]
}

/** Labels of the lines that are long enough, and of the colour and sharpness of banding. */
function bandLines({ labels, list }: Regions, crests: Crests, least: number): ReadonlySet<number> {
  const sums = list.map(() => ({
    count: 0,
    sure: 0,
    height: 0,
    squares: 0,
    sharp: 0,
    red: 0,
    blue: 0,
    reds: 0,
  }))
  for (let at = 0; at < labels.length; at++) {
    const height = crests.height[at]!
    if (height === 0) continue
    const sum = sums[labels[at]! - 1]!
    sum.count++
    if (height > 0) sum.sure++
    sum.height += Math.abs(height)
    sum.squares += height * height
    sum.sharp += crests.sharp[at]!
    sum.blue += crests.blue[at]!
    if (crests.red[at] === 0) continue
    sum.red += crests.red[at]!
    sum.reds++
  }
  const kept = new Set<number>()
  for (const { label, left, right, top, bottom } of list) {
    const { count, sure, height, squares, sharp, red, blue, reds } = sums[label - 1]!
    const extent = Math.max(right - left, bottom - top)
    if (extent < least || count < 0.6 * extent || sure < SURE * count) continue
    const mean = height / count
    if (mean < LINE) continue
    if (Math.sqrt(Math.max(0, squares / count - mean * mean)) > SPREAD * mean) continue
    const grey = within(blue / count, BLUE) && (reds < count / 2 || within(red / reds, RED))
    if (grey && within(sharp / count, LINE_SHARP)) kept.add(label)
  }
  return kept
}

function within(value: number, [low, high]: readonly [number, number]): boolean {
  return value >= low && value <= high
}

/** Reads the step whose crest is here into `crests`, above the slope of the treads before and behind it. */
function readStep({ data, width }: Plane, colors: Uint8Array, at: number, crests: Crests): void {
  const gx = (data[at + 1]! - data[at - 1]!) / 2
  const gy = (data[at + width]! - data[at - width]!) / 2
  const slope = Math.hypot(gx, gy)
  if (slope < 0.45 || slope > 7) return
  const [nx, ny] = [gx / slope, gy / slope]
  const along = (distance: number): number =>
    at + Math.round(ny * distance) * width + Math.round(nx * distance)
  const slopeAt = (place: number): number =>
    ((data[place + 1]! - data[place - 1]!) * nx + (data[place + width]! - data[place - width]!) * ny) / 2
  if (slopeAt(along(1)) > slope + 0.02 || slopeAt(along(-1)) > slope + 0.02) return
  const ahead = slopeAt(along(TREAD))
  const behind = slopeAt(along(-TREAD))
  const tread = Math.max(Math.abs(ahead), Math.abs(behind))
  if (tread > SLOPING * slope) return
  const step = data[along(SIDE)]! - data[along(-SIDE)]! - SIDE * (ahead + behind)
  if (step < FAINTEST || step > HIGHEST || !within(slope / step, SHARP)) return
  const [upper, lower] = [along(SIDE), along(-SIDE)]
  const green = patch(colors, upper, 1, width) - patch(colors, lower, 1, width)
  const blue = patch(colors, upper, 2, width) - patch(colors, lower, 2, width)
  const light = patch(colors, upper, 0, width)
  const red = light > CLIPPED ? 0 : light - patch(colors, lower, 0, width)
  if (!(blue > GREY * green && blue < green / GREY)) return
  if (red !== 0 && !(red > GREY * green && red < green / GREY)) return
  crests.height[at] = tread > FLAT * slope || step < LOWEST ? -step : step
  crests.sharp[at] = slope / step
  crests.red[at] = red / green
  crests.blue[at] = blue / green
}

/** Mean of 3 × 3 pixels of one colour. */
function patch(colors: Uint8Array, at: number, c: number, width: number): number {
  let sum = 0
  for (let v = -width; v <= width; v += width) {
    for (let u = -1; u <= 1; u++) sum += colors[(at + v + u) * 3 + c]!
  }
  return sum / 9
}
