import { matteBox, type Box, type Size } from '../../shared/framing.ts'
import { estimateMatte } from '../../shared/matte/estimate-matte.ts'
import type { PixelImage } from '../../shared/matte/pixels.ts'

/** What differs between pictures, and where the item in them is. Pure. */

export interface ItemMatte {
  /** Opacity of the item, 0–255, `width × height`. */
  readonly alpha: Uint8Array
  readonly width: number
  readonly height: number
  readonly box: Box
}

/** Opacity (of 255) from which a pixel of the matte counts as item; its soft edge belongs to it. */
const edge = 13

/**
 * The item of a picture: its own opacity where it has a transparent background, else the estimated matte. Undefined
 * where that is in doubt: a wrong figure is worse than none.
 */
export function itemBoxOf(image: PixelImage & { readonly channels: 4 }): ItemMatte | undefined {
  const { data, width, height } = image
  const opacity = new Uint8Array(width * height)
  let clear = 0
  for (let i = 0; i < opacity.length; i += 1) {
    opacity[i] = data[4 * i + 3]!
    if (opacity[i]! < edge) clear += 1
  }
  const matte =
    clear > 0.02 * opacity.length
      ? { alpha: opacity, box: matteBox(opacity, width, height), doubts: [] }
      : estimateMatte(image)
  return matte.box && matte.doubts.length === 0
    ? { alpha: matte.alpha, width, height, box: matte.box }
    : undefined
}

export interface Difference {
  readonly changed: number
  /** Largest difference of a channel, 0–255. */
  readonly largest: number
  /** Changed pixels beside the item. */
  readonly outside: number
}

/** A band of rows of a picture. */
export interface Band extends Size {
  readonly top: number
  readonly of: Size
}

/**
 * Compares two bands of RGBA pixels. Colours count as far as they can be seen: weighted with the opacity, so that two
 * wholly transparent pixels are equal whatever colour lies under them.
 */
export function differenceOf(
  a: Uint8Array,
  b: Uint8Array,
  band: Band,
  matte: ItemMatte | undefined,
): Difference {
  let changed = 0
  let largest = 0
  let outside = 0
  for (let y = 0; y < band.height; y += 1) {
    for (let x = 0; x < band.width; x += 1) {
      const at = 4 * (y * band.width + x)
      const most = apart(a, b, at)
      if (most === 0) continue
      changed += 1
      if (most > largest) largest = most
      if (matte && !belongs(matte, x, y + band.top, band.of)) outside += 1
    }
  }
  return { changed, largest, outside }
}

function apart(a: Uint8Array, b: Uint8Array, at: number): number {
  const [alphaA, alphaB] = [a[at + 3]!, b[at + 3]!]
  let most = Math.abs(alphaA - alphaB)
  for (let i = at; i < at + 3; i += 1) {
    const difference =
      alphaA === 255 && alphaB === 255
        ? Math.abs(a[i]! - b[i]!)
        : Math.round(Math.abs(a[i]! * alphaA - b[i]! * alphaB) / 255)
    if (difference > most) most = difference
  }
  return most
}

/** Whether a pixel, or its neighbour in the smaller matte, is item: the matte is coarser than the picture. */
function belongs({ alpha, width, height }: ItemMatte, x: number, y: number, of: Size): boolean {
  const column = Math.min(width - 1, Math.floor(((x + 0.5) * width) / of.width))
  const row = Math.min(height - 1, Math.floor(((y + 0.5) * height) / of.height))
  for (let v = Math.max(0, row - 1); v <= Math.min(height - 1, row + 1); v += 1) {
    for (let u = Math.max(0, column - 1); u <= Math.min(width - 1, column + 1); u += 1) {
      if (alpha[v * width + u]! >= edge) return true
    }
  }
  return false
}
