import type { Matte } from '../../shared/matte/estimate-matte.ts'
import type { Plane } from '../../shared/matte/pixels.ts'
import { boxMean, gaussian, plane } from '../../shared/matte/pixels.ts'
import { dilated } from '../../shared/matte/regions.ts'
import { bandSteps, STEP_WIDTH } from './band-steps.ts'
import { grainAt } from './background.ts'
import type { Picture } from './picture.ts'
import { solvedCorrection } from './screened-poisson.ts'

/**
 * Banding is a staircase where a smooth surface should be: plateaus, and small sharp steps between them. The steps are
 * found, and the smallest smooth correction is added that closes them: half of each step to either side, fading with
 * the distance. Everything else, the edges above all, keeps its gradient.
 */

/** Most that de-banding may move a pixel, in levels: half the largest step, and a little. */
const BOUND = 8

/** How far it reaches as a share of the distance from step to step. */
const SPACING = 1

/** How far a closed step reaches at most, as a share of the picture's longer side. */
const REACH = 0.012

/** Removes wave-like banding from polished metal and smooth gradients (interface document 4.7, de-banding). */
export function debanded(picture: Picture, { alpha }: Pick<Matte, 'alpha'>): Picture {
  const { data, width, height } = picture
  const luma = lumaPlane(picture)
  const calm = gaussian(luma, 0.8)
  const steps = bandSteps(calm, data, outlineOf(alpha, width, height))
  if (!steps) return picture
  const reach = reachOf(steps, width, height)
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

/** Pixels within a few of the item's edge. */
function outlineOf(alpha: Uint8Array, width: number, height: number): Uint8Array {
  const edge = new Uint8Array(alpha.length)
  for (let i = 1; i < alpha.length; i++) {
    const inside = alpha[i]! >= 128
    if (inside !== alpha[i - 1]! >= 128 || (i >= width && inside !== alpha[i - width]! >= 128)) edge[i] = 1
  }
  return dilated(edge, width, height, 5)
}

/**
 * How far each step's correction may reach, in pixels: a share of the distance from step to step, where they follow one
 * another closely. Further, the corrections would add up and take the surface's own gradient with them.
 */
function reachOf(steps: Uint8Array, width: number, height: number): Plane {
  const most = REACH * Math.max(width, height)
  const share = boxMean(
    boxMean(
      plane(
        width,
        height,
        Float32Array.from(steps, (value) => (value ? 1 : 0)),
      ),
      Math.round(most / 2),
    ),
    Math.round(most / 2),
  )
  const band = 2 * STEP_WIDTH + 1
  return plane(
    width,
    height,
    share.data.map((value) => Math.min(most, Math.max(3, (SPACING * band) / Math.max(value, 1e-3)))),
  )
}

function lumaPlane({ data, width, height }: Picture): Plane {
  const luma = plane(width, height)
  for (let i = 0; i < luma.data.length; i++) {
    luma.data[i] = 0.299 * data[3 * i]! + 0.587 * data[3 * i + 1]! + 0.114 * data[3 * i + 2]!
  }
  return luma
}
