import { dataFolder } from '../../engine/data-folder.ts'
import { takeLease } from '../../engine/store/lease.ts'
import type { Batch, BatchState } from '../../engine/store/rows.ts'
import type { Store } from '../../engine/store/store.ts'
import { plainText } from '../../shared/plain-text.ts'
import { batchNamed } from '../batch-choice.ts'
import { exitStatus, type ExitStatus } from '../exit-status.ts'
import { openStore, type Shell } from '../shell.ts'
import { counted, table } from '../table.ts'
import { batchTotals } from '../totals.ts'
import { imageLabel } from '../watch.ts'
import { jsonOption, type AddCommands } from './perform.ts'

const failuresShown = 20

/** `vitrine status`: how batches stand, from the store alone. */
export const addStatus: AddCommands = (program, perform) => {
  program
    .command('status')
    .description('how a batch stands, or every unfinished one')
    .argument('[BATCH]', 'the id of a batch')
    .option(...jsonOption)
    .action(async (id: string | undefined, options: { json?: boolean }) => {
      await perform(options, async (shell) => await status(shell, id))
    })
}

async function status(shell: Shell, id: string | undefined): Promise<ExitStatus> {
  const store = await openStore(shell)
  try {
    const batches = id === undefined ? openBatches(store) : [batchNamed(store, id)]
    const working = isWorkedOn(shell)
    const state = (batch: Batch): BatchState =>
      batch.state === 'running' && !working ? 'interrupted' : batch.state
    if (shell.json) {
      for (const batch of batches) {
        shell.terminal.json(recordOf(store, batch, state(batch)))
        await shell.terminal.drained()
      }
    } else if (id !== undefined) tellOne(shell, store, batches[0]!, state(batches[0]!))
    else if (batches.length === 0) shell.terminal.say('Nothing is unfinished.')
    else for (const line of tableOf(store, batches, state)) shell.terminal.print(line)
    return exitStatus.done
  } finally {
    store.close()
  }
}

/** Those that go on by themselves or by `resume`, and those that wait for a person. */
function openBatches(store: Store): Batch[] {
  const unfinished = new Set(store.batches.unfinished().map((batch) => batch.seq))
  return store.batches.all().filter((batch) => {
    const { held, review } = store.batches.counts(batch.seq)
    return unfinished.has(batch.seq) || held + review > 0
  })
}

/** A batch that the store calls running is only so while a process holds the lease. */
function isWorkedOn(shell: Shell): boolean {
  const lease = takeLease(dataFolder(shell.home).lease)
  lease?.release()
  return lease === undefined
}

function recordOf(store: Store, batch: Batch, state: BatchState) {
  const counts = store.batches.counts(batch.seq)
  return {
    batch: batch.id,
    state,
    stopReason: batch.stopReason,
    created: new Date(batch.created).toISOString(),
    baseUrl: store.connections.byId(batch.connectionId).baseUrl,
    outDir: batch.outDir,
    preset: batch.preset,
    images: Object.values(counts).reduce((sum, n) => sum + n, 0),
    counts,
    creditsCharged: batch.charged,
    budget: batch.budget,
  }
}

function tableOf(store: Store, batches: readonly Batch[], state: (batch: Batch) => string): string[] {
  return table(
    [
      'Batch',
      'State',
      'Images',
      'Delivered',
      'Active',
      'Waiting',
      'Held',
      'Failed',
      'Review',
      'Credits',
      'Folder',
    ],
    batches.map((batch) => {
      const totals = batchTotals(store, batch.seq)
      const { images, delivered, skipped, active, waiting, held, failed, review } = totals
      const row = [images, delivered + skipped, active, waiting, held, failed, review, batch.charged]
      return [batch.id, stateText(batch, state(batch)), ...row, batch.outDir]
    }),
  )
}

function stateText(batch: Batch, state: string): string {
  return state === 'stopped' && batch.stopReason ? `stopped (${batch.stopReason})` : state
}

function tellOne({ terminal }: Shell, store: Store, batch: Batch, state: BatchState) {
  const counts = store.batches.counts(batch.seq)
  const images = Object.values(counts).reduce((sum, n) => sum + n, 0)
  terminal.print(`Batch ${batch.id}: ${stateText(batch, state)}, ${counted(images, 'image')}`)
  for (const [name, n] of Object.entries(counts)) {
    if (n > 0) terminal.print(`  ${name.padEnd(12)}${n.toLocaleString('en')}`)
  }
  const budget = batch.budget === null ? '' : ` of a budget of ${batch.budget}`
  terminal.print(`Charged: ${counted(batch.charged, 'credit')}${budget}`)
  terminal.print(`Folder: ${plainText(batch.outDir, 500)}`)
  for (const what of ['failed', 'review'] as const) {
    const shown = store.images.inState(batch.seq, what, failuresShown)
    for (const image of shown) {
      terminal.print(`${imageLabel(batch, image)}: ${plainText(image.error ?? what)}`)
    }
    if (counts[what] > shown.length) terminal.print(`… and ${counts[what] - shown.length} more (${what}).`)
  }
}
