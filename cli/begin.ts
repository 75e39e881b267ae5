import type { Batch, Image } from '../engine/store/rows.ts'
import { extraCredits } from '../shared/prices.ts'
import type { Balance } from '../shared/wire.ts'
import type { Engine } from './compose.ts'
import { joined, totalOf, type Cost } from './prices.ts'
import type { Shell } from './shell.ts'
import { batchTotals } from './totals.ts'

/** What sending the images of a batch that are in a state would cost; undefined where there are none. */
export function costOf(
  engine: Pick<Engine, 'store'>,
  batch: Batch,
  state: 'waiting' | 'held',
): Cost | undefined {
  const { store } = engine
  const groups = store.batches
    .pending(batch.seq)
    .filter((one) => one.state === state)
    .map(({ recipeId, n }): Cost => {
      const recipe = store.images.recipeById(recipeId)
      const base = store.connections.basePrice(batch.connectionId, recipe.appId)
      const extras = extraCredits(recipe.settings)
      const pricePerImage = base && { min: base.last + extras.min, max: base.highest + extras.max }
      return { images: n, pricePerImage, extras }
    })
  return groups.length === 0 ? undefined : joined(groups)
}

/** The presets that each picture is made with. */
function presetsOf({ store }: Pick<Engine, 'store'>, batch: Batch, first: Image): string[] {
  return store.lists.variantsOf(first).flatMap((image) => (image.preset ?? batch.preset) || [])
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
    presets: first ? presetsOf(engine, batch, first) : [],
    outDir,
    manifest,
    budget: batch.budget,
    estimate: cost ? (totalOf(cost) ?? null) : { min: 0, max: 0 },
    balance: about.balance.totalCredits,
  })
}
