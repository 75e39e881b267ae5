import { createHash, randomUUID } from 'node:crypto'
import { access, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { thumbnailSizes, type ThumbnailSize } from '../../shared/contract/pictures.ts'
import type { PictureCache } from './picture-cache.ts'
import { NewestFirst } from './fetch-picture.ts'
import { PictureTrouble, troubleOf } from './picture-trouble.ts'
import type { PictureWorkers } from './picture-workers.ts'
import { say } from '../../shared/language/say.ts'

/** What a thumbnail is made of: a file that is here, or one that has to be fetched first. */
export type ThumbnailSource =
  /** `identity` changes with the file's content. */
  | { readonly kind: 'file'; readonly path: string; readonly identity: string }
  | {
      readonly kind: 'fetch'
      readonly identity: string
      /** Writes the picture to the path. @throws PictureTrouble */
      readonly fetch: (path: string, signal: AbortSignal) => Promise<void>
    }

export type Thumbnail =
  | { readonly kind: 'made'; readonly path: string }
  /** It cannot be had for now; the sentence says why. */
  | { readonly kind: 'trouble'; readonly sentence: string }

/** Raised when small pictures would be made otherwise by this version of the program. */
const edition = 2
/** Fetches at a time. */
const mostFetches = 4
/** What failed is not tried again before this, in ms: a row that is scrolled by must not hammer a dead host. */
const troubleMs = 60_000
const mostTroubles = 5000

/**
 * Small pictures, made when they are asked for and kept within the bound of their cache. Who asks and goes away again
 * before its turn costs nothing.
 */
export class Thumbnails {
  readonly #cache: PictureCache
  readonly #workers: PictureWorkers
  readonly #now: () => number
  readonly #fetches = new NewestFirst(mostFetches)
  readonly #making = new Map<string, Promise<void>>()
  readonly #troubles = new Map<string, { readonly sentence: string; readonly at: number }>()

  constructor(parts: { cache: PictureCache; workers: PictureWorkers; now: () => number }) {
    this.#cache = parts.cache
    this.#workers = parts.workers
    this.#now = parts.now
  }

  async get(source: ThumbnailSource, size: ThumbnailSize, signal: AbortSignal): Promise<Thumbnail> {
    const key = createHash('sha256')
      .update(`${edition}\0${source.kind}\0${source.identity}`)
      .digest('hex')
      .slice(0, 32)
    const trouble = this.#troubles.get(key)
    if (trouble && this.#now() - trouble.at < troubleMs)
      return { kind: 'trouble', sentence: trouble.sentence }
    return await this.#cache.use(key, async (folder) => {
      const path = join(folder, `${size}.webp`)
      try {
        if (!(await isThere(path))) await this.#once(key, () => this.#make(source, key, folder, signal))
        this.#troubles.delete(key)
        return { kind: 'made', path }
      } catch (error) {
        if (signal.aborted) return { kind: 'trouble', sentence: say`It is not wanted any more.` }
        const { message: sentence } = troubleOf(error)
        this.#troubles.set(key, { sentence, at: this.#now() })
        const [oldest] = this.#troubles.keys()
        if (this.#troubles.size > mostTroubles && oldest !== undefined) this.#troubles.delete(oldest)
        return { kind: 'trouble', sentence }
      }
    })
  }

  async clear(): Promise<void> {
    this.#troubles.clear()
    await this.#cache.clear()
  }

  async #make(source: ThumbnailSource, key: string, folder: string, signal: AbortSignal) {
    // Somebody else may have made them while this one waited.
    const all = thumbnailSizes.map((size) => isThere(join(folder, `${size}.webp`)))
    if ((await Promise.all(all)).every(Boolean)) return
    if (source.kind === 'file') {
      await this.#shrink(source.path, key, folder)
      return
    }
    await this.#fetches.take(async () => {
      if (signal.aborted) throw new PictureTrouble(say`It is not wanted any more.`)
      const original = join(folder, `original-${randomUUID()}`)
      try {
        await source.fetch(original, signal)
        await this.#shrink(original, key, folder)
      } finally {
        await rm(original, { force: true })
      }
    })
  }

  async #shrink(file: string, key: string, folder: string) {
    // A picture that somebody looks at in full goes before the small ones of a list.
    await this.#workers.work({ kind: 'thumbs', file, folder, sizes: thumbnailSizes }, { ahead: true })
    await this.#cache.settle(key)
  }

  /** Two askers wait for one making; where the first goes away, the second makes it himself. */
  async #once(key: string, make: () => Promise<void>): Promise<void> {
    const going = this.#making.get(key)
    if (going) {
      await going.catch(() => {})
      if (this.#making.has(key)) return await this.#once(key, make)
    }
    const made = make().finally(() => this.#making.delete(key))
    this.#making.set(key, made)
    await made
  }
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}
