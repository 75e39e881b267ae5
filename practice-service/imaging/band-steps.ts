import type { Plane } from '../../shared/matte/pixels.ts'

/** Heights of steps that count as banding, levels: below is noise, above is the picture. */
const LOWEST = 3
const HIGHEST = 17
/** Pixels to either side of a step between which its height is read, and again as far for the flatness beyond. */
const SIDE = 4
/** A step is wiped out over this many pixels to either side of its crest. */
const WIDTH = 3

/**
 * Marks the small sharp steps between two flat plateaus: 1 on their pixels, 0 elsewhere; undefined where there are too
 * few to be banding. `calm` is the lightly smoothed luma.
 */
export function bandSteps(calm: Plane): Uint8Array | undefined {
  const { width, height, data } = calm
  const marks = new Uint8Array(width * height)
  const margin = 2 * SIDE + 1
  let found = 0
  for (let y = margin; y < height - margin; y++) {
    for (let x = margin; x < width - margin; x++) {
      const at = y * width + x
      const gx = (data[at + 1]! - data[at - 1]!) / 2
      const gy = (data[at + width]! - data[at - width]!) / 2
      const slope = Math.hypot(gx, gy)
      if (slope < 0.8 || slope > 7 || !isStep(calm, at, gx / slope, gy / slope, slope)) continue
      found++
      for (let v = -WIDTH; v <= WIDTH; v++) {
        const half = WIDTH - (Math.abs(v) === WIDTH ? 1 : 0)
        marks.fill(1, at + v * width - half, at + v * width + half + 1)
      }
    }
  }
  return found > 40 ? marks : undefined
}

/** Crest of the slope along its own direction, of the right height, with flat ground before and behind. */
function isStep({ data, width }: Plane, at: number, nx: number, ny: number, slope: number): boolean {
  const along = (distance: number): number =>
    at + Math.round(ny * distance) * width + Math.round(nx * distance)
  const slopeAt = (place: number): number =>
    ((data[place + 1]! - data[place - 1]!) * nx + (data[place + width]! - data[place - width]!) * ny) / 2
  if (slopeAt(along(1)) > slope + 0.02 || slopeAt(along(-1)) > slope + 0.02) return false
  const before = data[along(-SIDE)]!
  const behind = data[along(SIDE)]!
  const step = behind - before
  if (step < LOWEST || step > HIGHEST || slope < 0.2 * step) return false
  const flat = 0.4 * step
  return Math.abs(data[along(2 * SIDE)]! - behind) < flat && Math.abs(before - data[along(-2 * SIDE)]!) < flat
}
