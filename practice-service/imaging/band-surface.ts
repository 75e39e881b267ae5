import type { Plane } from '../../shared/matte/pixels.ts'
import { boxMean, gaussian, plane } from '../../shared/matte/pixels.ts'
import type { Problem } from './screened-poisson.ts'

/** Slopes in levels per pixel: treads up to the first are wholly levelled, from the second on not at all. */
const LEVELLED = 2
const KEPT = 3
/** Slope at which a border hardly lets a correction through: a true edge. */
const EDGE = 1.5
/** Slope of a step's flank above which it is none. */
const STEEPEST = 8
/** How far a correction reaches where the ground is flat, as a share of the item's longer side. */
const REACH = 0.06
/** Mean slope at which it reaches half as far, and what of the mean is noise; slopes above `EDGE_CAP` count as that. */
const HALVED = 0.15
const NOISE = 0.25
const EDGE_CAP = 4
/** Ground per length of steps, in the same share, up to which the treads are levelled: beyond twice it they are not. */
const SPARSE = 0.4
/** Radius over which steps are counted. */
const AROUND = 0.04
/** How firmly the middle of a step is held. */
const PIN = 1

/** The correction wanted on and between the steps (`marks`: 2 on crests, 1 beside): differences from pixel to pixel. */
export function surfaceBetween(
  marks: Uint8Array,
  luma: Plane,
  calm: Plane,
  alpha: Uint8Array,
): { readonly problem: Problem; readonly wantAcross: Float32Array; readonly wantDown: Float32Array } {
  const { width, height } = luma
  const values = (): Float32Array => new Float32Array(width * height)
  const [across, down, wantAcross, wantDown] = [values(), values(), values(), values()]
  const slopes = treadSlopes(marks, calm, alpha)
  const pair = (
    weights: Float32Array,
    wants: Float32Array,
    slope: Float32Array,
    at: number,
    next: number,
  ): void => {
    if (alpha[at] !== 255 || alpha[next] !== 255) return
    const rise = Math.abs(calm.data[next]! - calm.data[at]!)
    if (marks[at] && marks[next] && rise < STEEPEST) {
      weights[at] = 1
      wants[at] = luma.data[at]! - luma.data[next]!
      return
    }
    weights[at] = 1 / (1 + (rise / EDGE) ** 6)
    wants[at] = -(slope[at]! + slope[next]!) / 2
  }
  for (let y = 1; y < height - 2; y++) {
    for (let at = y * width + 1; at < (y + 1) * width - 2; at++) {
      pair(across, wantAcross, slopes.across, at, at + 1)
      pair(down, wantDown, slopes.down, at, at + width)
    }
  }
  const screen = screenOf(marks, calm)
  return { problem: { width, height, across, down, screen }, wantAcross, wantDown }
}

/** The slopes of the treads that are false: on smooth ground with steps around. */
function treadSlopes(marks: Uint8Array, { data, width, height }: Plane, alpha: Uint8Array) {
  const [ground, across, down] = [plane(width, height), plane(width, height), plane(width, height)]
  for (let at = width; at < data.length - width; at++) {
    if (marks[at] || alpha[at] !== 255) continue
    const x = (data[at + 1]! - data[at - 1]!) / 2
    const y = (data[at + width]! - data[at - width]!) / 2
    if (Math.hypot(x, y) > KEPT) continue
    ground.data[at] = 1
    across.data[at] = x
    down.data[at] = y
  }
  const near = nearSteps(marks, ground)
  const share = gaussian(ground, 1.5).data
  const [x, y] = [gaussian(across, 1.5).data, gaussian(down, 1.5).data]
  for (let at = 0; at < share.length; at++) {
    const own = Math.max(share[at]!, 1e-3)
    const slope = Math.hypot(x[at]!, y[at]!) / own
    const level = Math.min(1, Math.max(0, (KEPT - slope) / (KEPT - LEVELLED)))
    const part = (level * near[at]! * Math.min(1, share[at]! * 3)) / own
    x[at]! *= part
    y[at]! *= part
  }
  return { across: x, down: y }
}

/** 1 where smooth ground has steps all around, fading to 0 where they are few for so much ground. */
function nearSteps(marks: Uint8Array, ground: Plane): Float32Array {
  const { width, height } = ground
  const longer = Math.max(width, height)
  const radius = Math.max(4, Math.round(AROUND * longer))
  const wide = (source: Plane): Float32Array => boxMean(boxMean(source, radius), radius).data
  const crests = wide(
    plane(
      width,
      height,
      Float32Array.from(marks, (mark) => (mark === 2 ? 1 : 0)),
    ),
  )
  return wide(ground).map((area, at) => {
    const spacing = area / Math.max(crests[at]!, 1e-6) / longer
    return Math.min(1, Math.max(0, 2 - spacing / SPARSE))
  })
}

/**
 * How firmly each pixel is held at no correction: far reaching on flat ground, hardly where it slopes, since banding
 * fades there and a surface that really slopes must not be levelled.
 */
function screenOf(marks: Uint8Array, { data, width, height }: Plane): Float32Array {
  const [open, slope] = [plane(width, height), plane(width, height)]
  for (let at = width; at < data.length - width; at++) {
    if (marks[at]) continue
    const rise = Math.hypot(data[at + 1]! - data[at - 1]!, data[at + width]! - data[at - width]!) / 2
    open.data[at] = 1
    slope.data[at] = Math.min(EDGE_CAP, rise)
  }
  const share = gaussian(open, 4).data
  const reach = REACH * Math.max(width, height)
  return gaussian(slope, 4).data.map((sum, at) => {
    const mean = Math.max(0, sum / Math.max(share[at]!, 1e-3) - NOISE)
    return ((1 + (mean / HALVED) ** 2) / reach) ** 2 + (marks[at] === 2 ? PIN : 0)
  })
}
