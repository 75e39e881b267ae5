import type { Plane } from './pixels.ts'
import { gaussian, plane } from './pixels.ts'

/**
 * Where an item begins. A studio background, its gradient, its vignette and every shadow on it change slowly: the
 * gradient at a fine scale equals that at a coarser one. At the edge of an object the fine gradient is far larger.
 * The excess of the one over the other is therefore blind to shadows and sees even edges of a few grey levels.
 */

const FINE = 0.7
const COARSE = 1.5

/** Excess of the fine over the coarse gradient, levels per pixel, the largest of the channels. */
export function stepEvidence(channels: readonly Plane[]): { readonly steps: Plane; readonly slope: Plane } {
  const { width, height } = channels[0]!
  const steps = plane(width, height)
  const slope = plane(width, height)
  for (const channel of channels) {
    const fine = gaussian(channel, FINE)
    const coarse = gaussian(channel, COARSE)
    for (let y = 0; y < height; y++) {
      const up = (y > 0 ? y - 1 : y) * width
      const down = (y < height - 1 ? y + 1 : y) * width
      for (let x = 0; x < width; x++) {
        const before = x > 0 ? x - 1 : x
        const after = x < width - 1 ? x + 1 : x
        const at = y * width + x
        const sharp = gradient(fine.data, y * width, before, after, up + x, down + x)
        const excess = sharp - gradient(coarse.data, y * width, before, after, up + x, down + x)
        if (excess > steps.data[at]!) steps.data[at] = excess
        if (sharp > slope.data[at]!) slope.data[at] = sharp
      }
    }
  }
  return { steps, slope }
}

function gradient(
  data: Float32Array,
  row: number,
  before: number,
  after: number,
  up: number,
  down: number,
): number {
  const gx = data[row + after]! - data[row + before]!
  const gy = data[down]! - data[up]!
  return Math.sqrt(gx * gx + gy * gy) / 2
}

/**
 * The excess that noise alone does not reach: from the middle value of the slope along the picture's border, where
 * there is mostly background. Never under 1.2 levels per pixel, so that dither and JPEG do not count.
 */
export function stepThreshold(slope: Plane): number {
  const { width, height, data } = slope
  const band = Math.max(4, Math.round(Math.min(width, height) * 0.05))
  const values: number[] = []
  for (let y = 0; y < height; y += 2) {
    const inner = y >= band && y < height - band
    for (let x = 0; x < width; x += 2) {
      if (inner && x === band + (band % 2)) x = width - band - ((width - band) % 2)
      values.push(data[y * width + x]!)
    }
  }
  values.sort((a, b) => a - b)
  return Math.max(1.2, 2.4 * (values[values.length >> 1] ?? 0))
}
