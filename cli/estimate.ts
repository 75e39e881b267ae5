import { costOfPlan, coveredBy } from '../engine/batches/add-batch.ts'
import type { Draft } from '../engine/batches/draft.ts'
import type { Balance } from '../shared/wire.ts'
import { costOf } from './begin.ts'
import type { Engine } from './compose.ts'
import { exitStatus, type ExitStatus } from './exit-status.ts'
import { estimateLine, joined } from './prices.ts'
import type { Shell } from './shell.ts'
import { counted } from './table.ts'

/** What a start would do and cost; then nothing. */
export function tellDryRun(shell: Shell, engine: Engine, draft: Draft, balance: Balance): ExitStatus {
  tellCost(shell, engine, draft, balance)
  shell.terminal.say('This was a dry run: nothing was sent.')
  if (!shell.json) return exitStatus.done
  const { plan, taken } = draft
  const { request, images, toSubmit, held, skipped } = plan
  shell.terminal.json({
    event: 'dry-run',
    pictures: request.pictures.length,
    images: images.length,
    waiting: toSubmit,
    held,
    skipped,
    elsewhere: taken,
    presets: plan.variants.map((one) => ({
      preset: one.preset,
      app: one.recipe.appId,
      images: one.toSubmit + one.held,
      pricePerImage: one.pricePerImage ?? null,
      extras: one.extras,
    })),
    estimate: costOfPlan(plan) ?? null,
    balance: balance.totalCredits,
    outDir: request.outDir,
    nameTemplate: request.nameTemplate,
  })
  return exitStatus.done
}

/** The estimate beside the balance. @returns how many images would be sent now */
export function tellCost(
  { terminal }: Shell,
  engine: Engine,
  { plan, earlier }: Draft,
  balance: Balance,
): number {
  if (plan.skipped > 0) {
    terminal.say(
      `${counted(plan.skipped, 'image was', 'images were')} already delivered with these settings: skipped.`,
    )
  }
  let toSubmit = plan.toSubmit
  for (const batch of earlier) {
    const cost = costOf(engine, batch, 'waiting')
    if (!cost) continue
    toSubmit += cost.images
    terminal.say(`Batch ${batch.id}: ${estimateLine(cost, balance.totalCredits)}`)
  }
  if (toSubmit === 0) return 0
  if (plan.toSubmit > 0) {
    const groups = plan.variants.map(({ toSubmit: images, ...one }) => ({ images, ...one }))
    const cost = joined(
      groups.filter(({ images }) => images > 0),
      true,
    )
    terminal.say(estimateLine(cost, balance.totalCredits, coveredBy(plan, balance.totalCredits)))
  }
  if (plan.held > 0)
    terminal.say(`${counted(plan.held, 'image is', 'images are')} held until "vitrine release".`)
  return toSubmit
}
