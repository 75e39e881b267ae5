import type { ItemBox, Measure, PictureInfo } from '../../shared/contract/compare-records.ts'
import type { PreviewItem } from '../../shared/contract/preview-records.ts'
import type { Pads } from '../../shared/framing.ts'

/** What the process for picture work is asked, and what it answers: plain records that cross between processes. */

export type PictureOrder =
  /** Reads what a file is and writes its first level. `quick` is the path that the level is written to. */
  | { readonly kind: 'open'; readonly file: string; readonly quick: string }
  /** Writes the tiles into a folder that does not exist yet: `{folder}/{level}/{x}_{y}.png`, level 0 the largest. */
  | { readonly kind: 'tiles'; readonly file: string; readonly folder: string; readonly levels: number }
  | { readonly kind: 'measure'; readonly a: string; readonly b: string }
  /** Writes `{folder}/{size}.webp` for each size: the picture within a square of that side. */
  | {
      readonly kind: 'thumbs'
      readonly file: string
      readonly folder: string
      readonly sizes: readonly number[]
    }
  /** `file` may be a smaller level: the answer is in fractions. */
  | { readonly kind: 'item'; readonly file: string }
  /** Writes the picture upright, in 8-bit sRGB, to `to`; no side longer than `longestSide` pixels. */
  | {
      readonly kind: 'convert'
      readonly file: string
      readonly to: string
      readonly format: 'jpeg' | 'png'
      readonly longestSide: number | null
    }
  /** Writes what a live preview is drawn from; the first of the cut-outs that fits gives the matte. */
  | {
      readonly kind: 'preview'
      readonly file: string
      readonly cutOuts: readonly CutOutFile[]
      readonly folder: string
    }

/** A transparent output of the same picture. */
export interface CutOutFile {
  readonly file: string
  /** Null where the run left it to the account. */
  readonly isFramed: boolean | null
  /** Of its run, where it is framed. */
  readonly pads: Pads
}

export type Opened = Omit<PictureInfo, 'stamp'>

export type PreviewFacts = Omit<Extract<PreviewItem, { kind: 'item' }>, 'kind' | 'stamp'>

export interface PictureResults {
  readonly open: Opened
  readonly tiles: { readonly levels: number }
  readonly measure: Exclude<Measure, { kind: 'trouble' }>
  readonly thumbs: { readonly sizes: number }
  readonly item: { readonly box: ItemBox | null }
  readonly convert: { readonly bytes: number }
  readonly preview: PreviewFacts
}

/** `trouble` is a sentence for a person. */
export type PictureAnswer =
  | { readonly id: number; readonly done: PictureResults[keyof PictureResults] }
  | { readonly id: number; readonly trouble: string }

export interface PictureQuestion {
  readonly id: number
  readonly order: PictureOrder
}

/** Bounds of the work on one picture (docs/reliability.md, T17). */
export const pictureLimits = {
  pixels: 150_000_000,
  /** Bytes of a file. */
  bytes: 1024 ** 3,
  /** Memory of the process; it ends itself above. A picture of 150 megapixels that has to be turned needs most. */
  memory: 1536 * 1024 ** 2,
  /** Milliseconds for one order. */
  time: 60_000,
} as const
