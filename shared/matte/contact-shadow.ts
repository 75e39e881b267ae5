import type { Box } from '../framing.ts'
import { matteBox } from '../framing.ts'
import type { Plane } from './pixels.ts'
import { plane, wideBlur } from './pixels.ts'
import { connectedRegions } from './regions.ts'

/** The four shadow values of the interface document, 4.7. */
export interface ShadowShape {
  /** 0.1–3: darkness. */
  readonly intensity: number
  /** 0.2–3: footprint. */
  readonly size: number
  /** 0.2–3: blur of the edge. */
  readonly softness: number
  /** 0–0.2: how far below the item, as a fraction of its longer side. */
  readonly distance: number
}

export interface ContactShadow {
  /** How much light the shadow takes, 0–1, at a reduced size. */
  readonly opacity: Plane
  /** Pixels of the matte per pixel of `opacity`. */
  readonly factor: number
}

/** Longer side of the item in the reduced matte that the shadow is made from. */
const WORKING_ITEM = 320

/**
 * The soft contact shadow under an item, from its matte alone: dark where each piece of it meets the ground (its lower
 * outline, fading upwards), and a faint one around the whole, so that flat pieces seen from above are grounded too.
 * Undefined where the matte is empty. More intensity is never lighter anywhere.
 */
export function contactShadow(
  alpha: Uint8Array,
  width: number,
  height: number,
  shape: ShadowShape,
): ContactShadow | undefined {
  const box = matteBox(alpha, width, height)
  if (!box) return undefined
  const factor = Math.max(1, Math.round(Math.max(box.width, box.height) / WORKING_ITEM))
  const item = reducedAlpha(alpha, width, height, factor)
  const longer = Math.max(box.width, box.height) / factor
  const foot = footprint(item, longer, shape)
  const blur = 0.028 * longer * shape.softness
  const contact = wideBlur(foot, Math.max(0.7, blur))
  const around = wideBlur(
    shifted(item, (0.012 + shape.distance) * longer),
    Math.max(1, 0.034 * longer * shape.softness),
  )
  const opacity = plane(item.width, item.height)
  // Light that is taken away twice is not taken away wholly: darkness nears its bound and never passes it.
  const dark = 0.9 * (1 - Math.exp(-0.95 * shape.intensity))
  const faint = 0.5 * (1 - Math.exp(-0.3 * shape.intensity))
  const { top, height: tall } = scaled(box, factor)
  for (let y = 0; y < item.height; y++) {
    const low = Math.min(1, Math.max(0, (y - top) / tall))
    const strength = faint * (0.3 + 0.7 * low * low)
    for (let x = 0; x < item.width; x++) {
      const at = y * item.width + x
      opacity.data[at] = 1 - (1 - dark * Math.min(1, contact.data[at]!)) * (1 - strength * around.data[at]!)
    }
  }
  return { opacity, factor }
}

function scaled(box: Box, factor: number): { readonly top: number; readonly height: number } {
  return { top: box.top / factor, height: Math.max(1, box.height / factor) }
}

function reducedAlpha(alpha: Uint8Array, width: number, height: number, factor: number): Plane {
  const out = plane(Math.ceil(width / factor), Math.ceil(height / factor))
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / factor) * out.width
    for (let x = 0; x < width; x++) out.data[row + Math.floor(x / factor)]! += alpha[y * width + x]!
  }
  for (let y = 0; y < out.height; y++) {
    const rows = Math.min(factor, height - y * factor)
    for (let x = 0; x < out.width; x++) {
      out.data[y * out.width + x]! /= 255 * rows * Math.min(factor, width - x * factor)
    }
  }
  return out
}

/**
 * Where the pieces of the item touch the ground: under each column of a piece a short upright bar at its lowest pixel,
 * longest where the piece is lowest. Together the bars make a lens under a ring and a band under a chain.
 */
function footprint(item: Plane, longer: number, shape: ShadowShape): Plane {
  const { width, height, data } = item
  const solid = Uint8Array.from(data, (value) => (value >= 0.5 ? 1 : 0))
  const { labels, list } = connectedRegions(solid, width, height, true)
  const out = plane(width, height)
  const down = shape.distance * longer
  for (const piece of list) {
    if (piece.area < longer * longer * 0.002) continue
    const reach = Math.max(0.045 * longer, 0.11 * (piece.bottom - piece.top)) * Math.sqrt(shape.size)
    const middle = (piece.left + piece.right) / 2
    const spread = 0.85 + 0.15 * shape.size
    for (let x = 0; x < width; x++) {
      const under = Math.round(middle + (x - middle) / spread)
      const lowest = lowestOf(labels, piece.label, under, piece, width)
      if (lowest === undefined) continue
      const raised = (piece.bottom - lowest) / reach
      const half = 0.034 * longer * shape.size ** 0.75 * Math.exp(-raised * raised)
      bar(out, x, lowest + down - 0.1 * half, half)
    }
  }
  return out
}

function lowestOf(
  labels: Int32Array,
  label: number,
  x: number,
  piece: { readonly top: number; readonly bottom: number },
  width: number,
): number | undefined {
  if (x < 0 || x >= width) return undefined
  for (let y = piece.bottom; y >= piece.top; y--) if (labels[y * width + x] === label) return y
  return undefined
}

/** An upright bar one pixel wide, its ends as parts of a pixel. */
function bar(out: Plane, x: number, middle: number, half: number): void {
  const from = middle - half
  const to = middle + half
  for (let y = Math.max(0, Math.floor(from)); y <= Math.min(out.height - 1, Math.ceil(to)); y++) {
    const share = Math.min(1, Math.max(0, Math.min(to, y + 0.5) - Math.max(from, y - 0.5)))
    const at = y * out.width + x
    out.data[at] = Math.max(out.data[at]!, share)
  }
}

function shifted(source: Plane, down: number): Plane {
  const out = plane(source.width, source.height)
  const by = Math.floor(down)
  const part = down - by
  for (let y = 0; y < source.height; y++) {
    for (let x = 0; x < source.width; x++) {
      const upper = y - by >= 0 ? source.data[(y - by) * source.width + x]! : 0
      const above = y - by - 1 >= 0 ? source.data[(y - by - 1) * source.width + x]! : 0
      out.data[y * source.width + x] = upper * (1 - part) + above * part
    }
  }
  return out
}
