import { rm, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Storage } from '../../shared/own-files.ts'
import type { Clock } from '../clock.ts'
import { displayText } from '../intake/display-text.ts'
import { fileTrouble } from '../intake/file-trouble.ts'
import { PictureTrouble } from '../pictures/picture-trouble.ts'
import type { PictureWorkers } from '../pictures/picture-workers.ts'
import type { PublisherPart, PublisherHost } from '../queue/parts.ts'
import type { Upload } from '../store/own-files.ts'
import type { Store } from '../store/store.ts'
import { contentOf } from './content-of.ts'
import { convertedFiles, convertPicture, removeConverted } from './convert-picture.ts'
import { openStorage, StorageTrouble, type ObjectStorage } from './object-storage.ts'
import { contentOfSource, ownSource } from './own-source.ts'
import { isConvertible, mediaTypeOf } from './picture-formats.ts'
import type { StorageKeyRing } from './storage-keys.ts'
import { uploadPicture, type UploadParts } from './upload-picture.ts'
import { say } from '../../shared/language/say.ts'

export interface PublisherParts {
  /** Data folder, absolute. */
  readonly home: string
  /** A word of this data folder: what is not kept lies under it, so that no other program takes it away. */
  readonly mark: string
  readonly store: Store
  readonly clock: Clock
  readonly keys: StorageKeyRing
  /** Read anew each time, so that a change holds at once. */
  readonly storage: () => Storage | null
  readonly workers: () => PictureWorkers
  /** What is being uploaded changed, or why it waits. */
  readonly onChange?: () => void
  readonly sizes?: UploadParts['sizes']
}

/** How long a link is good, in seconds from the moment of submission. */
const linkSeconds = 24 * 3600
/** Pictures uploaded at a time, and looked ahead for. */
const atATime = 3
const ahead = 24
const lookEveryMs = 250
const tidyEveryMs = 2000
/** After trouble with the storage it is tried again. */
const troubleMs = { first: 1000, longest: 60_000 }
const tidyMs = 10_000
/** Characters of a content. */
const contentLength = 64

interface Opened {
  readonly setUp: string
  readonly storage: Storage
  readonly target: string
  readonly objects: ObjectStorage
}

/**
 * Publishes pictures of this computer in a storage: those that are sent next, ahead of their turn; a link is signed when
 * a picture's turn has come, and the object is removed when no run needs it any more. All that must survive is in the
 * store; what is ready is found out anew at each start, by asking the storage.
 */
export class StoragePublisher implements PublisherPart {
  readonly #parts: PublisherParts
  /** Name of the object by source. */
  readonly #ready = new Map<string, string>()
  readonly #active = new Map<string, Promise<unknown>>()
  readonly #progress = new Map<string, { done: number; total: number }>()
  #opened: Opened | undefined
  #trouble: StorageTrouble | undefined
  #told = ''
  #misses = 0
  #retryAt = 0
  #tidyAt = 0
  /** A fault of our own, or of the queue's store. */
  #fault: unknown

  constructor(parts: PublisherParts) {
    this.#parts = parts
  }

  get trouble(): string | undefined {
    return this.#trouble?.kind === 'set-up' ? this.#trouble.message : undefined
  }

  /** Why pictures wait just now, be it that a person has to act or that the storage is out of reach. */
  get waitsFor(): string | undefined {
    return this.#trouble?.message
  }

  /** Bytes that are on their way, of how many. */
  get progress(): { readonly done: number; readonly total: number } {
    const all = [...this.#progress.values()]
    return {
      done: all.reduce((sum, { done }) => sum + done, 0),
      total: all.reduce((sum, { total }) => sum + total, 0),
    }
  }

  isReady(source: string): boolean {
    return this.#ready.has(source)
  }

  async link(source: string): Promise<string | undefined> {
    try {
      // Where another storage was set up meanwhile, nothing is ready any more.
      const { objects } = await this.#open()
      const key = this.#ready.get(source)
      return key === undefined ? undefined : await objects.link(key, linkSeconds)
    } catch {
      this.#ready.delete(source)
      return undefined
    }
  }

  async run(host: PublisherHost, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    await this.#sweep()
    while (!signal.aborted) {
      if (clock.monotonic() >= this.#retryAt) {
        this.#begin(host, signal)
        if (clock.monotonic() >= this.#tidyAt) {
          this.#tidyAt = clock.monotonic() + tidyEveryMs
          await this.#tidy(signal).catch((error: unknown) => this.#heed(host, error))
        }
      }
      await clock.sleep(lookEveryMs, signal)
      if (this.#fault !== undefined) throw this.#fault
    }
    await Promise.allSettled(this.#active.values())
    this.#opened?.objects.close()
    this.#opened = undefined
    this.#ready.clear()
  }

  /** Converted pictures whose upload was given up meanwhile. */
  async #sweep() {
    const { home, store } = this.#parts
    for (const name of await convertedFiles(home)) {
      if (!store.ownFiles.isNeeded(ownSource(name.slice(0, contentLength)))) await removeConverted(home, name)
    }
  }

  /** What is left at the end; where the storage does not answer, the next start sees to it. */
  async finish(): Promise<void> {
    await this.#tidy(AbortSignal.timeout(tidyMs)).catch(() => undefined)
    this.#opened?.objects.close()
    this.#opened = undefined
  }

  #begin(host: PublisherHost, signal: AbortSignal) {
    const { store } = this.#parts
    for (const source of store.ownFiles.wanted(host.batches(), ahead)) {
      if (this.#active.size >= atATime) return
      if (this.#ready.has(source) || this.#active.has(source)) continue
      const work = this.#attempt(host, source, signal)
        .finally(() => {
          this.#active.delete(source)
          this.#progress.delete(source)
          this.#parts.onChange?.()
          host.onReady()
        })
        .catch((error: unknown) => (this.#fault ??= error))
      this.#active.set(source, work)
    }
  }

  async #attempt(host: PublisherHost, source: string, signal: AbortSignal) {
    try {
      await this.#publish(source, signal)
      this.#misses = 0
      this.#trouble = undefined
      this.#told = ''
    } catch (error) {
      this.#failed(host, source, error, signal)
    }
  }

  async #publish(source: string, signal: AbortSignal) {
    const { store, home, workers, sizes } = this.#parts
    const content = contentOfSource(source)!
    const picture = store.ownFiles.picture(content)
    if (!picture)
      throw new Error(say`It is not known any more where this picture lies; add its folder again.`)
    const opened = await this.#open()
    const { objects, target, storage } = opened
    const key = this.#keyOf(opened, content, picture.path)
    const known = store.ownFiles.upload(target, key)
    // An object appears whole or not at all, and its name is its content.
    const size = await sizeOf(objects, key, signal)
    if (size !== undefined && (!known || known.bytes === size)) {
      const { keep } = storage
      const none = { uploadId: null, partBytes: 0, parts: [] }
      store.ownFiles.setUpload({ target, key, content, bytes: size, state: 'there', ...none }, keep)
      this.#ready.set(source, key)
      return
    }
    if ((await contentOf(picture.path, signal)) !== content) {
      throw new Error(say`${displayText(picture.path, 300)} has changed since it was added; add it again.`)
    }
    const { conversion } = storage
    const converted =
      conversion && isConvertible(picture.path)
        ? await convertPicture(
            { workers: workers(), home, signal },
            { content, path: picture.path },
            conversion,
          )
        : undefined
    const parcel = {
      target,
      key,
      content,
      file: converted?.file ?? picture.path,
      type: converted?.type ?? mediaTypeOf(picture.path) ?? 'application/octet-stream',
      keep: storage.keep,
    }
    await uploadPicture(parcel, {
      storage: objects,
      table: store.ownFiles,
      signal,
      ...(sizes ? { sizes } : {}),
      onProgress: (done, total) => {
        this.#progress.set(source, { done, total })
        this.#parts.onChange?.()
      },
    })
    if (!converted && (await stat(picture.path)).size !== picture.bytes) {
      throw new Error(say`${displayText(picture.path, 300)} has changed while it was uploaded; add it again.`)
    }
    if (converted) await rm(converted.file, { force: true })
    this.#ready.set(source, key)
  }

  /** By content: the same picture is uploaded once, whatever its name. */
  #keyOf({ storage }: Opened, content: string, path: string): string {
    const { prefix, conversion, keep } = storage
    const place = keep ? prefix : `${prefix}${this.#parts.mark}/`
    if (!conversion || !isConvertible(path))
      return `${place}${content}${extname(basename(path)).toLowerCase()}`
    const size = conversion.longestSide === null ? '' : `-${conversion.longestSide}`
    return `${place}${content}${size}.${conversion.format === 'jpeg' ? 'jpg' : 'png'}`
  }

  async #open(): Promise<Opened> {
    const { storage: read, keys } = this.#parts
    const storage = read()
    if (!storage) throw new StorageTrouble('set-up', notSetUp)
    const found = await keys.read()
    if (typeof found === 'string') throw new StorageTrouble('set-up', found)
    const setUp = JSON.stringify([storage, found])
    if (this.#opened?.setUp === setUp) return this.#opened
    this.#opened?.objects.close()
    this.#ready.clear()
    const objects = await openStorage(storage, found)
    this.#opened = { setUp, storage, target: targetOf(storage), objects }
    return this.#opened
  }

  /** A storage that does not do its part is waited for; a picture that cannot be had fails by itself. */
  #failed(host: PublisherHost, source: string, error: unknown, signal: AbortSignal) {
    if (signal.aborted) return
    if (error instanceof StorageTrouble) {
      this.#heed(host, error)
      return
    }
    const path = this.#parts.store.ownFiles.picture(contentOfSource(source)!)?.path ?? say`The picture`
    host.failed(source, sentenceOf(path, error))
  }

  #heed(host: PublisherHost, error: unknown) {
    if (!(error instanceof StorageTrouble)) throw error
    const { clock } = this.#parts
    this.#trouble = error
    if (error.kind === 'set-up') this.#parts.keys.readAnew()
    this.#parts.onChange?.()
    // What was under way beside it fails for the same reason.
    if (clock.monotonic() < this.#retryAt) return
    this.#misses += 1
    this.#retryAt =
      clock.monotonic() + Math.min(troubleMs.longest, troubleMs.first * 2 ** Math.min(10, this.#misses - 1))
    if (this.#told === error.message || (error.kind === 'passing' && this.#misses < 3)) return
    this.#told = error.message
    host.tell(say`${error.message} Pictures of this computer wait.`)
  }

  /** Removes what no run needs any more. */
  async #tidy(signal: AbortSignal) {
    const { store, storage } = this.#parts
    const setUp = storage()
    const passing = setUp ? store.ownFiles.passing(targetOf(setUp)) : []
    for (const upload of passing) {
      const source = ownSource(upload.content)
      if (signal.aborted || this.#active.has(source) || store.ownFiles.isNeeded(source)) continue
      this.#ready.delete(source)
      await this.#remove(upload, signal)
    }
  }

  async #remove(upload: Upload, signal: AbortSignal) {
    const { objects } = await this.#open()
    if (upload.uploadId !== null && upload.state === 'sending') {
      await objects.abandon({ key: upload.key, uploadId: upload.uploadId })
    }
    await objects.remove(upload.key, signal)
    this.#parts.store.ownFiles.forgetUpload(upload)
  }
}

/** Without the right to list a bucket some storages refuse to say that there is no such object: writing it will tell. */
async function sizeOf(objects: ObjectStorage, key: string, signal: AbortSignal): Promise<number | undefined> {
  try {
    return await objects.size(key, signal)
  } catch (error) {
    if (error instanceof StorageTrouble && error.kind === 'set-up') return undefined
    throw error
  }
}

const notSetUp = say`No storage is set up for pictures of this computer; set one up under Own files.`

/** Which storage, for the store: the same bucket at the same address. */
export function targetOf({ endpoint, bucket }: Storage): string {
  return `${endpoint}/${bucket}`
}

function sentenceOf(path: string, error: unknown): string {
  if (error instanceof PictureTrouble)
    return say`${displayText(path, 300)} cannot be converted: ${error.message}`
  if (typeof (error as NodeJS.ErrnoException).code === 'string')
    return fileTrouble(displayText(path, 300), error)
  return error instanceof Error ? error.message : say`${displayText(path, 300)} cannot be uploaded.`
}
