import type { PictureInfo, Subject } from '../../shared/contract/compare-records.ts'
import { quickPath, tilePath } from '../../shared/contract/pictures.ts'
import type { Wanted } from './picture-loader.ts'
import type { Levels, Tile } from './tiles.ts'
import type { Gamut, Space } from './worker-messages.ts'

/** Something that can be drawn at any scale: a picture, or the difference of two. */
export interface Drawable {
  readonly key: string
  readonly size: Levels
  readonly alpha: boolean
  readonly gamut: Gamut
  /** The level that is drawn first. */
  readonly quick: Wanted
  readonly tile: (tile: Tile) => Wanted
}

/** A picture whose first level the engine has made. */
export function pictureDrawable(of: Subject, which: string, info: PictureInfo, space: Space): Drawable {
  const key = `${JSON.stringify(of)} ${which} ${info.stamp} ${space}`
  const { gamut } = info
  return {
    key,
    size: { width: info.width, height: info.height, levels: info.levels, quick: info.quick },
    alpha: info.alpha,
    gamut,
    quick: { key: `${key} quick`, urls: [quickPath(of, which, info.stamp)], gamut, space, halves: true },
    tile: ({ level, x, y }) => ({
      key: `${key} ${level} ${x} ${y}`,
      urls: [tilePath(of, which, info.stamp, level, x, y)],
      gamut,
      space,
      halves: false,
    }),
  }
}

/** |a − b| × gain of two pictures of one size. */
export function differenceDrawable(a: Drawable, b: Drawable, gain: number): Drawable {
  const key = `${a.key} - ${b.key} × ${gain}`
  // As it is measured: one alone has nothing beyond sRGB to be compared with.
  const gamut = a.gamut === 'p3' && b.gamut === 'p3' ? 'p3' : 'srgb'
  const both = (name: string, one: Wanted, other: Wanted): Wanted => ({
    key: `${key} ${name}`,
    urls: [one.urls[0], other.urls[0]],
    gain,
    gamut,
    space: one.space,
    halves: one.halves,
  })
  return {
    key,
    size: a.size,
    alpha: false,
    gamut,
    quick: both('quick', a.quick, b.quick),
    tile: (tile) => both(`${tile.level} ${tile.x} ${tile.y}`, a.tile(tile), b.tile(tile)),
  }
}
