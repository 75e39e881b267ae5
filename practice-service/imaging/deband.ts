import type { Plane } from '../../shared/matte/pixels.ts'
import { gaussian, plane } from '../../shared/matte/pixels.ts'
import { bandSteps } from './band-steps.ts'
import { grainAt } from './background.ts'
import type { Picture } from './picture.ts'
import { solvedCorrection } from './screened-poisson.ts'

/**
 * Banding is a staircase where a smooth surface should be: plateaus, and small sharp steps between them. The steps are
 * found, and the smallest smooth correction is added that closes them: half of each step to either side, fading with
 * the distance. Everything else, the edges above all, keeps its gradient.
 */

/** Most that de-banding may move a pixel, in levels: half the largest step, and a little. */
const BOUND = 9

/** How far a closed step reaches, as a share of the picture's longer side: about half of a plateau. */
const REACH = 0.014

/** Removes wave-like banding from polished metal and smooth gradients (interface document 4.7, de-banding). */
export function debanded(picture: Picture): Picture {
  const { data, width, height } = picture
  const luma = lumaPlane(picture)
  const calm = gaussian(luma, 0.8)
  const steps = bandSteps(calm)
  if (!steps) return picture
  const reach = REACH * Math.max(width, height)
  const correction = solvedCorrection(luma, calm, steps, reach)
  const out = new Uint8Array(data.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const change = Math.max(-BOUND, Math.min(BOUND, correction.data[at]!))
      // Grain below one level, where something changed, keeps eight bits from making new steps.
      const grain = Math.abs(change) > 0.3 ? grainAt(x, y) * 0.6 : 0
      for (let c = 0; c < 3; c++) {
        out[3 * at + c] = Math.max(0, Math.min(255, Math.round(data[3 * at + c]! + change + grain)))
      }
    }
  }
  return { ...picture, data: out }
}

function lumaPlane({ data, width, height }: Picture): Plane {
  const luma = plane(width, height)
  for (let i = 0; i < luma.data.length; i++) {
    luma.data[i] = 0.299 * data[3 * i]! + 0.587 * data[3 * i + 1]! + 0.114 * data[3 * i + 2]!
  }
  return luma
}
