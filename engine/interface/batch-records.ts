import { access, constants } from 'node:fs/promises'
import { basename } from 'node:path'
import type { BatchRecord, CountsRecord } from '../../shared/contract/records.ts'
import { extraCredits, type CreditRange } from '../../shared/prices.ts'
import { estimate } from '../queue/prices.ts'
import type { Batch } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { ConnectionBook } from './connection-book.ts'
import type { InterfaceParts } from './parts.ts'
import type { Workplace } from './workplace.ts'
import { say } from '../../shared/language/say.ts'

const rateWindowMs = 3 * 60_000
/** Fewer finished images say too little about the time left. */
const leastForRate = 5
const folderCheckMs = 10_000

/** What of a batch's images is under way at the service, or on its way from it. */
export function activeOf(counts: CountsRecord): number {
  return counts.submitting + counts.running + counts.downloading
}

/** The state of a batch as a person sees it. */
function stateOf(batch: Pick<Batch, 'state'>, counts: CountsRecord): BatchRecord['state'] {
  if (batch.state !== 'paused') return batch.state
  if (activeOf(counts) > 0) return 'pausing'
  const begun = counts.delivered + counts.failed + counts.review
  return begun === 0 ? 'ready' : 'paused'
}

/** Adds ranges where both are known. */
export function plus(a: CreditRange, b: CreditRange): CreditRange {
  return { min: a.min + b.min, max: a.max + b.max }
}

function widest(ranges: readonly CreditRange[]): CreditRange {
  return {
    min: Math.min(...ranges.map(({ min }) => min)),
    max: Math.max(...ranges.map(({ max }) => max)),
  }
}

/** The name of a batch: its own, else that of its folder. */
function nameOf(batch: Pick<Batch, 'name' | 'outDir' | 'id'>): string {
  return batch.name ?? (basename(batch.outDir) || batch.id)
}

/** Makes what an interface is shown of batches. */
export class BatchRecords {
  readonly #store: Store
  readonly #parts: InterfaceParts
  readonly #book: ConnectionBook
  readonly #workplace: Workplace
  /** By output folder: why it cannot be used, and when that was looked at. */
  readonly #folders = new Map<string, { readonly trouble: string | null; readonly at: number }>()

  constructor(parts: InterfaceParts, book: ConnectionBook, workplace: Workplace) {
    this.#parts = parts
    this.#store = parts.store
    this.#book = book
    this.#workplace = workplace
  }

  record(batch: Batch): BatchRecord {
    const store = this.#store
    const counts = store.batches.counts(batch.seq)
    const price = this.price(batch)
    const now = this.#parts.clock.now()
    const recent = store.batches.settledSince(batch.seq, now - rateWindowMs)
    const state = stateOf(batch, counts)
    const perMinute =
      state === 'running' && counts.delivered + counts.failed >= leastForRate ? recent / 3 : null
    const left = counts.waiting + activeOf(counts)
    return {
      id: batch.id,
      name: nameOf(batch),
      created: batch.created,
      finished: batch.finished,
      connectionId: this.#book.ofStore(batch.connectionId)?.id ?? null,
      outDir: batch.outDir,
      outDirTrouble: this.#folderTrouble(batch, state),
      state,
      stopReason: batch.stopReason,
      preset: batch.preset,
      hasSeveralPresets: store.lists.hasVariants(batch.seq),
      counts,
      total: Object.values(counts).reduce((sum, n) => sum + n, 0),
      charged: batch.charged,
      pricePerImage: price.pricePerImage,
      extras: price.extras,
      budget: batch.budget,
      inFlight: batch.inFlight,
      perMinute,
      eta: perMinute && left > 0 ? Math.round((left / perMinute) * 60_000) : null,
      median: this.#median(batch.connectionId),
    }
  }

  /** What a run costs with the settings of what still waits, or of the batch's first image where nothing does. */
  price(batch: Batch): { readonly pricePerImage: CreditRange | null; readonly extras: CreditRange } {
    const store = this.#store
    const pending = store.batches.pending(batch.seq).map(({ recipeId }) => recipeId)
    const first = pending.length > 0 ? undefined : store.lists.window(batch.seq, 0, 1)[0]
    const ids = [...new Set(first ? [first.recipeId] : pending)]
    if (ids.length === 0) return { pricePerImage: null, extras: { min: 0, max: 0 } }
    const recipes = ids.map((id) => store.images.recipeById(id))
    const prices = recipes.map((recipe) => estimate(store, batch.connectionId, recipe))
    return {
      pricePerImage: prices.every((price) => price !== undefined) ? widest(prices) : null,
      extras: widest(recipes.map(({ settings }) => extraCredits(settings))),
    }
  }

  /** What the waiting images of a connection's batches will cost; null while a base price is unknown. */
  committed(storeId: number): CreditRange | null {
    const store = this.#store
    let sum: CreditRange = { min: 0, max: 0 }
    for (const batch of store.batches.listed()) {
      if (batch.connectionId !== storeId) continue
      for (const { recipeId, state, n } of store.batches.pending(batch.seq)) {
        if (state !== 'waiting') continue
        const price = estimate(store, storeId, store.images.recipeById(recipeId))
        if (!price) return null
        sum = plus(sum, { min: n * price.min, max: n * price.max })
      }
    }
    return sum
  }

  #median(storeId: number): number | null {
    const { durations = [] } = this.#store.connections.byId(storeId).learned
    const live = this.#workplace.bench
    const samples =
      live?.session.storeId === storeId ? (live.keeper.queue?.desk.durations.samples ?? durations) : durations
    if (samples.length === 0) return null
    return samples.toSorted((a, b) => a - b)[samples.length >> 1]!
  }

  /** What the queue met when it wrote, else what was seen of the folder lately; a look is begun where that is old. */
  #folderTrouble(batch: Batch, state: BatchRecord['state']): string | null {
    const met = this.#workplace.bench?.keeper.queue?.unwritable.get(batch.seq)
    if (met !== undefined) return met
    if (state === 'finished') return null
    const { outDir } = batch
    const seen = this.#folders.get(outDir)
    const now = this.#parts.clock.monotonic()
    if (!seen || now - seen.at > folderCheckMs) {
      this.#folders.set(outDir, { trouble: seen?.trouble ?? null, at: now })
      void this.#lookAt(outDir, now, seen?.trouble ?? null)
    }
    return seen?.trouble ?? null
  }

  async #lookAt(outDir: string, at: number, before: string | null) {
    const trouble = await troubleOf(outDir)
    this.#folders.set(outDir, { trouble, at })
    if (trouble !== before) this.#workplace.topic.ring()
  }
}

async function troubleOf(folder: string): Promise<string | null> {
  try {
    await access(folder, constants.W_OK)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT')
      return say`The output folder ${folder} is not there; connect its drive, or choose another.`
    return say`The output folder ${folder} cannot be written (${code ?? say`unknown error`}); check its permissions.`
  }
}
