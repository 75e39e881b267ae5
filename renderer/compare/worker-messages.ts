import type { PictureInfo } from '../../shared/contract/compare-records.ts'

/** The colours that pictures are drawn in. */
export type Space = 'srgb' | 'display-p3'
/** What an address's pixels are in. */
export type Gamut = PictureInfo['gamut']

/**
 * What the page asks of its picture worker: bitmaps in the colours of the canvas. `halves`: with smaller copies, each
 * half the one before.
 */
export type WorkerQuestion =
  | {
      readonly kind: 'load'
      readonly id: number
      readonly url: string
      readonly gamut: Gamut
      readonly space: Space
      readonly halves: boolean
    }
  | {
      readonly kind: 'difference'
      readonly id: number
      readonly a: string
      readonly b: string
      readonly gain: number
      /** Of both. */
      readonly gamut: Gamut
      readonly space: Space
      readonly halves: boolean
    }
  | { readonly kind: 'stop'; readonly id: number }

/** Null where it could not be had. */
export interface WorkerAnswer {
  readonly id: number
  readonly bitmaps: ImageBitmap[] | null
}
