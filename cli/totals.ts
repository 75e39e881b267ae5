import { join } from 'node:path'
import { manifestName } from '../engine/delivery/manifest.ts'
import type { Batch } from '../engine/store/rows.ts'
import type { Store } from '../engine/store/store.ts'
import type { SummaryEvent } from './events.ts'

export type BatchTotals = SummaryEvent['batches'][number]
export type Totals = Omit<BatchTotals, 'batch' | 'outDir' | 'manifest'>

/** What became of a batch's images so far. */
export function batchTotals(store: Store, seq: number): BatchTotals {
  const batch = store.batches.bySeq(seq)
  const counts = store.batches.counts(seq)
  return {
    batch: batch.id,
    images: Object.values(counts).reduce((sum, n) => sum + n, 0),
    delivered: counts.delivered,
    failed: counts.failed,
    review: counts.review,
    skipped: counts.skipped,
    waiting: counts.waiting,
    held: counts.held,
    cancelled: counts.cancelled,
    active: counts.submitting + counts.running + counts.downloading,
    creditsCharged: batch.charged,
    outDir: batch.outDir,
    manifest: manifestOf(batch),
  }
}

/** Sums over several batches. */
export function sumOf(batches: readonly Totals[]): Totals {
  const sum = (pick: (totals: Totals) => number) => batches.reduce((total, one) => total + pick(one), 0)
  return {
    images: sum((one) => one.images),
    delivered: sum((one) => one.delivered),
    failed: sum((one) => one.failed),
    review: sum((one) => one.review),
    skipped: sum((one) => one.skipped),
    waiting: sum((one) => one.waiting),
    held: sum((one) => one.held),
    cancelled: sum((one) => one.cancelled),
    active: sum((one) => one.active),
    creditsCharged: sum((one) => one.creditsCharged),
  }
}

/** Images for which nothing more happens by itself. */
export function settledIn(totals: Totals): number {
  return totals.delivered + totals.failed + totals.review + totals.skipped + totals.cancelled
}

function manifestOf(batch: Pick<Batch, 'outDir'>): string {
  return join(batch.outDir, manifestName)
}
