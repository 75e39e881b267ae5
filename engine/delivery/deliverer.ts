import { join, relative as relativePath, sep } from 'node:path'
import type { Deliverer, DeliveryResult, OfferedOutput } from '../queue/parts.ts'
import type { Batch, Image, Output } from '../store/rows.ts'
import type { ImageFacts, ImageMetadata, OutputMetadata } from '../metadata/output-metadata.ts'
import type { Store } from '../store/store.ts'
import { metadataParts } from '../../shared/metadata.ts'
import { DeliveryError } from './delivery-error.ts'
import type { Delivery, FetchedPart, SettledName } from './delivery.ts'
import { manifestOf } from './manifest-lines.ts'
import type { ManifestWriter } from './manifest.ts'
import { parseNameTemplate, pathRoom, renderName } from './names.ts'
import { foldName, nameOfImage } from './safe-name.ts'
import { extensions } from './sniff.ts'
import { say } from '../../shared/language/say.ts'

export interface DelivererParts {
  readonly store: Store
  readonly delivery: Delivery
  readonly manifests: ManifestWriter
  /** How far the download of an image's file is, at every chunk. */
  readonly onBytes?: ((imageId: number, done: number, total: number | null) => void) | undefined
  /** Writes metadata where a batch wants it; where it is left out, none is. */
  readonly metadata?: OutputMetadata | undefined
  /** A manifest could not be written; the pictures are not affected. */
  readonly onManifestTrouble: (message: string) => void
}

/** What is whole on the disk under a temporary name. */
type Whole = Pick<FetchedPart, 'part' | 'bytes' | 'sha256' | 'extension'>

/** More names than this in a row taken by others between two looks is no coincidence. */
const mostNameTries = 20

/** Delivery with a memory: every step that a crash could cut off is in the store before it is done. */
export class StoredDeliverer implements Deliverer {
  readonly #parts: DelivererParts
  readonly #naming = new Turns()
  constructor(parts: DelivererParts) {
    this.#parts = parts
  }

  async deliver(
    batch: Batch,
    image: Image,
    outputs: readonly OfferedOutput[],
    signal: AbortSignal,
  ): Promise<DeliveryResult> {
    const metadata = this.#parts.metadata?.begin(batch, image, this.#factsOf(batch, image))
    try {
      for (const position of outputs.keys())
        await this.#deliverOutput({ batch, image, outputs, metadata }, position, signal)
      await this.#placeSidecars(batch, image)
      return { kind: 'delivered' }
    } catch (error) {
      if (error instanceof DeliveryError) return resultOf(error)
      throw error
    } finally {
      await metadata?.end()
    }
  }

  async obstacle(batch: Batch, image: Image): Promise<string | undefined> {
    const { store, delivery } = this.#parts
    // A name with the run's id in it is not known before there is a run, and never taken.
    if (batch.onConflict !== 'skip' || batch.nameTemplate.includes('{run}')) return undefined
    const { bg_mode } = store.images.recipeById(image.recipeId).settings
    for (const extension of bg_mode === 'transparent' ? ['png'] : extensions) {
      const relative = outputName(store, batch, image, 'primary', extension)
      // What pictures of this batch took gets numbered, as ever.
      const owner = store.outputs.owner(folded(batch, relative))
      if (owner?.batchSeq !== batch.seq && (await delivery.exists(batch.outDir, relative))) return relative
    }
    return undefined
  }

  async recover(batch: Batch, image: Image): Promise<boolean> {
    let placed = 0
    for (const output of this.#parts.store.outputs.ofImage(image.id)) {
      const state = await this.#settleRecorded(batch, output).catch((error: unknown) => {
        if (error instanceof DeliveryError) return 'gone' as const
        throw error
      })
      if (state === 'placed') placed += 1
    }
    const isWhole = image.outputCount !== null && placed === image.outputCount
    if (isWhole) await this.#placeSidecars(batch, image)
    return isWhole
  }

  async tidy(batch: Batch, images: readonly Image[]) {
    const { store, delivery } = this.#parts
    const folders = new Set([
      '',
      ...images.map((image) => folderOf(outputName(store, batch, image, 'primary', 'jpg'))),
    ])
    const known = new Set(store.outputs.parts(batch.seq))
    for (const folder of folders)
      await delivery.removeStaleParts(join(batch.outDir, ...folder.split('/')), known)
  }

  changed(batch: Batch) {
    this.#parts.manifests.changed(manifestOf(this.#parts.store, batch))
  }

  async flush() {
    await this.#parts.manifests.flush().catch((error: unknown) => {
      this.#parts.onManifestTrouble((error as Error).message)
    })
  }

  async #deliverOutput(job: Job, position: number, signal: AbortSignal) {
    const { store, delivery } = this.#parts
    const { batch, image, outputs } = job
    const offered = outputs[position]!
    const recorded = store.outputs.ofImage(image.id).find((output) => output.slug === offered.slug)
    if (recorded) {
      const state = await this.#settleRecorded(batch, recorded)
      if (state === 'placed') return
      if (state === 'whole') {
        await this.#place(job, position, {
          ...recorded,
          part: recorded.part!,
          extension: extensionOf(recorded.path),
        })
        return
      }
      store.outputs.forget(image.id, offered.slug)
    }
    const folder = folderOf(outputName(store, batch, image, offered.slug, 'jpg'))
    const fetched = await delivery.fetchToPart({
      url: offered.url,
      outDir: batch.outDir,
      folder,
      isVideo: offered.isVideo,
      signal,
      onBytes: (done, total) => this.#parts.onBytes?.(image.id, done, total),
    })
    // Before the hash is recorded, so that what is recorded is what is placed.
    const whole = await job.metadata?.carry(fetched, { output: offered.label, folder, signal })
    await this.#place(job, position, whole ?? fetched)
  }

  /** Idempotent: a crash between a picture and its sidecar is made good by the next delivery or recovery. */
  async #placeSidecars(batch: Batch, image: Image) {
    const { store, metadata } = this.#parts
    if (!metadata || metadataParts(batch.metadata).run !== 'beside') return
    const facts = this.#factsOf(batch, image)
    for (const { label, path, state } of store.outputs.ofImage(image.id)) {
      if (state !== 'placed') continue
      await metadata.placeSidecar(batch, image, { ...facts, output: label, relative: inside(batch, path) })
    }
  }

  #factsOf(batch: Batch, image: Image): ImageFacts {
    const { appId, settings, parameters } = this.#parts.store.images.recipeById(image.recipeId)
    return {
      runId: image.runId ?? '',
      appId,
      preset: (image.preset ?? batch.preset) || null,
      settings: { ...parameters, ...settings },
      accepted: image.since,
    }
  }

  /** What a crash, or an earlier try, left of an output that was recorded. */
  async #settleRecorded(batch: Batch, output: Output): Promise<'placed' | 'whole' | 'gone'> {
    const state = await this.#parts.delivery.recoverPlacement({
      outDir: batch.outDir,
      part: output.part,
      relative: inside(batch, output.path),
      bytes: output.bytes,
      sha256: output.sha256,
      replace: output.state === 'named' && batch.onConflict === 'overwrite',
    })
    if (state === 'fetch-again' || (state === 'name-taken' && output.part === null)) return 'gone'
    if (state === 'name-taken') return 'whole'
    this.#parts.store.outputs.placed(output.imageId, output.slug)
    return 'placed'
  }

  /** Gives a whole file its name. Name and hash are in the store before the file has the name. */
  async #place(job: Job, position: number, whole: Whole) {
    const { store, delivery } = this.#parts
    const { batch, image } = job
    const { slug } = job.outputs[position]!
    const { part, bytes, sha256 } = whole
    for (let tries = 0; tries < mostNameTries; tries += 1) {
      const settled = await this.#naming.take(() => this.#claimName(job, position, whole))
      if (settled.kind === 'already' || settled.kind === 'skip') {
        await delivery.discardPart(part)
        if (settled.kind === 'already') store.outputs.placed(image.id, slug)
        return
      }
      const { relative, replace } = settled
      const placed = await delivery.placePart({
        outDir: batch.outDir,
        part,
        relative,
        bytes,
        sha256,
        replace,
      })
      if (placed === 'placed') {
        store.outputs.placed(image.id, slug)
        return
      }
    }
    throw new DeliveryError('disk', say`No free name was found for ${part}; other programs write there too.`)
  }

  /** Finds a name and records it; one at a time, or two outputs could settle on the same. */
  async #claimName(job: Job, position: number, whole: Whole): Promise<SettledName> {
    const { store, delivery } = this.#parts
    const { batch, image } = job
    const { slug, label } = job.outputs[position]!
    const { part, bytes, sha256 } = whole
    const name = await delivery.settleName({
      outDir: batch.outDir,
      relative: outputName(store, batch, image, slug, whole.extension),
      onConflict: batch.onConflict,
      bytes,
      sha256,
      claimed: (relative) => this.#isClaimed(batch, image, relative),
    })
    if (name.kind !== 'skip') {
      const output = { imageId: image.id, slug, position, label, path: name.path, part, bytes, sha256 }
      store.outputs.name(output, folded(batch, name.relative))
    }
    return name
  }

  /** A name that another image of this batch has; those are never replaced, whatever the person chose. */
  #isClaimed(batch: Batch, image: Image, relative: string): boolean {
    const owner = this.#parts.store.outputs.owner(folded(batch, relative))
    return owner !== undefined && owner.imageId !== image.id && owner.batchSeq === batch.seq
  }
}

interface Job {
  readonly batch: Batch
  readonly image: Image
  readonly outputs: readonly OfferedOutput[]
  readonly metadata: ImageMetadata | undefined
}

/** The name of an output by the batch's template, below the output folder, with forward slashes. */
function outputName(store: Store, batch: Batch, image: Image, slug: string, extension: string): string {
  const parsed = parseNameTemplate(batch.nameTemplate)
  if (!parsed.ok) throw new DeliveryError('outside', parsed.problem)
  const recipe = store.images.recipeById(image.recipeId)
  const counts = store.batches.counts(batch.seq)
  // What is made of one picture has one name and one number; the preset tells its outputs apart.
  const number = (image.picture ?? image.position) + 1
  return renderName(
    parsed.template,
    {
      folder: image.folder,
      name: nameOfImage(image),
      suffix: slug === 'primary' ? '' : `-${slug}`,
      ext: extension,
      n: number,
      of: Object.values(counts).reduce((sum, n) => sum + n, 0),
      batch: batch.id,
      preset: image.preset ?? batch.preset ?? '',
      app: recipe.appId,
      run: image.runId ?? '',
      date: dayOf(batch.created),
    },
    pathRoom(batch.outDir),
  )
}

/** YYYY-MM-DD where the photographer is. */
function dayOf(time: number): string {
  const date = new Date(time)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function folded(batch: Batch, relative: string): string {
  return `${batch.outDir}\n${foldName(relative)}`
}

function folderOf(relative: string): string {
  return relative.split('/').slice(0, -1).join('/')
}

function inside(batch: Batch, path: string): string {
  return relativePath(batch.outDir, path).split(sep).join('/')
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

function resultOf(error: DeliveryError): DeliveryResult {
  const { message } = error
  switch (error.kind) {
    case 'link-expired':
      return { kind: 'link-expired' }
    case 'not-an-image':
    case 'link-refused':
    case 'in-the-way':
      return { kind: 'rejected', message }
    case 'busy':
    case 'network':
    case 'truncated':
    case 'aborted':
      return { kind: 'retry', message, afterMs: error.retryAfterMs }
    case 'disk-full':
    case 'read-only':
    case 'folder-missing':
    case 'outside':
    case 'disk':
      return { kind: 'unwritable', message }
  }
}

/** Lets one piece of work in at a time, in order. */
class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work)
    this.#last = turn.catch(() => {})
    return turn
  }
}
