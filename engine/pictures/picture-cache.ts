import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes that levels, tiles and fetched originals may take on the disk, where nothing else is set. */
const defaultCacheBound = 2 * 1024 ** 3

/** An entry's time on the disk is set at most once in this many ms. */
const touchEvery = 60_000

interface Entry {
  bytes: number
  /** When it was last used, in ms. */
  used: number
  touched: number
  /** Uses that are going on: it stays while there are any. */
  holds: number
}

const gone = '.gone-'
const keyPattern = /^[0-9a-f]{32}$/

/**
 * Folders of one picture each, kept within a bound on the disk: the one that was not used for longest goes first.
 * Everything in it can be made again.
 */
export class PictureCache {
  readonly #root: string
  readonly #bound: number
  readonly #now: () => number
  readonly #entries = new Map<string, Entry>()

  private constructor(root: string, bound: number, now: () => number) {
    this.#root = root
    this.#bound = bound
    this.#now = now
  }

  /** Opens the cache and clears away what a crash left behind. @param bound in bytes. */
  static async open(root: string, bound = defaultCacheBound, now = Date.now): Promise<PictureCache> {
    const cache = new PictureCache(root, bound, now)
    await mkdir(root, { recursive: true })
    for (const name of await readdir(root)) {
      if (!keyPattern.test(name)) {
        if (name.startsWith(gone)) await rm(join(root, name), { recursive: true, force: true })
        continue
      }
      const folder = join(root, name)
      const facts = await stat(folder).catch(() => undefined)
      if (!facts) continue
      const used = facts.mtimeMs
      cache.#entries.set(name, { bytes: await bytesBelow(folder), used, touched: used, holds: 0 })
    }
    await cache.#trim()
    return cache
  }

  /** Bytes that are taken. */
  get bytes(): number {
    let sum = 0
    for (const entry of this.#entries.values()) sum += entry.bytes
    return sum
  }

  /**
   * Lets `use` work in the folder of a key; while it does, the folder stays.
   * @param key 32 hexadecimal digits.
   */
  async use<T>(key: string, use: (folder: string) => Promise<T>): Promise<T> {
    if (!keyPattern.test(key)) throw new Error(`Not a key of the picture cache: ${key}`)
    const folder = join(this.#root, key)
    const now = this.#now()
    const entry = this.#entries.get(key) ?? { bytes: 0, used: now, touched: 0, holds: 0 }
    this.#entries.set(key, entry)
    entry.used = now
    entry.holds += 1
    try {
      await mkdir(folder, { recursive: true })
      if (now - entry.touched > touchEvery) {
        entry.touched = now
        await utimes(folder, now / 1000, now / 1000).catch(() => {})
      }
      return await use(folder)
    } finally {
      entry.holds -= 1
    }
  }

  /** Counts an entry again after something was put into it, and lets others go where the bound is passed. */
  async settle(key: string): Promise<void> {
    const entry = this.#entries.get(key)
    if (entry) entry.bytes = await bytesBelow(join(this.#root, key))
    await this.#trim(key)
  }

  /** Empties the cache. */
  async clear(): Promise<void> {
    for (const [key, entry] of this.#entries) if (entry.holds === 0) await this.#remove(key)
  }

  async #trim(fresh?: string): Promise<void> {
    const oldest = [...this.#entries].sort(([, a], [, b]) => a.used - b.used)
    for (const [key, entry] of oldest) {
      if (this.bytes <= this.#bound) return
      if (key !== fresh && entry.holds === 0) await this.#remove(key)
    }
  }

  async #remove(key: string): Promise<void> {
    this.#entries.delete(key)
    // First out of the way as a whole, so that no half of it is ever found under its key.
    const away = join(this.#root, `${gone}${randomUUID()}`)
    await rename(join(this.#root, key), away).catch(() => {})
    await rm(away, { recursive: true, force: true })
  }
}

async function bytesBelow(folder: string): Promise<number> {
  let sum = 0
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (entry.isFile())
      sum += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0
  }
  return sum
}
