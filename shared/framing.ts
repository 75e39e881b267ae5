/**
 * Where the crop of a framed picture lies (interface document 4.7, framing; what it leaves open is decided in the
 * design, section 5). Pure geometry in whole pixels: the preview, the practice service and the tests use this one.
 */

/** A box of whole pixels: `left`/`top` are its first column and row; it ends before `left + width`, `top + height`. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** Padding of each side, in percent (0–100) of the item's longer side. */
export interface Pads {
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly left: number
}

/** Alpha from which a pixel counts as item: at least 50 % of 255. */
const ITEM_ALPHA = 128

/**
 * The smallest box around all pixels of an 8-bit matte whose alpha is at least 50 %; undefined where there is none.
 *
 * @throws RangeError when the matte has fewer than `width × height` values.
 */
export function matteBox(alpha: ArrayLike<number>, width: number, height: number): Box | undefined {
  if (alpha.length < width * height) throw new RangeError('The matte is smaller than the picture it is for.')
  let left = width
  let right = -1
  let top = -1
  let bottom = -1
  for (let y = 0; y < height; y++) {
    const row = y * width
    let first = 0
    while (first < width && alpha[row + first]! < ITEM_ALPHA) first++
    if (first === width) continue
    let last = width - 1
    while (alpha[row + last]! < ITEM_ALPHA) last--
    if (top < 0) top = y
    bottom = y
    if (first < left) left = first
    if (last > right) right = last
  }
  return top < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 }
}

/**
 * The frame around an item: its box grown on each side by its pad (percent of the box's longer side), then enlarged
 * about its centre on one axis to the source's width to height. The item is never scaled. The frame may lie partly
 * or wholly outside the source.
 *
 * Rounding, so that every program that draws a frame agrees to the pixel: the axis that is not enlarged is rounded to
 * the nearest whole pixel (halves up); the other is the nearest whole number to that length times the ratio; both are
 * placed about the centre of the grown box, again to the nearest pixel, and moved or widened by the least amount where
 * rounding would cut into the item's box. Moving the box by whole pixels moves the frame by the same.
 *
 * @throws RangeError for an empty box or source, or a pad that is negative or not finite.
 */
export function frameAround(box: Box, pads: Pads, source: Size): Box {
  if (!(box.width > 0 && box.height > 0)) throw new RangeError('An empty box cannot be framed.')
  if (!(source.width > 0 && source.height > 0)) throw new RangeError('A source without pixels has no ratio.')
  for (const pad of [pads.top, pads.right, pads.bottom, pads.left]) {
    if (!(pad >= 0 && Number.isFinite(pad))) throw new RangeError('A pad is a number of percent from 0 up.')
  }
  const longer = Math.max(box.width, box.height)
  const x = grown(box.width, (longer * pads.left) / 100, (longer * pads.right) / 100)
  const y = grown(box.height, (longer * pads.top) / 100, (longer * pads.bottom) / 100)
  let width: number
  let height: number
  if (x.length * source.height < y.length * source.width) {
    height = Math.max(Math.round(y.length), box.height)
    width = Math.max(Math.round((height * source.width) / source.height), box.width)
  } else {
    width = Math.max(Math.round(x.length), box.width)
    height = Math.max(Math.round((width * source.height) / source.width), box.height)
  }
  return {
    left: box.left + placed(x.centre, width, box.width),
    top: box.top + placed(y.centre, height, box.height),
    width,
    height,
  }
}

/** One axis of the grown box, measured from the start of the item's box. */
function grown(length: number, before: number, after: number): { length: number; centre: number } {
  return { length: before + length + after, centre: (length + after - before) / 2 }
}

/** Start of a frame of whole `length` about `centre`, never cutting into the item from 0 to `item`. */
function placed(centre: number, length: number, item: number): number {
  const start = Math.round(centre - length / 2)
  // Adding 0 turns -0 into 0, so that frames compare equal.
  return Math.max(Math.min(start, 0), item - length) + 0
}
