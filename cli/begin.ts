import type { Batch } from '../engine/store/rows.ts'
import { extraCredits } from '../shared/prices.ts'
import type { Balance } from '../shared/wire.ts'
import type { Engine } from './compose.ts'
import { totalOf, type Cost } from './prices.ts'
import type { Shell } from './shell.ts'
import { batchTotals } from './totals.ts'

/** What sending the images of a batch that are in a state would cost; undefined where there are none. */
export function costOf(
  engine: Pick<Engine, 'store'>,
  batch: Batch,
  state: 'waiting' | 'held',
): Cost | undefined {
  const { store } = engine
  const first = store.images.inState(batch.seq, state, 1)[0]
  if (!first) return undefined
  const recipe = store.images.recipeById(first.recipeId)
  const base = store.connections.basePrice(batch.connectionId, recipe.appId)
  const extras = extraCredits(recipe.settings)
  return {
    images: store.batches.counts(batch.seq)[state],
    pricePerImage: base && { min: base.last + extras.min, max: base.highest + extras.max },
    extras,
  }
}

/** Tells scripts that a batch is begun or gone on with. */
export function tellBatch(
  shell: Shell,
  engine: Engine,
  batch: Batch,
  about: { readonly resumed: boolean; readonly balance: Balance },
) {
  if (!shell.json) return
  const { images, waiting, held, skipped, outDir, manifest } = batchTotals(engine.store, batch.seq)
  const cost = costOf(engine, batch, 'waiting')
  const first = engine.store.images.page(batch.seq, -1, 1)[0]
  shell.terminal.json({
    event: 'batch',
    batch: batch.id,
    resumed: about.resumed,
    images,
    waiting,
    held,
    skipped,
    app: first ? engine.store.images.recipeById(first.recipeId).appId : null,
    preset: batch.preset,
    outDir,
    manifest,
    budget: batch.budget,
    estimate: cost ? (totalOf(cost) ?? null) : { min: 0, max: 0 },
    balance: about.balance.totalCredits,
  })
}
