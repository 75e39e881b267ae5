import { existsSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import type { MetadataChoice } from '../../shared/metadata.ts'
import { extraCredits, widestRange, type CreditRange } from '../../shared/prices.ts'
import type { Clock } from '../clock.ts'
import { deliveryKey, type NewImage } from '../store/images.ts'
import type { Batch, OnConflict, Recipe } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { presetsName, type Variant } from './variants.ts'

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
  /** Further presets: each picture is made with them too, once with each, as images of their own. */
  readonly others?: readonly Variant[] | undefined
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
  /** Submit this many pictures (with every preset) and hold the rest; null to submit all. */
  readonly test: number | null
}

/** A batch as it would be added: nothing is stored or sent yet. */
export interface Plan {
  readonly request: BatchRequest
  readonly images: readonly NewImage[]
  readonly skipped: number
  readonly toSubmit: number
  readonly held: number
  /** Credits that a run costs, with whichever preset; undefined while an app's base price was never seen. */
  readonly pricePerImage: CreditRange | undefined
  /** What the settings add to the base price. */
  readonly extras: CreditRange
  /** The same for each preset, in their order. */
  readonly variants: readonly VariantPlan[]
}

/** What one of several presets comes to. */
export interface VariantPlan extends Variant {
  readonly toSubmit: number
  readonly held: number
  readonly pricePerImage: CreditRange | undefined
  readonly extras: CreditRange
}

/** All presets of a request, the first one first. */
export function variantsOf({ preset, recipe, others = [] }: BatchRequest): readonly Variant[] {
  return [{ preset, recipe }, ...others]
}

/**
 * Works out which images would be submitted, held and skipped, and what a run costs. What is made of one picture
 * stands together, in the order of the presets.
 * @param taken fingerprints that another batch has: left out
 */
export function planBatch(store: Store, request: BatchRequest, taken?: ReadonlyMap<string, unknown>): Plan {
  const images: NewImage[] = []
  const variants = variantsOf(request)
  const sent = variants.map(() => ({ toSubmit: 0, held: 0 }))
  const delivered = request.again ? nothing : store.images.deliveredInto(request.outDir)
  let tested = 0
  for (const [picture, one] of request.pictures.entries()) {
    const isHeld = request.test !== null && tested >= request.test
    let isSent = false
    for (const [index, { preset, recipe }] of variants.entries()) {
      const isAsked = delivered.size > 0 || taken !== undefined
      const key = isAsked ? deliveryKey(one.source, recipe, request.outDir) : ''
      const earlier = before(store, key, delivered)
      if (earlier === undefined && taken?.has(key)) continue
      const state = earlier !== undefined ? 'skipped' : isHeld ? 'held' : 'waiting'
      if (state === 'waiting') sent[index]!.toSubmit += 1
      else if (state === 'held') sent[index]!.held += 1
      isSent ||= state === 'waiting'
      const variant = variants.length > 1 ? { variant: { preset, recipe, picture } } : {}
      images.push({ ...one, state, earlierImageId: earlier ?? null, ...variant })
    }
    if (isSent) tested += 1
  }
  return { request, images, ...costsOf(store, request, sent, images.length) }
}

function costsOf(
  store: Store,
  request: BatchRequest,
  sent: readonly { readonly toSubmit: number; readonly held: number }[],
  images: number,
) {
  const variants = variantsOf(request).map((variant, index): VariantPlan => {
    const base = store.connections.basePrice(request.connectionId, variant.recipe.appId)
    const extras = extraCredits(variant.recipe.settings)
    const pricePerImage = base && { min: base.last + extras.min, max: base.highest + extras.max }
    return { ...variant, ...sent[index]!, pricePerImage, extras }
  })
  const prices = variants.map(({ pricePerImage }) => pricePerImage)
  const toSubmit = variants.reduce((sum, one) => sum + one.toSubmit, 0)
  const held = variants.reduce((sum, one) => sum + one.held, 0)
  return {
    toSubmit,
    held,
    skipped: images - toSubmit - held,
    pricePerImage: prices.every((price) => price !== undefined) ? widestRange(prices) : undefined,
    extras: widestRange(variants.map(({ extras }) => extras)),
    variants,
  }
}

/** Credits for everything that is sent and held; undefined while a base price is not known. */
export function costOfPlan({ variants }: Pick<Plan, 'variants'>): CreditRange | undefined {
  let total: CreditRange | undefined = { min: 0, max: 0 }
  for (const { toSubmit, held, pricePerImage } of variants) {
    const runs = toSubmit + held
    if (runs === 0) continue
    if (!pricePerImage) return undefined
    total = { min: total.min + runs * pricePerImage.min, max: total.max + runs * pricePerImage.max }
  }
  return total
}

/** How many of the images that are sent `credits` surely pay for, in their order; undefined as above. */
export function coveredBy({ images, variants }: Plan, credits: number): number | undefined {
  const prices = new Map(variants.map(({ recipe, pricePerImage }) => [recipe, pricePerImage]))
  let left = credits
  let covered = 0
  for (const { state, variant } of images) {
    if (state !== 'waiting') continue
    const price = prices.get(variant?.recipe ?? variants[0]!.recipe)
    if (!price) return undefined
    left -= price.max
    if (left < 0) break
    covered += 1
  }
  return covered
}

const nothing: ReadonlyMap<string, number> = new Map()

/** An image that was delivered with these settings into this folder and whose files are all still there. */
function before(store: Store, key: string, delivered: ReadonlyMap<string, number>): number | undefined {
  const id = delivered.get(key)
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
      preset: presetsName(variantsOf(request)),
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
    const images = plan.images.map((image) => numberedFrom(image, first))
    store.images.add(batch.seq, first, request.recipe, batch.outDir, images, request.preset ?? '')
    const { state } = store.batches.bySeq(batch.seq)
    if (request.start === false) {
      // What is added to a batch that has ended must not start it by itself.
      if (state !== 'running') store.batches.setState(batch.seq, 'paused')
    } else store.batches.setState(batch.seq, 'running')
    return store.batches.bySeq(batch.seq)
  })
}

/** Pictures of a batch that is there have the numbers before. */
function numberedFrom(image: NewImage, first: number): NewImage {
  const { variant } = image
  return variant ? { ...image, variant: { ...variant, picture: first + variant.picture } } : image
}

/** Short, easy to type, without letters that look alike. */
function newBatchId(store: Store): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  for (;;) {
    const id = [...randomBytes(5)].map((byte) => letters[byte % letters.length]).join('')
    if (!store.batches.byId(id)) return id
  }
}
