import type { Plane } from '../../shared/matte/pixels.ts'

/** Width of a step of banding in the lightly smoothed picture: the sigma of its edge, pixels. */
const SIGMA = 1.15
/** The crest of a step lies at most this far from the middle of its pixel. */
const FARTHEST = 0.6

/** What is read across a crest: a step on a slope. Levels, and levels per pixel. */
export interface Profile {
  readonly height: number
  readonly slope: number
  /** RMS of what neither step nor slope explains. */
  readonly rest: number
}

/** A place on the crest of an edge, and the direction in which it gets brighter. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly nx: number
  readonly ny: number
  /** How far ahead of the pixel's middle the crest lies. */
  readonly ahead: number
}

/**
 * Reads a step across a crest from `reach` pixels to either side. With `bent` the slope may change across the crest, as
 * it does where a tread meets a rounded edge.
 */
export function stepProfile({ data, width }: Plane, place: Place, reach: number, bent: boolean): Profile {
  const count = 2 * reach + 1
  const { x, y, nx, ny, ahead } = place
  const values = new Float64Array(count)
  const steps = new Float64Array(count)
  let [mean, meanStep] = [0, 0]
  const meanSquare = (reach * (reach + 1)) / 3
  for (let i = 0; i < count; i++) {
    const t = i - reach
    mean += values[i] = between(data, width, x + nx * t, y + ny * t)
    meanStep += steps[i] = edge((t - ahead) / SIGMA)
  }
  mean /= count
  meanStep /= count
  let [tv, sv, tt, ts, ss, qv, qq] = [0, 0, 0, 0, 0, 0, 0]
  for (let i = 0; i < count; i++) {
    const t = i - reach
    const s = (steps[i]! -= meanStep)
    const v = (values[i]! -= mean)
    const q = t * t - meanSquare
    tv += t * v
    sv += s * v
    tt += t * t
    ts += t * s
    ss += s * s
    qv += q * v
    qq += q * q
  }
  const determinant = tt * ss - ts * ts
  const slope = (tv * ss - sv * ts) / determinant
  const height = (sv * tt - tv * ts) / determinant
  const bend = bent ? qv / qq : 0
  let rest = 0
  for (let i = 0; i < count; i++) {
    const t = i - reach
    rest += (values[i]! - slope * t - height * steps[i]! - bend * (t * t - meanSquare)) ** 2
  }
  return { height, slope, rest: Math.sqrt(rest / count) }
}

/** The crest at a pixel of a plane of gradients; undefined where the gradient is not highest along (nx, ny). */
export function crestAt(gradients: Plane, x: number, y: number, nx: number, ny: number): Place | undefined {
  const { data, width } = gradients
  const own = data[y * width + x]!
  const after = between(data, width, x + nx, y + ny)
  const before = between(data, width, x - nx, y - ny)
  if (after > own || before >= own) return undefined
  const ahead = (0.5 * (after - before)) / (2 * own - after - before + 1e-6)
  return { x, y, nx, ny, ahead: Math.max(-FARTHEST, Math.min(FARTHEST, ahead)) }
}

/** The value between four pixels; the place must lie inside. */
function between(data: Float32Array, width: number, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [fx, fy] = [x - left, y - top]
  const at = top * width + left
  const upper = data[at]! * (1 - fx) + data[at + 1]! * fx
  const lower = data[at + width]! * (1 - fx) + data[at + width + 1]! * fx
  return upper * (1 - fy) + lower * fy
}

/** The edge of a Gaussian blur from −1/2 to 1/2, `u` in sigmas (Abramowitz and Stegun 7.1.26). */
function edge(u: number): number {
  const z = Math.abs(u) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * z)
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  return Math.sign(u) * 0.5 * (1 - series * Math.exp(-z * z))
}
