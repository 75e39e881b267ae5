/** What the page asks of its picture worker. `halves`: with smaller copies, each half the one before. */
export type WorkerQuestion =
  | { readonly kind: 'load'; readonly id: number; readonly url: string; readonly halves: boolean }
  | {
      readonly kind: 'difference'
      readonly id: number
      readonly a: string
      readonly b: string
      readonly gain: number
      readonly halves: boolean
    }
  | { readonly kind: 'stop'; readonly id: number }

/** Null where it could not be had. */
export interface WorkerAnswer {
  readonly id: number
  readonly bitmaps: ImageBitmap[] | null
}
