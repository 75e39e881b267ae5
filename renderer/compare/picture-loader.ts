import { BitmapCache } from './bitmap-cache.ts'
import type { Gamut, Space, WorkerAnswer, WorkerQuestion } from './worker-messages.ts'

/** A bitmap that is to be there, by its key. */
export interface Wanted {
  readonly key: string
  /** Addresses: of the picture, or of the two whose difference it is. */
  readonly urls: readonly [string] | readonly [string, string]
  readonly gain?: number
  /** What the addresses' pixels are in; of two, that in which they are subtracted. */
  readonly gamut: Gamut
  /** What the bitmap is to be in. */
  readonly space: Space
  readonly halves: boolean
}

type Ask = { readonly kind: 'load' | 'difference' } & Record<string, unknown>

/** Questions to the worker at a time: a browser opens six connections to one server. */
const most = 6
/** Milliseconds after which what could not be had is asked for again. */
const patience = 2000

/** Bitmaps by key: has the missing ones fetched, nearest first, and gives up what nobody wants any more. */
export class PictureLoader {
  readonly cache: BitmapCache<ImageBitmap>
  readonly #worker: Worker
  readonly #onLoad: () => void
  readonly #asked = new Map<string, number>()
  readonly #keys = new Map<number, string>()
  readonly #failed = new Map<string, number>()
  #wanted: readonly Wanted[] = []
  #ahead: readonly Wanted[] = []
  /** What was fetched ahead once is not fetched again: where the bound let it go, it would go again. */
  readonly #hadAhead = new Set<string>()
  #questions = 0

  /** @param onLoad hears when something new can be drawn. */
  constructor(onLoad: () => void, cache = new BitmapCache<ImageBitmap>()) {
    this.cache = cache
    this.#onLoad = onLoad
    this.#worker = new Worker(new URL('./picture-worker.ts', import.meta.url), { type: 'module' })
    this.#worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => this.#hear(data))
  }

  /** Bitmap and halves; undefined where they are not here. */
  get(key: string): readonly ImageBitmap[] | undefined {
    return this.cache.get(key)
  }

  /** True while something of what is wanted now is missing and may still come. */
  get isBusy(): boolean {
    return this.#wanted.some(({ key }) => !this.cache.has(key) && !this.#failed.has(key))
  }

  /** What the screen needs now, most needed first; replaces what it needed before. */
  want(wanted: readonly Wanted[]): void {
    this.#wanted = wanted
    const keys = new Set(wanted.map(({ key }) => key))
    this.cache.keep(keys)
    for (const { key } of this.#ahead) keys.add(key)
    for (const [key, id] of this.#asked) {
      if (keys.has(key)) continue
      this.#send({ kind: 'stop', id })
      this.#asked.delete(key)
      this.#keys.delete(id)
    }
    this.#next()
  }

  /** What will be needed soon: fetched when nothing else is to be. */
  wantAhead(wanted: readonly Wanted[]): void {
    if (wanted.map(({ key }) => key).join() === this.#ahead.map(({ key }) => key).join()) return
    this.#ahead = wanted
    this.#hadAhead.clear()
    this.#next()
  }

  close(): void {
    this.#worker.terminate()
    this.cache.clear()
  }

  #next(): void {
    const now = performance.now()
    const ahead = this.#ahead.filter(({ key }) => !this.#hadAhead.has(key))
    for (const one of [...this.#wanted, ...ahead]) {
      if (this.#asked.size >= most) return
      if (this.cache.has(one.key) || this.#asked.has(one.key)) continue
      if (now - (this.#failed.get(one.key) ?? -Infinity) < patience) continue
      const id = (this.#questions += 1)
      this.#asked.set(one.key, id)
      this.#keys.set(id, one.key)
      this.#send({ ...asked(one), id } as WorkerQuestion)
    }
  }

  #hear({ id, bitmaps }: WorkerAnswer): void {
    const key = this.#keys.get(id)
    this.#keys.delete(id)
    if (key === undefined) {
      // It was stopped too late.
      for (const bitmap of bitmaps ?? []) bitmap.close()
      return
    }
    this.#asked.delete(key)
    if (bitmaps) {
      this.#failed.delete(key)
      this.#hadAhead.add(key)
      this.cache.put(key, bitmaps)
      this.#onLoad()
    } else if (this.#wanted.some((one) => one.key === key)) {
      this.#failed.set(key, performance.now())
      setTimeout(() => this.#onLoad(), patience + 50)
    }
    this.#next()
  }

  #send(question: WorkerQuestion): void {
    this.#worker.postMessage(question)
  }
}

function asked({ urls, gain, ...how }: Wanted): Ask {
  const [a, b] = urls
  const { gamut, space, halves } = how
  return b === undefined
    ? { kind: 'load', url: absolute(a), gamut, space, halves }
    : { kind: 'difference', a: absolute(a), b: absolute(b), gain: gain ?? 1, gamut, space, halves }
}

/** A worker's own address is another one than the page's. */
function absolute(path: string): string {
  return new URL(path, document.baseURI).href
}
