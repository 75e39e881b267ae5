import type { Matte } from '../../shared/matte/estimate-matte.ts'
import type { Plane } from '../../shared/matte/pixels.ts'
import { gaussian, plane } from '../../shared/matte/pixels.ts'
import { grainAt } from './background.ts'
import { bandSteps } from './band-steps.ts'
import { correctionOf } from './band-surface.ts'
import type { Picture } from './picture.ts'

/**
 * Banding is a staircase where a smooth surface should be: nearly flat treads, and small sharp steps between them. Half
 * way up each step the surface is as bright as it should be, so that beside it the picture is wrong by half the step.
 * The steps are found, and from them the correction is laid over the treads so that the surface becomes smooth. True
 * edges, and whatever is far from any step, keep their values.
 */

/** Pixels around the item that are worked on with it. */
const MARGIN = 4

/** Removes wave-like banding from polished metal and smooth gradients (interface document 4.7, de-banding). */
export function debanded(picture: Picture, { alpha }: Pick<Matte, 'alpha'>): Picture {
  const part = itemPart(picture, alpha)
  if (!part) return picture
  const { left, top, width, height, colors } = part
  const luma = lumaPlane(colors, width, height)
  const calm = gaussian(luma, 0.8)
  const steps = bandSteps(calm, colors, part.alpha)
  if (!steps) return picture
  const correction = correctionOf(steps.crests, luma, calm, part.alpha)
  const out = Uint8Array.from(picture.data)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const change = correction[y * width + x]!
      // Where nothing changes, nothing may change: no grain either. Elsewhere it keeps eight bits from making new steps.
      if (Math.abs(change) < 0.3) continue
      const grain = grainAt(x, y) * 0.6
      const at = 3 * ((top + y) * picture.width + left + x)
      for (let c = 0; c < 3; c++) {
        const value = out[at + c]! + change * steps.tint[c]! + grain
        out[at + c] = Math.max(0, Math.min(255, Math.round(value)))
      }
    }
  }
  return { ...picture, data: out }
}

/** The part of the picture that holds the item. */
interface Part {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly colors: Uint8Array
  readonly alpha: Uint8Array
}

function itemPart({ data, width, height }: Picture, alpha: Uint8Array): Part | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let at = 0; at < alpha.length; at++) {
    if (alpha[at]! < 128) continue
    const x = at % width
    const y = (at - x) / width
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = y
  }
  if (right < 0) return undefined
  left = Math.max(0, left - MARGIN)
  top = Math.max(0, top - MARGIN)
  const part = {
    left,
    top,
    width: Math.min(width, right + MARGIN) - left,
    height: Math.min(height, bottom + MARGIN) - top,
  }
  if (Math.min(part.width, part.height) < 32) return undefined
  const colors = new Uint8Array(part.width * part.height * 3)
  const opacity = new Uint8Array(part.width * part.height)
  for (let y = 0; y < part.height; y++) {
    const from = (top + y) * width + left
    colors.set(data.subarray(3 * from, 3 * (from + part.width)), 3 * y * part.width)
    opacity.set(alpha.subarray(from, from + part.width), y * part.width)
  }
  return { ...part, colors, alpha: opacity }
}

function lumaPlane(colors: Uint8Array, width: number, height: number): Plane {
  const luma = plane(width, height)
  for (let i = 0; i < luma.data.length; i++) {
    luma.data[i] = 0.299 * colors[3 * i]! + 0.587 * colors[3 * i + 1]! + 0.114 * colors[3 * i + 2]!
  }
  return luma
}
