import type { Plane } from '../../shared/matte/pixels.ts'
import { gaussian, plane } from '../../shared/matte/pixels.ts'
import type { Place } from './band-steps-profile.ts'
import { crestAt, stepProfile } from './band-steps-profile.ts'

/** Slopes of a crest that may be a step of banding, levels per pixel. */
const CREST = [0.8, 8] as const
/** Heights of steps that count as banding, levels: below is noise, above is the picture. */
const HEIGHT = [3, 17] as const
const SURE_HEIGHT = [5, 15.5] as const
/** Slope of the crest over the height of the step: that of an edge about one pixel wide. */
const SHARP = [0.24, 0.4] as const
const SURE_SHARP = [0.27, 0.35] as const
const LINE_SHARP = [0.27, 0.35] as const
/** Slope of the surface beneath, over the height of the step. */
const SLOPE = [-0.1, 0.15] as const
const SURE_SLOPE = 0.06
/** What a step leaves unexplained, over its height (and levels of noise). */
const REST = 0.08
const SURE_REST = 0.05
const NOISE = 0.1
/** Height in red and in blue over that in green: banding is nearly grey whatever the colour beneath. */
const RED = [0.88, 1.15] as const
const BLUE = [0.8, 1.1] as const
const MIDDLE_BLUE = 0.94
/** How far from grey one place may be, and one that is sure. */
const GREY = 0.3
const SURE_GREY = 0.2
/** Above this a channel may be clipped and its steps lower. */
const CLIPPED = 248
/** Pixels to either side of a crest that are read: narrow to find steps, wide to be certain that there is banding. */
const NARROW = 3
const WIDE = 4
/** Pixels along a line of banding, shares of them that are sure and certain steps, and most spread of their heights. */
const LENGTH = 12
const SURE = 0.25
const CERTAIN = 0.15
const SPREAD = 0.35
/** Lines that prove banding: their length, share of certain pixels, and what one may count. */
const PROOF_LENGTH = 20
const PROOF_SHARE = 0.45
const PROOF_MOST = 60
/** Least length of all such lines together. */
const PROOF = 250

/** A place on a step: its direction (towards brighter) and height in levels. */
export interface Crest {
  readonly at: number
  readonly nx: number
  readonly ny: number
  readonly height: number
}

/** The steps of a picture, and how high they are in red, green and blue where luma has one. */
export interface BandSteps {
  readonly crests: readonly Crest[]
  readonly tint: readonly [number, number, number]
}

interface Found extends Crest {
  readonly sharp: number
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly sure: boolean
  /** A step also when read more widely, on flat treads. */
  readonly certain: boolean
}

/**
 * Finds the small sharp steps of banding; undefined where there are too few to be sure that the picture has any. `calm`
 * is the lightly smoothed luma (sigma 0.8).
 *
 * Facets and engravings have small steps too, but coloured like the metal, as soft as the lens, or short. Banding comes
 * from the picture's numbers: as high in all channels, one pixel sharp, long. Whether there is banding at all is judged
 * strictly; where it is, steps count also on slopes and close to edges.
 */
export function bandSteps(calm: Plane, colors: Uint8Array, alpha: Uint8Array): BandSteps | undefined {
  const lines = linesOf(crestsOf(calm, colors, alpha), calm.width).filter(isBanding)
  let proof = 0
  for (const line of lines) {
    const certain = line.filter((each) => each.certain).length
    if (line.length >= PROOF_LENGTH && certain >= PROOF_SHARE * line.length)
      proof += Math.min(PROOF_MOST, line.length)
  }
  if (proof < PROOF) return undefined
  const crests = lines.flat()
  return { crests, tint: tintOf(crests) }
}

function crestsOf(calm: Plane, colors: Uint8Array, alpha: Uint8Array): readonly Found[] {
  const { data, width, height } = calm
  const gradients = plane(width, height)
  for (let at = width + 1; at < data.length - width - 1; at++) {
    gradients.data[at] = Math.hypot(data[at + 1]! - data[at - 1]!, data[at + width]! - data[at - width]!) / 2
  }
  const channels = [0, 1, 2].map((c) => {
    const channel = plane(width, height)
    for (let at = 0; at < data.length; at++) channel.data[at] = colors[3 * at + c]!
    return gaussian(channel, 0.8)
  }) as [Plane, Plane, Plane]
  const found: Found[] = []
  const margin = 2 * WIDE
  for (let y = margin; y < height - margin; y++) {
    for (let x = margin; x < width - margin; x++) {
      const at = y * width + x
      const slope = gradients.data[at]!
      if (alpha[at] !== 255 || !within(slope, CREST)) continue
      const nx = (data[at + 1]! - data[at - 1]!) / (2 * slope)
      const ny = (data[at + width]! - data[at - width]!) / (2 * slope)
      const place = crestAt(gradients, x, y, nx, ny)
      const step = place && stepAt(calm, channels, place, slope)
      if (step) found.push(step)
    }
  }
  return found
}

/** The step at a crest; undefined where it is no step of banding. */
function stepAt(
  calm: Plane,
  channels: readonly [Plane, Plane, Plane],
  place: Place,
  crest: number,
): Found | undefined {
  const { height, slope, rest } = stepProfile(calm, place, NARROW, true)
  const sharp = (crest - slope) / height
  if (!within(height, HEIGHT) || !within(sharp, SHARP) || !within(slope / height, SLOPE)) return undefined
  if (rest > REST * height + NOISE) return undefined
  const { x, y, nx, ny } = place
  const at = y * calm.width + x
  const brighter = at + Math.round(ny * NARROW) * calm.width + Math.round(nx * NARROW)
  const [own, green, blue] = channels.map((channel) => stepProfile(channel, place, NARROW, true).height) as [
    number,
    number,
    number,
  ]
  const red = channels[0].data[brighter]! > CLIPPED ? 0 : own
  if (!isGrey(red, green, blue, GREY)) return undefined
  const sure =
    within(height, SURE_HEIGHT) &&
    within(sharp, SURE_SHARP) &&
    Math.abs(slope) < SURE_SLOPE * height &&
    rest < SURE_REST * height &&
    isGrey(red, green, blue, SURE_GREY)
  const certain = sure && isCertain(stepProfile(calm, place, WIDE, false), crest)
  return { at, nx, ny, height, sharp, red, green, blue, sure, certain }
}

/** Whether a step read widely has flat treads and the sharpness of banding. */
function isCertain({ height, slope, rest }: { height: number; slope: number; rest: number }, crest: number) {
  return (
    within(height, SURE_HEIGHT) &&
    Math.abs(slope) < SURE_REST * height &&
    rest < SURE_REST * height &&
    within(crest / height, [0.27, 0.37])
  )
}

function isGrey(red: number, green: number, blue: number, most: number): boolean {
  const near = (value: number, middle: number): boolean => Math.abs(value - middle * green) < most * green + 1
  return green > 0 && (red === 0 || near(red, 1)) && near(blue, MIDDLE_BLUE)
}

/** Crests joined into lines: neighbours up to two pixels away whose steps rise the same way. */
function linesOf(crests: readonly Found[], width: number): readonly (readonly Found[])[] {
  const left = new Map(crests.map((each) => [each.at, each]))
  const lines: Found[][] = []
  for (const seed of crests) {
    if (!left.delete(seed.at)) continue
    const line = [seed]
    for (let head = 0; head < line.length; head++) {
      const { at, nx, ny } = line[head]!
      for (let v = -2; v <= 2; v++) {
        for (let u = -2; u <= 2; u++) {
          const next = left.get(at + v * width + u)
          if (!next || next.nx * nx + next.ny * ny < 0.6) continue
          left.delete(next.at)
          line.push(next)
        }
      }
    }
    lines.push(line)
  }
  return lines
}

/** Whether a line is long enough, and of the colour and sharpness of banding. */
function isBanding(line: readonly Found[]): boolean {
  const count = line.length
  if (count < LENGTH) return false
  const sum = (value: (each: Found) => number): number => line.reduce((total, each) => total + value(each), 0)
  if (sum((each) => (each.sure ? 1 : 0)) < SURE * count) return false
  // Creases pass narrowly read, where a slope changes; read more widely they are none.
  if (sum((each) => (each.certain ? 1 : 0)) < CERTAIN * count) return false
  const mean = sum((each) => each.height) / count
  if (sum((each) => (each.height - mean) ** 2) > (SPREAD * mean) ** 2 * count) return false
  const red = sum((each) => each.red)
  const redGreen = sum((each) => (each.red === 0 ? 0 : each.green))
  const blue = sum((each) => each.blue) / sum((each) => each.green)
  const grey = within(blue, BLUE) && (redGreen === 0 || within(red / redGreen, RED))
  return grey && within(sum((each) => each.sharp) / count, LINE_SHARP)
}

/** Heights per channel where luma has one; red counts as high as green where it was clipped throughout. */
function tintOf(crests: readonly Found[]): readonly [number, number, number] {
  let [red, redGreen, green, blue] = [0, 0, 0, 0]
  for (const each of crests) {
    green += each.green
    blue += each.blue
    if (each.red === 0) continue
    red += each.red
    redGreen += each.green
  }
  const [r, b] = [redGreen === 0 ? 1 : red / redGreen, blue / green]
  const luma = 0.299 * r + 0.587 + 0.114 * b
  return [r / luma, 1 / luma, b / luma]
}

function within(value: number, [low, high]: readonly [number, number]): boolean {
  return value >= low && value <= high
}
