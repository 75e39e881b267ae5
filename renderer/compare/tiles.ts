import { tileSide } from '../../shared/contract/compare-records.ts'
import type { Rect, Size } from './view.ts'

/** Which tiles are seen, and where they lie. Pure. */

export interface Levels extends Size {
  /** Levels of tiles; 0 where the first level is the whole picture. */
  readonly levels: number
  readonly quick: Size
}

export interface Tile {
  readonly level: number
  readonly x: number
  readonly y: number
}

/**
 * The level whose pixels are at least as fine as the screen's, and not finer than need be; null where the level that
 * is drawn first is fine enough.
 * @param scale device pixels for a pixel of the picture.
 */
export function levelFor(picture: Levels, scale: number): number | null {
  if (picture.levels === 0 || picture.quick.width >= picture.width * scale * 0.999) return null
  const level = Math.floor(Math.log2(1 / Math.min(1, scale)) + 0.001)
  return Math.min(picture.levels - 1, Math.max(0, level))
}

/** Tiles of a level that a part of the pane sees, those nearest its middle first. `at`: where the picture lies. */
export function tilesIn(picture: Size, level: number, at: Rect, seen: Rect): Tile[] {
  const side = tileSide * 2 ** level
  const scale = { x: at.width / picture.width, y: at.height / picture.height }
  const left = Math.max(0, (seen.x - at.x) / scale.x)
  const top = Math.max(0, (seen.y - at.y) / scale.y)
  const right = Math.min(picture.width, (seen.x + seen.width - at.x) / scale.x)
  const bottom = Math.min(picture.height, (seen.y + seen.height - at.y) / scale.y)
  const tiles: (Tile & { far: number })[] = []
  if (!(right > left && bottom > top)) return tiles
  const middle = { x: (left + right) / 2, y: (top + bottom) / 2 }
  for (let y = Math.floor(top / side); y * side < bottom; y += 1) {
    for (let x = Math.floor(left / side); x * side < right; x += 1) {
      tiles.push({ level, x, y, far: Math.hypot((x + 0.5) * side - middle.x, (y + 0.5) * side - middle.y) })
    }
  }
  return tiles.sort((a, b) => a.far - b.far).map(({ level, x, y }) => ({ level, x, y }))
}

/** A part of a bitmap, and where it is drawn: edges on whole device pixels, so that neighbours meet without a seam. */
export interface Placing {
  readonly from: Rect
  readonly to: Rect
}

export function placeTile(picture: Size, tile: Tile, at: Rect): Placing {
  const factor = 2 ** tile.level
  const left = tile.x * tileSide * factor
  const top = tile.y * tileSide * factor
  const right = Math.min(picture.width, left + tileSide * factor)
  const bottom = Math.min(picture.height, top + tileSide * factor)
  return {
    from: { x: 0, y: 0, width: (right - left) / factor, height: (bottom - top) / factor },
    to: snapped(picture, { x: left, y: top, width: right - left, height: bottom - top }, at),
  }
}

/** A part of a picture (in its pixels) on the pane, its edges on whole device pixels. */
export function snapped(picture: Size, part: Rect, at: Rect): Rect {
  const scale = { x: at.width / picture.width, y: at.height / picture.height }
  const x = Math.round(at.x + part.x * scale.x)
  const y = Math.round(at.y + part.y * scale.y)
  return {
    x,
    y,
    width: Math.round(at.x + (part.x + part.width) * scale.x) - x,
    height: Math.round(at.y + (part.y + part.height) * scale.y) - y,
  }
}

/** The part that two rectangles share; null where there is none. */
export function shared(a: Rect, b: Rect): Rect | null {
  const x = Math.max(a.x, b.x)
  const y = Math.max(a.y, b.y)
  const width = Math.min(a.x + a.width, b.x + b.width) - x
  const height = Math.min(a.y + a.height, b.y + b.height) - y
  return width > 0 && height > 0 ? { x, y, width, height } : null
}
