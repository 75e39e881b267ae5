import type { Plane } from '../../shared/matte/pixels.ts'
import { gaussian, plane } from '../../shared/matte/pixels.ts'
import type { Crest } from './band-steps.ts'
import { solved } from './screened-poisson.ts'

/** Squared radius around a crest within which its step is redrawn. */
const ZONE = 4
/** Pixels from a crest, to either side, where the correction is known: half the step's height, up or down. */
const BESIDE = [2.2, 3] as const
/** Share of a step's height that counts: a little caution costs less than too much zeal. */
const SHARE = 0.93
/** How firmly the correction is held beside steps. */
const PIN = 4
/** Slope of the treads, levels per pixel, at which levelling ends, and at which a correction stops: a true edge. */
const LEVELLED = 0.6
const EDGE = 3
/** How far a correction reaches where the ground is flat, as a share of the item's longer side. */
const REACH = 0.1
/** How firmly slopes hold it at zero: banding fades where a surface is steep. Slopes below `NOISE` are none. */
const STEEP = 0.1
const NOISE = 0.15
/** Most that a pixel may be moved, in levels: half the highest step. */
const BOUND = 8
/** Rounds of smoothing over the zones, which are five pixels wide. */
const ROUNDS = 12

/** Slopes of the treads, steps left out: levels per pixel. */
interface Slopes {
  readonly across: Float32Array
  readonly down: Float32Array
  readonly steepness: Float32Array
}

/**
 * What to add to each pixel's luma so that the steps go. Beside a step the picture is wrong by half its height; between
 * steps the correction is the one that keeps the surface smoothest.
 */
export function correctionOf(
  crests: readonly Crest[],
  luma: Plane,
  calm: Plane,
  alpha: Uint8Array,
): Float32Array {
  const { width, height } = luma
  const zone = zoneOf(crests, width, height)
  const slopes = treadSlopes(zone, calm, alpha)
  const values = (): Float32Array => new Float32Array(width * height)
  const [across, down, wantAcross, wantDown] = [values(), values(), values(), values()]
  const pair = (
    weights: Float32Array,
    wants: Float32Array,
    slope: Float32Array,
    at: number,
    next: number,
  ): void => {
    if (alpha[at] !== 255 || alpha[next] !== 255 || zone[at] || zone[next]) return
    const steepness = (slopes.steepness[at]! + slopes.steepness[next]!) / 2
    weights[at] = 1 / (1 + (steepness / EDGE) ** 6)
    wants[at] = -(slope[at]! + slope[next]!) / 2 / (1 + (steepness / LEVELLED) ** 4)
  }
  for (let y = 1; y < height - 2; y++) {
    for (let at = y * width + 1; at < (y + 1) * width - 2; at++) {
      pair(across, wantAcross, slopes.across, at, at + 1)
      pair(down, wantDown, slopes.down, at, at + width)
    }
  }
  const reach = REACH * Math.max(width, height)
  const screen = slopes.steepness.map((slope) => reach ** -2 + STEEP * Math.max(0, slope - NOISE) ** 4)
  const held = pinned(crests, zone, screen, width)
  const correction = solved({ width, height, across, down, screen, held }, wantAcross, wantDown)
  for (let at = 0; at < correction.length; at++)
    correction[at] = zone[at] ? 0 : Math.max(-BOUND, Math.min(BOUND, correction[at]!))
  redrawZones(zone, correction, luma, calm)
  return correction
}

/** 1 on the flanks of the steps. */
function zoneOf(crests: readonly Crest[], width: number, height: number): Uint8Array {
  const zone = new Uint8Array(width * height)
  for (const { at } of crests) {
    for (let v = -2; v <= 2; v++) {
      for (let u = -2; u <= 2; u++) if (u * u + v * v <= ZONE) zone[at + v * width + u] = 1
    }
  }
  return zone
}

/** Pins the correction beside the steps: adds to `screen` and returns what it is drawn to, times how firmly. */
function pinned(
  crests: readonly Crest[],
  zone: Uint8Array,
  screen: Float32Array,
  width: number,
): Float32Array {
  const held = new Float32Array(zone.length)
  const count = new Float32Array(zone.length)
  for (const { at, nx, ny, height } of crests) {
    for (const distance of [...BESIDE, -BESIDE[0], -BESIDE[1]]) {
      const to = at + Math.round(ny * distance) * width + Math.round(nx * distance)
      if (zone[to]) continue
      held[to]! -= (Math.sign(distance) * SHARE * height) / 2
      count[to]!++
    }
  }
  for (let at = 0; at < held.length; at++) {
    if (count[at] === 0) continue
    held[at]! *= PIN / count[at]!
    screen[at]! += PIN
  }
  return held
}

function treadSlopes(zone: Uint8Array, { data, width, height }: Plane, alpha: Uint8Array): Slopes {
  const [ground, across, down] = [plane(width, height), plane(width, height), plane(width, height)]
  for (let at = width + 1; at < data.length - width - 1; at++) {
    if (zone[at] || alpha[at] !== 255) continue
    ground.data[at] = 1
    across.data[at] = (data[at + 1]! - data[at - 1]!) / 2
    down.data[at] = (data[at + width]! - data[at - width]!) / 2
  }
  const share = gaussian(ground, 2).data
  const [x, y] = [gaussian(across, 2).data, gaussian(down, 2).data]
  const steepness = share.map((part, at) => {
    x[at]! /= Math.max(part, 1e-3)
    y[at]! /= Math.max(part, 1e-3)
    return Math.hypot(x[at]!, y[at]!)
  })
  return { across: x, down: y, steepness }
}

/** Draws the surface across the flanks of the steps, from the corrected picture around them. */
function redrawZones(zone: Uint8Array, correction: Float32Array, luma: Plane, calm: Plane): void {
  const { width, height } = luma
  const [around, open] = [plane(width, height), plane(width, height)]
  const surface = luma.data.map((value, at) => value + correction[at]!)
  const cells: number[] = []
  for (let at = 0; at < zone.length; at++) {
    if (zone[at]) cells.push(at)
    else {
      open.data[at] = 1
      around.data[at] = calm.data[at]! + correction[at]!
    }
  }
  const [sum, share] = [gaussian(around, 2).data, gaussian(open, 2).data]
  for (const at of cells) surface[at] = sum[at]! / Math.max(share[at]!, 1e-6)
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < cells.length; i++) {
      const at = cells[round & 1 ? cells.length - 1 - i : i]!
      surface[at] = (surface[at - 1]! + surface[at + 1]! + surface[at - width]! + surface[at + width]!) / 4
    }
  }
  for (const at of cells) correction[at] = surface[at]! - luma.data[at]!
}
