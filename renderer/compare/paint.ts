import type { Drawable } from './drawable.ts'
import type { PictureLoader, Wanted } from './picture-loader.ts'
import { levelFor, placeTile, shared, snapped, tilesIn, type Levels, type Tile } from './tiles.ts'
import { squareFrom, type Rect } from './view.ts'

/** What lies under transparent pictures: a colour, or the checkerboard. */
export type Ground = CanvasPattern | string

export interface Painting {
  readonly context: CanvasRenderingContext2D
  readonly loader: Pick<PictureLoader, 'get'>
  readonly ground: Ground
  /** Gathers what is needed for the whole of the picture, most needed first. */
  readonly wanted: Wanted[]
}

/**
 * Draws what is here of a picture, and says what is wanted. The first level fills the picture, tiles lie over it as
 * far as they are there, and coarser tiles stand in for finer ones.
 * @param at where the whole picture lies. @param seen the part of the canvas that may be drawn on.
 */
export function paintPicture(painting: Painting, drawable: Drawable, at: Rect, seen: Rect): void {
  const { context, loader, wanted } = painting
  const { size } = drawable
  const visible = shared(snapped(size, { x: 0, y: 0, ...size }, at), seen)
  wanted.push(drawable.quick)
  if (!visible) return
  context.save()
  context.beginPath()
  context.rect(visible.x, visible.y, visible.width, visible.height)
  context.clip()
  if (drawable.alpha) fill(painting, visible)
  const quick = loader.get(drawable.quick.key)
  if (quick) paintFirst(context, size, quick, at, visible)
  const level = levelFor(size, at.width / size.width)
  if (level !== null) {
    for (const tile of tilesIn(size, level, at, visible)) {
      const needed = drawable.tile(tile)
      wanted.push(needed)
      paintTile(painting, drawable, tile, at)
    }
  }
  context.restore()
}

/** The first level, or the one of its halves that is nearest to the size on the screen. */
function paintFirst(
  context: CanvasRenderingContext2D,
  size: Levels,
  bitmaps: readonly ImageBitmap[],
  at: Rect,
  visible: Rect,
) {
  const factor = bitmaps[0]!.width / Math.max(1, at.width)
  const index = Math.min(bitmaps.length - 1, Math.max(0, Math.floor(Math.log2(factor) + 0.001)))
  const bitmap = bitmaps[index]!
  const scale = { x: at.width / bitmap.width, y: at.height / bitmap.height }
  // Whole pixels of the bitmap alone: a part of one would be drawn as if it were whole.
  const left = Math.max(0, Math.floor((visible.x - at.x) / scale.x) - 1)
  const top = Math.max(0, Math.floor((visible.y - at.y) / scale.y) - 1)
  const right = Math.min(bitmap.width, Math.ceil((visible.x + visible.width - at.x) / scale.x) + 1)
  const bottom = Math.min(bitmap.height, Math.ceil((visible.y + visible.height - at.y) / scale.y) + 1)
  if (right <= left || bottom <= top) return
  const isWhole = index === 0 && bitmap.width === size.width
  smoothing(context, isWhole ? scale.x : Math.min(1.5, scale.x))
  const [width, height] = [right - left, bottom - top]
  context.drawImage(
    bitmap,
    left,
    top,
    width,
    height,
    at.x + left * scale.x,
    at.y + top * scale.y,
    width * scale.x,
    height * scale.y,
  )
}

function paintTile(painting: Painting, drawable: Drawable, tile: Tile, at: Rect) {
  const { context, loader } = painting
  const { size } = drawable
  const bitmap = loader.get(drawable.tile(tile).key)?.[0]
  const { from, to } = placeTile(size, tile, at)
  if (bitmap) {
    if (drawable.alpha) fill(painting, to)
    smoothing(context, (at.width / size.width) * 2 ** tile.level)
    context.drawImage(bitmap, from.x, from.y, from.width, from.height, to.x, to.y, to.width, to.height)
    return
  }
  for (let level = tile.level + 1; level < size.levels; level += 1) {
    const up = level - tile.level
    const parent = { level, x: tile.x >> up, y: tile.y >> up }
    const found = loader.get(drawable.tile(parent).key)?.[0]
    if (!found) continue
    const side = 512 / 2 ** up
    const x = (tile.x - (parent.x << up)) * side
    const y = (tile.y - (parent.y << up)) * side
    if (drawable.alpha) fill(painting, to)
    smoothing(context, 1.5)
    context.drawImage(
      found,
      x,
      y,
      from.width / 2 ** up,
      from.height / 2 ** up,
      to.x,
      to.y,
      to.width,
      to.height,
    )
    return
  }
}

/** @param scale device pixels for a pixel of the bitmap. */
function smoothing(context: CanvasRenderingContext2D, scale: number) {
  context.imageSmoothingEnabled = scale !== 1 && scale < squareFrom
  context.imageSmoothingQuality = 'low'
}

function fill({ context, ground }: Painting, { x, y, width, height }: Rect) {
  context.fillStyle = ground
  context.fillRect(x, y, width, height)
}
