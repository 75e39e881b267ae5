import type { Plane } from './pixels.ts'
import { boxMean, plane } from './pixels.ts'

/**
 * Colour without light. A shadow or a vignette multiplies linear red, green and blue alike, so the logarithms of their
 * ratios stay what they are on plain paper; metal, pearl and stone shift them, platinum by a few percent, gold by half.
 */
export interface Chroma {
  /** ln(red / green) and ln(blue / green) of linear light, lightly smoothed. */
  readonly redness: Plane
  readonly blueness: Plane
  /** Coded luma, 0–255. */
  readonly luma: Plane
}

const STEPS = 4
const logOfLinear = Float32Array.from({ length: 255 * STEPS + 1 }, (_, i) => {
  const coded = Math.max(i / STEPS, 1) / 255
  return Math.log(coded <= 0.04045 ? coded / 12.92 : ((coded + 0.055) / 1.055) ** 2.4)
})

export function chromaOf(channels: readonly [Plane, Plane, Plane]): Chroma {
  const { width, height } = channels[0]
  const [red, green, blue] = [channels[0].data, channels[1].data, channels[2].data]
  const redness = plane(width, height)
  const blueness = plane(width, height)
  const luma = plane(width, height)
  for (let i = 0; i < red.length; i++) {
    const g = logOfLinear[Math.round(green[i]! * STEPS)]!
    redness.data[i] = logOfLinear[Math.round(red[i]! * STEPS)]! - g
    blueness.data[i] = logOfLinear[Math.round(blue[i]! * STEPS)]! - g
    luma.data[i] = 0.299 * red[i]! + 0.587 * green[i]! + 0.114 * blue[i]!
  }
  return { redness: boxMean(redness, 1), blueness: boxMean(blueness, 1), luma }
}

/** The paper's colour: each log ratio as a straight line over luma (a raised black point bends it in dark shadow). */
export interface PaperColor {
  readonly red: { readonly at: number; readonly slope: number }
  readonly blue: { readonly at: number; readonly slope: number }
  readonly luma: number
  /** Scatter of single pixels about the lines: the middle distance. */
  readonly spread: number
}

/** Fits the paper's colour over the pixels of a mask; every `stride`-th pixel is enough. */
export function paperColor(chroma: Chroma, mask: Uint8Array, stride = 7): PaperColor {
  const places: number[] = []
  for (let i = 0; i < mask.length; i += stride) if (mask[i]) places.push(i)
  const luma = mean(places, chroma.luma.data)
  const red = line(places, chroma.luma.data, chroma.redness.data, luma)
  const blue = line(places, chroma.luma.data, chroma.blueness.data, luma)
  const color = { red, blue, luma, spread: 0 }
  const distances = places.map((i) => paperDistance(color, chroma, i)).sort((a, b) => a - b)
  return { ...color, spread: distances[distances.length >> 1] ?? 0 }
}

/** How far one pixel's colour is from the paper's, in log units. */
export function paperDistance(color: PaperColor, chroma: Chroma, at: number): number {
  return distanceOf(color, chroma.luma.data[at]!, chroma.redness.data[at]!, chroma.blueness.data[at]!)
}

export function distanceOf(color: PaperColor, luma: number, redness: number, blueness: number): number {
  const off = luma - color.luma
  return Math.hypot(
    redness - color.red.at - color.red.slope * off,
    blueness - color.blue.at - color.blue.slope * off,
  )
}

const STEADY = 4

/**
 * The distance from the paper's colour as a patch of 9 × 9 pixels shows it, free enough of noise to tell platinum from
 * grey paper. Of the patches that hold a pixel the one most like paper counts, so that paper beside gold stays paper.
 */
export function steadyDistance(chroma: Chroma, color: PaperColor): Plane {
  const { width, height } = chroma.luma
  const [luma, redness, blueness] = [chroma.luma, chroma.redness, chroma.blueness].map((each) =>
    boxMean(each, STEADY),
  )
  const patch = plane(width, height)
  for (let i = 0; i < patch.data.length; i++) {
    patch.data[i] = distanceOf(color, luma!.data[i]!, redness!.data[i]!, blueness!.data[i]!)
  }
  const out = plane(width, height)
  for (let y = 0; y < height; y++) {
    const up = Math.max(0, y - STEADY) * width
    const down = Math.min(height - 1, y + STEADY) * width
    for (let x = 0; x < width; x++) {
      const left = Math.max(0, x - STEADY)
      const right = Math.min(width - 1, x + STEADY)
      const row = y * width
      out.data[row + x] = Math.min(
        patch.data[row + x]!,
        patch.data[row + left]!,
        patch.data[row + right]!,
        patch.data[up + x]!,
        patch.data[down + x]!,
      )
    }
  }
  return out
}

function mean(places: readonly number[], data: Float32Array): number {
  let sum = 0
  for (const i of places) sum += data[i]!
  return places.length === 0 ? 0 : sum / places.length
}

/** A line through the pixels, fitted again without those far off it (dust, and what is not paper). */
function line(places: readonly number[], x: Float32Array, y: Float32Array, middle: number) {
  let at = mean(places, y)
  let slope = 0
  for (let round = 0; round < 3; round++) {
    let n = 0
    let [sx, sy, sxx, sxy] = [0, 0, 0, 0]
    for (const i of places) {
      const off = x[i]! - middle
      if (round > 0 && Math.abs(y[i]! - at - slope * off) > 0.04) continue
      n++
      sx += off
      sy += y[i]!
      sxx += off * off
      sxy += off * y[i]!
    }
    const spreadOfLuma = n * sxx - sx * sx
    if (n < 50) break
    // Paper of one brightness tells nothing about a slope.
    slope = spreadOfLuma > n * n * 9 ? (n * sxy - sx * sy) / spreadOfLuma : 0
    at = (sy - slope * sx) / n
  }
  return { at, slope }
}
