import { createHash, randomUUID } from 'node:crypto'
import { rename, rm, stat } from 'node:fs/promises'
import { relative as relativePath, join, sep } from 'node:path'
import type { Subject } from '../../shared/contract/compare-records.ts'
import { namedOutput } from '../../shared/contract/pictures.ts'
import { plainText } from '../../shared/plain-text.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import type { Clock } from '../clock.ts'
import { DeliveryError } from '../delivery/delivery-error.ts'
import { fetchInto } from '../delivery/fetch-part.ts'
import type { Files } from '../delivery/files.ts'
import { fileIn } from '../delivery/output-folder.ts'
import { contentOfSource } from '../own-files/own-source.ts'
import type { PictureCache } from '../pictures/picture-cache.ts'
import { pictureLimits } from '../pictures/picture-orders.ts'
import { PictureTrouble } from '../pictures/picture-trouble.ts'
import type { Original, Originals } from '../pictures/picture-views.ts'
import { outputsOf } from '../queue/offered-outputs.ts'
import type { OfferedOutput } from '../queue/parts.ts'
import type { ServiceClient } from '../service/service-client.ts'
import type { Downloads } from '../service/undici-downloads.ts'
import type { Image, Output } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { valueOf } from './service-words.ts'
import { say } from '../../shared/language/say.ts'

export interface OriginalParts {
  readonly store: Store
  readonly files: Files
  readonly clock: Clock
  readonly cache: PictureCache
  /** The client of the active connection. @throws Fault */
  readonly client: () => ServiceClient
  /** Fetches links as a connection with this base address may: no key, checked places (docs/reliability.md, T16). */
  readonly openDownloads: (baseUrl: string) => Downloads
}

/** A source or a file of the history may be as large as a picture that is shown, and takes no longer than this. */
const fetchMs = 180_000

/** Finds the files behind pictures: outputs where they were placed, sources and the history's files in the cache. */
export class CompareOriginals implements Originals {
  readonly #parts: OriginalParts
  readonly #downloads = new Map<string, Downloads>()
  readonly #fetching = new Map<string, Promise<Original>>()

  constructor(parts: OriginalParts) {
    this.#parts = parts
  }

  async find(of: Subject, which: string): Promise<Original> {
    try {
      if ('run' in of) return await this.#ofRun(of.run, which)
      const named = of.presets ? namedOutput(which) : undefined
      return await (named ? this.#ofSibling(of.image, named) : this.#ofImage(of.image, which))
    } catch (error) {
      if (error instanceof Fault || error instanceof DeliveryError) throw new PictureTrouble(error.message)
      throw error
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#downloads.values()].map((downloads) => downloads.close()))
  }

  /** Only of the same picture: no other image is named in its company. */
  #ofSibling(id: number, named: { readonly image: number; readonly slug: string }): Promise<Original> {
    const { store } = this.#parts
    const image = store.images.byId(id)
    if (!image || store.lists.variantsOf(image).every((one) => one.id !== named.image)) {
      throw new Fault('gone', say`This image is not there any more.`)
    }
    return this.#ofImage(named.image, named.slug)
  }

  async #ofImage(id: number, which: string): Promise<Original> {
    const image = this.#parts.store.images.byId(id)
    if (!image) throw new Fault('gone', say`This image is not there any more.`)
    const { connectionId } = this.#parts.store.batches.bySeq(image.batchSeq)
    if (which === 'source' && contentOfSource(image.source) !== undefined) return this.#own(image.source)
    if (which === 'source')
      return this.#fetched(this.#baseUrl(connectionId), image.source, `source ${image.source}`)
    const output = placedOutputs(this.#parts.store, image).find(({ slug }) => slug === which)
    if (!output) throw new Fault('gone', say`This image has no such output.`)
    return this.#placed(output)
  }

  async #ofRun(runId: string, which: string): Promise<Original> {
    const { store } = this.#parts
    const image = store.images.byRun(runId)
    // What was delivered to a folder need not be fetched once more, while it is there.
    if (image) {
      const there = await this.#ofImage(image.id, which).catch(() => undefined)
      if (there || which === 'source') return there ?? (await this.#ofImage(image.id, which))
    }
    const client = this.#parts.client()
    const key = `run ${client.baseUrl} ${runId} ${which}`
    return this.#fetched(client.baseUrl, async () => (await offered(client, runId, which)).url, key)
  }

  /** A picture of this computer, where it lies. */
  async #own(source: string): Promise<Original> {
    const picture = this.#parts.store.ownFiles.picture(contentOfSource(source)!)
    const facts = picture && (await stat(picture.path).catch(() => undefined))
    if (!picture || !facts?.isFile() || facts.size !== picture.bytes) {
      throw new Fault('gone', say`The picture is not where it was on this computer any more.`)
    }
    return { file: picture.path, key: keyOf(`source ${source}`) }
  }

  #baseUrl(connectionId: number): string {
    return this.#parts.store.connections.byId(connectionId).baseUrl
  }

  /** The recorded path is judged again: the record may have been changed (docs/reliability.md, T24). */
  async #placed(output: Output): Promise<Original> {
    const { store, files } = this.#parts
    const { outDir } = store.batches.bySeq(store.images.byId(output.imageId)!.batchSeq)
    const inside = relativePath(outDir, output.path).split(sep).join('/')
    const file = await fileIn(files, outDir, inside, false)
    const facts = await stat(file).catch(() => undefined)
    if (!facts?.isFile()) throw new Fault('gone', say`The file is not in the output folder any more.`)
    return { file, key: keyOf(`${file} ${facts.size} ${facts.mtimeMs}`) }
  }

  /** A file from elsewhere, kept in the cache; two askers wait for one download. */
  async #fetched(baseUrl: string, link: string | (() => Promise<string>), name: string): Promise<Original> {
    const key = keyOf(name)
    const going = this.#fetching.get(key)
    if (going) return going
    const fetching = this.#fetch(baseUrl, link, key).finally(() => this.#fetching.delete(key))
    this.#fetching.set(key, fetching)
    return fetching
  }

  async #fetch(baseUrl: string, link: string | (() => Promise<string>), key: string): Promise<Original> {
    const { cache, files, clock } = this.#parts
    return cache.use(key, async (folder) => {
      const file = join(folder, 'original')
      if (await stat(file).catch(() => undefined)) return { file, key }
      const url = typeof link === 'string' ? link : await link()
      const draft = `${file}-${randomUUID()}`
      const handle = await files.create(draft)
      try {
        const downloads = this.#downloadsOf(baseUrl)
        const bounds = { mostBytes: pictureLimits.bytes, wholeMs: fetchMs, resumes: 2 }
        await fetchInto({ downloads, clock, bounds }, handle, url)
        await handle.close()
        await rename(draft, file)
      } catch (error) {
        await handle.close().catch(() => {})
        await rm(draft, { force: true })
        throw error
      }
      await cache.settle(key)
      return { file, key }
    })
  }

  #downloadsOf(baseUrl: string): Downloads {
    const known = this.#downloads.get(baseUrl)
    if (known) return known
    const made = this.#parts.openDownloads(baseUrl)
    this.#downloads.set(baseUrl, made)
    return made
  }
}

/** The files of an image that are in their folder; of a skipped one those that were delivered before. */
export function placedOutputs(store: Store, image: Image): Output[] {
  if (image.state !== 'delivered' && image.state !== 'skipped') return []
  const from = image.state === 'skipped' ? image.earlierImageId : image.id
  return from === null ? [] : store.outputs.ofImage(from).filter(({ state }) => state === 'placed')
}

async function offered(client: ServiceClient, runId: string, which: string): Promise<OfferedOutput> {
  const run = valueOf(await client.run(runId))
  if (run.status === 'FAILED') {
    throw new Fault('refused', say`This run failed: ${plainText(run.error ?? say`no reason was given`, 300)}`)
  }
  const found = outputsOf(run).find(({ slug }) => slug === which)
  if (found) return found
  throw new Fault(
    'refused',
    run.status === 'SUCCESS' ? say`This run has no such output.` : say`This run is not finished yet.`,
  )
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
