import { existsSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import type { MetadataChoice } from '../../shared/metadata.ts'
import { extraCredits, type CreditRange } from '../../shared/prices.ts'
import type { Clock } from '../clock.ts'
import { deliveryKey, type NewImage } from '../store/images.ts'
import type { Batch, OnConflict, Recipe } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** A picture to be retouched, as intake found it. */
export interface Picture {
  /** Address, sent byte for byte. */
  readonly source: string
  /** Folder below the output folder, with forward slashes; empty for none. */
  readonly folder: string
  readonly name: string | null
}

export interface BatchRequest {
  readonly connectionId: number
  readonly pictures: readonly Picture[]
  readonly recipe: Recipe
  /** Absolute. */
  readonly outDir: string
  readonly preset: string | null
  readonly nameTemplate: string
  readonly onConflict: OnConflict
  readonly webhookUrl: string
  /** What is written into the files; nothing where it is left out. */
  readonly metadata?: MetadataChoice | undefined
  readonly budget: number | null
  readonly inFlight: number | null
  /** Do not skip what was already delivered with these settings into this folder. */
  readonly again: boolean
  /** A name of its own; else it is known by its folder. */
  readonly name?: string | null
  /** False to add it without sending anything yet; true where it is left out. */
  readonly start?: boolean
  /** Submit this many and hold the rest; null to submit all. */
  readonly test: number | null
}

/** A batch as it would be added: nothing is stored or sent yet. */
export interface Plan {
  readonly request: BatchRequest
  readonly images: readonly NewImage[]
  readonly skipped: number
  readonly toSubmit: number
  readonly held: number
  /** Credits that a run costs; undefined while the app's base price was never seen. */
  readonly pricePerImage: CreditRange | undefined
  /** What the settings add to the base price. */
  readonly extras: CreditRange
}

/** Works out which images would be submitted, held and skipped, and what a run costs. */
export function planBatch(store: Store, request: BatchRequest): Plan {
  const images: NewImage[] = []
  let toSubmit = 0
  let held = 0
  const delivered = request.again ? nothing : store.images.deliveredInto(request.outDir)
  for (const picture of request.pictures) {
    const earlier = delivered.size === 0 ? undefined : before(store, request, picture.source, delivered)
    const tested = request.test !== null && toSubmit >= request.test
    const state = earlier ? 'skipped' : tested ? 'held' : 'waiting'
    if (state === 'waiting') toSubmit += 1
    else if (state === 'held') held += 1
    images.push({ ...picture, state, earlierImageId: earlier ?? null })
  }
  const base = store.connections.basePrice(request.connectionId, request.recipe.appId)
  const extras = extraCredits(request.recipe.settings)
  return {
    request,
    images,
    skipped: images.length - toSubmit - held,
    toSubmit,
    held,
    pricePerImage: base && { min: base.last + extras.min, max: base.highest + extras.max },
    extras,
  }
}

const nothing: ReadonlyMap<string, number> = new Map()

/** An image that was delivered with these settings into this folder and whose files are all still there. */
function before(
  store: Store,
  request: BatchRequest,
  source: string,
  delivered: ReadonlyMap<string, number>,
): number | undefined {
  const id = delivered.get(deliveryKey(source, request.recipe, request.outDir))
  if (id === undefined) return undefined
  const outputs = store.outputs.ofImage(id)
  return outputs.length > 0 && outputs.every((output) => existsSync(output.path)) ? id : undefined
}

/** Adds a planned batch to the queue, in one transaction. */
export function addBatch(store: Store, plan: Plan, clock: Clock): Batch {
  const { request } = plan
  return store.transaction(() => {
    const batch = store.batches.add({
      id: newBatchId(store),
      connectionId: request.connectionId,
      created: clock.now(),
      outDir: request.outDir,
      preset: request.preset,
      nameTemplate: request.nameTemplate,
      onConflict: request.onConflict,
      webhookUrl: request.webhookUrl,
      metadata: request.metadata ?? 'none',
      budget: request.budget,
      inFlight: request.inFlight,
      name: request.name ?? null,
    })
    if (request.start === false) store.batches.setState(batch.seq, 'paused')
    store.images.add(batch.seq, 0, request.recipe, request.outDir, plan.images)
    return store.batches.bySeq(batch.seq)
  })
}

/** Adds a planned batch's images to one that is there, whose folder, names and budget then hold. */
export function addToBatch(store: Store, plan: Plan, batch: Batch): Batch {
  const { request } = plan
  return store.transaction(() => {
    const counts = store.batches.counts(batch.seq)
    const first = Object.values(counts).reduce((sum, n) => sum + n, 0)
    store.images.add(batch.seq, first, request.recipe, batch.outDir, plan.images, request.preset ?? '')
    const { state } = store.batches.bySeq(batch.seq)
    if (request.start === false) {
      // What is added to a batch that has ended must not start it by itself.
      if (state !== 'running') store.batches.setState(batch.seq, 'paused')
    } else store.batches.setState(batch.seq, 'running')
    return store.batches.bySeq(batch.seq)
  })
}

/** Short, easy to type, without letters that look alike. */
function newBatchId(store: Store): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  for (;;) {
    const id = [...randomBytes(5)].map((byte) => letters[byte % letters.length]).join('')
    if (!store.batches.byId(id)) return id
  }
}
