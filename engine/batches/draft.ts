import { addBatch, planBatch, type BatchRequest, type Plan } from './add-batch.ts'
import type { Clock } from '../clock.ts'
import { deliveryKey, type NewImage } from '../store/images.ts'
import type { Batch } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** What `run` would do: earlier batches to go on with, and a new one for what none of them has. */
export interface Draft {
  /** Oldest first. */
  readonly earlier: readonly Batch[]
  /** Images that the earlier batches have. */
  readonly taken: number
  readonly plan: Plan
}

/** States in which an image was charged, or may yet be, without a file to show for it. */
const openStates = ['waiting', 'submitting', 'running', 'downloading', 'review'] as const

/**
 * Leaves to earlier batches the pictures that they have not settled yet, with the same settings and into the same
 * folder: in a batch of their own they would be charged twice. An interrupted command that is typed again is the
 * usual case. `again` sends them all the same.
 */
export function draftRun(store: Store, request: BatchRequest): Draft {
  const plan = planBatch(store, request)
  if (request.again) return { earlier: [], taken: 0, plan }
  const owners = ownersOf(store, request)
  if (owners.size === 0) return { earlier: [], taken: 0, plan }
  const rest = planBatch(store, request, owners)
  const taken = plan.images.length - rest.images.length
  if (taken === 0) return { earlier: [], taken, plan }
  const kept = new Set(rest.images.map((image) => keyOf(request, image)))
  const earlier = new Set<Batch>()
  for (const image of plan.images) {
    const key = keyOf(request, image)
    const owner = kept.has(key) ? undefined : owners.get(key)
    if (owner) earlier.add(owner)
  }
  return { earlier: [...earlier].toSorted((a, b) => a.seq - b.seq), taken, plan: rest }
}

function keyOf({ recipe, outDir }: BatchRequest, { source, variant }: NewImage): string {
  return deliveryKey(source, variant?.recipe ?? recipe, outDir)
}

/** By delivery key, the batch of this account and folder that has an unsettled image of it. */
function ownersOf(store: Store, { connectionId, outDir, test }: BatchRequest): Map<string, Batch> {
  const owners = new Map<string, Batch>()
  // What a test held stays held where a test is asked for again.
  const states = test === null ? openStates : ([...openStates, 'held'] as const)
  for (const batch of store.batches.all()) {
    if (batch.connectionId !== connectionId || batch.outDir !== outDir) continue
    for (const state of states) {
      for (const key of store.images.keysIn(batch.seq, state)) owners.set(key, batch)
    }
  }
  return owners
}

/**
 * Adds what a draft says. In the same transaction it looks once more: another process may have begun with the same
 * pictures since. A new batch of nothing but skipped pictures is not made where there is an earlier one to go on with.
 */
export function beginDraft(
  store: Store,
  draft: Draft,
  clock: Clock,
): { readonly earlier: readonly Batch[]; readonly batch: Batch | undefined } {
  return store.transaction(() => {
    const { request } = draft.plan
    const late = request.again || ownersOf(store, request).size === 0 ? draft : draftRun(store, request)
    const { plan } = late
    const fresh = late.earlier.filter((batch) => draft.earlier.every((one) => one.seq !== batch.seq))
    const earlier = [...draft.earlier, ...fresh]
    const needed = earlier.length === 0 || plan.toSubmit + plan.held > 0
    return { earlier, batch: needed ? addBatch(store, plan, clock) : undefined }
  })
}
