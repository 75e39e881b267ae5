import { createHash, randomUUID } from 'node:crypto'
import { access, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { previewLayers } from '../../shared/contract/pictures.ts'
import { previewItemSchema, type PreviewItem } from '../../shared/contract/preview-records.ts'
import type { PictureCache } from '../pictures/picture-cache.ts'
import type { CutOutFile } from '../pictures/picture-orders.ts'
import { troubleOf } from '../pictures/picture-trouble.ts'
import type { Original, Originals } from '../pictures/picture-views.ts'
import type { PictureWorkers } from '../pictures/picture-workers.ts'

/** A transparent output of a picture, whose alpha is the matte that the service made. */
export interface CutOut extends Omit<CutOutFile, 'file'> {
  readonly image: number
  readonly slug: string
}

export interface PreviewItemParts {
  readonly originals: Originals
  readonly cache: PictureCache
  readonly workers: PictureWorkers
  /** The cut-outs of an image's picture that were delivered, the newest first. */
  readonly cutOutsOf: (image: number) => readonly CutOut[]
}

/** Raised when what is kept would be made otherwise by this version of the program. */
const edition = 3
const mostKnown = 300

/** Finds the item of a picture once, and keeps it within the bound of the cache. Never rejects but for our own faults. */
export class PreviewItems {
  readonly #parts: PreviewItemParts
  /** Two askers wait for one making. */
  readonly #making = new Map<string, Promise<PreviewItem>>()
  /** Stamps that were given out, by image: an address with another one leads nowhere. */
  readonly #stamps = new Map<string, string>()

  constructor(parts: PreviewItemParts) {
    this.#parts = parts
  }

  async item(image: number): Promise<PreviewItem> {
    try {
      const source = await this.#parts.originals.find({ image }, 'source')
      const cutOuts = await this.#cutOuts(image)
      const told = cutOuts.map(({ key: one, isFramed, pads }) => JSON.stringify([one, isFramed, pads]))
      const key = keyOf(`${edition} ${source.key} ${told.join(' ')}`)
      const item = await this.#once(key, source, cutOuts)
      this.#remember(image, key)
      return item
    } catch (error) {
      return { kind: 'trouble', sentence: troubleOf(error).message }
    }
  }

  /** The file behind an address of a preview; undefined for any other, and for what is not there. */
  async file(path: string, stamp: string): Promise<string | undefined> {
    const [, image, name] = /^\/pictures\/(\d{1,15})\/source\/preview-([a-z-]{1,20})$/.exec(path) ?? []
    const layer = previewLayers.find((one) => one === name)
    if (image === undefined || !layer || this.#stamps.get(`${image} ${stamp}`) !== stamp) return undefined
    return this.#parts.cache.use(stamp, async (folder) => {
      const file = join(folder, `${layer}.png`)
      return (await exists(file)) ? file : undefined
    })
  }

  async #cutOuts(image: number): Promise<(CutOutFile & Original)[]> {
    const found: (CutOutFile & Original)[] = []
    for (const { image: of, slug, ...about } of this.#parts.cutOutsOf(image)) {
      // An output that was moved or deleted since is no reason to have no preview.
      const there = await this.#parts.originals.find({ image: of }, slug).catch(() => undefined)
      if (there) found.push({ ...there, ...about })
    }
    return found
  }

  #remember(image: number, stamp: string) {
    const name = `${image} ${stamp}`
    this.#stamps.delete(name)
    this.#stamps.set(name, stamp)
    const [oldest] = this.#stamps.keys()
    if (this.#stamps.size > mostKnown && oldest !== undefined) this.#stamps.delete(oldest)
  }

  async #once(key: string, source: Original, cutOuts: readonly CutOutFile[]): Promise<PreviewItem> {
    const going = this.#making.get(key)
    if (going) return going
    const made = this.#make(key, source, cutOuts).finally(() => this.#making.delete(key))
    this.#making.set(key, made)
    return made
  }

  async #make(key: string, source: Original, cutOuts: readonly CutOutFile[]): Promise<PreviewItem> {
    const { cache, workers } = this.#parts
    return cache.use(key, async (folder) => {
      const facts = join(folder, 'item.json')
      const kept = await readFile(facts, 'utf8').catch(() => undefined)
      const stored = kept === undefined ? undefined : previewItemSchema.safeParse(asJson(kept)).data
      if (stored && (await exists(join(folder, 'ground.png')))) return stored
      const found = await workers.work({ kind: 'preview', file: source.file, cutOuts, folder })
      const item = { kind: 'item' as const, ...found, stamp: key }
      const draft = `${facts}-${randomUUID()}`
      await writeFile(draft, JSON.stringify(item))
      await rename(draft, facts)
      await cache.settle(key)
      return item
    })
  }
}

function keyOf(text: string): string {
  return createHash('sha256').update(`preview ${text}`).digest('hex').slice(0, 32)
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
