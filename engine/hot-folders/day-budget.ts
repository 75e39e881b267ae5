import { isDone } from '../batches/work.ts'
import { extraCredits } from '../../shared/prices.ts'
import type { HotFolder } from '../store/hot-folders.ts'
import type { Batch } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { startOfDay } from './start-of-day.ts'

/**
 * Gives a hot folder's batches what is left of its budget for today, oldest first, and lets those go on that had stopped
 * for it. What a batch may still spend counts as spent, so that all of them together cannot go over the day's budget.
 * To be called within a transaction.
 */
export function shareBudget(store: Store, folder: HotFolder, now: number) {
  const seqs = store.hotFolders.batches(folder.id)
  const open = seqs.map((seq) => store.batches.bySeq(seq)).filter((batch) => takesShare(store, batch))
  if (folder.budget === null) {
    for (const batch of open) {
      store.batches.setBudget(batch.seq, null)
      letGo(store, batch)
    }
    return
  }
  const reserved = open.reduce((sum, batch) => sum + roomOf(batch), 0)
  const charged = store.hotFolders.chargedSince(folder.id, startOfDay(now))
  let free = Math.max(0, Math.floor(folder.budget - charged - reserved))
  for (const batch of open) {
    const price = priceOf(store, batch)
    const more = Math.max(0, Math.min(free, Math.ceil(needOf(store, batch, price, free) - roomOf(batch))))
    if (more > 0) store.batches.setBudget(batch.seq, (batch.budget ?? 0) + more)
    free -= more
    // Also where its share was given before: a queue that had not seen it yet may have stopped it once more.
    const room = roomOf(batch) + more
    if (room > 0 && room >= (price ?? store.ledger.largestCharge(batch.seq))) letGo(store, batch)
  }
}

/** A person who paused a batch, or took its budget away, has decided otherwise. */
function takesShare(store: Store, batch: Batch): boolean {
  if (batch.budget === null || isDone(store, batch.seq)) return false
  const stopped = batch.state === 'stopped' && batch.stopReason === 'budget'
  return batch.state === 'running' || batch.state === 'interrupted' || stopped
}

function roomOf(batch: Batch): number {
  return Math.max(0, (batch.budget ?? 0) - batch.charged)
}

/** Credits that one more image may cost; undefined while the price is not known, or nothing waits. */
function priceOf(store: Store, batch: Batch): number | undefined {
  const first = store.images.inState(batch.seq, 'waiting', 1)[0]
  if (!first) return undefined
  const recipe = store.images.recipeById(first.recipeId)
  const base = store.connections.basePrice(batch.connectionId, recipe.appId)
  return base && base.highest + extraCredits(recipe.settings).max
}

/** Credits that the rest of a batch may cost; all there is while the price is not known. */
function needOf(store: Store, batch: Batch, price: number | undefined, all: number): number {
  const { waiting, submitting, running } = store.batches.counts(batch.seq)
  if (waiting === 0) return roomOf(batch)
  return price === undefined ? roomOf(batch) + all : (waiting + submitting + running) * price
}

function letGo(store: Store, batch: Batch) {
  if (batch.state === 'stopped') store.batches.setState(batch.seq, 'running')
}
