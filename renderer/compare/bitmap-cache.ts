/** A bitmap, as far as the cache is concerned. */
export interface Closable {
  readonly width: number
  readonly height: number
  close(): void
}

/** Bytes of decoded pixels that the page keeps at most, beside those that are on the screen now. */
const bitmapBound = 256 * 1024 ** 2

/**
 * Decoded pictures within a bound: what was not drawn for longest is let go, and its memory with it. What a frame
 * draws is kept while it is drawn, even where the screen alone needs more than the bound.
 */
export class BitmapCache<B extends Closable> {
  readonly #bound: number
  readonly #entries = new Map<string, readonly B[]>()
  #bytes = 0
  #kept: ReadonlySet<string> = new Set()

  /** @param bound in bytes; a pixel counts four. */
  constructor(bound = bitmapBound) {
    this.#bound = bound
  }

  get bytes(): number {
    return this.#bytes
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /** The bitmaps of a key, now the freshest. */
  get(key: string): readonly B[] | undefined {
    const found = this.#entries.get(key)
    if (!found) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found
  }

  put(key: string, bitmaps: readonly B[]): void {
    this.#drop(key)
    this.#entries.set(key, bitmaps)
    this.#bytes += bytesOf(bitmaps)
    this.#trim()
  }

  /** What the screen shows now: never let go before something else is shown. */
  keep(keys: ReadonlySet<string>): void {
    this.#kept = keys
    this.#trim()
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.#drop(key)
  }

  #trim(): void {
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= this.#bound) return
      if (!this.#kept.has(key)) this.#drop(key)
    }
  }

  #drop(key: string): void {
    const bitmaps = this.#entries.get(key)
    if (!bitmaps) return
    this.#entries.delete(key)
    this.#bytes -= bytesOf(bitmaps)
    for (const bitmap of bitmaps) bitmap.close()
  }
}

function bytesOf(bitmaps: readonly Closable[]): number {
  return bitmaps.reduce((sum, { width, height }) => sum + 4 * width * height, 0)
}
