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
  let free = Math.floor(folder.budget - store.hotFolders.chargedSince(folder.id, startOfDay(now)) - reserved)
  for (const batch of open) {
    if (free <= 0) return
    const more = Math.min(free, Math.ceil(needOf(store, batch, free) - roomOf(batch)))
    if (more <= 0) continue
    free -= more
    store.batches.setBudget(batch.seq, (batch.budget ?? 0) + more)
    letGo(store, batch)
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

/** Credits that the rest of a batch may cost; all there is while the price is not known. */
function needOf(store: Store, batch: Batch, all: number): number {
  const { waiting, submitting, running } = store.batches.counts(batch.seq)
  const first = store.images.inState(batch.seq, 'waiting', 1)[0]
  if (!first) return roomOf(batch)
  const recipe = store.images.recipeById(first.recipeId)
  const base = store.connections.basePrice(batch.connectionId, recipe.appId)
  if (!base) return roomOf(batch) + all
  return (waiting + submitting + running) * (base.highest + extraCredits(recipe.settings).max)
}

function letGo(store: Store, batch: Batch) {
  if (batch.state === 'stopped') store.batches.setState(batch.seq, 'running')
}
