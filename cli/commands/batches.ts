import type { Command } from 'commander'
import { cancelBatch, planRetry, releaseBatch, retryFailed } from '../../engine/batches/decisions.ts'
import type { Batch } from '../../engine/store/rows.ts'
import { addressOf, openAccount, readBalance } from '../account.ts'
import { batchesChosen, batchNamed, ofThisAccount } from '../batch-choice.ts'
import { costOf, tellBatch } from '../begin.ts'
import type { Engine } from '../compose.ts'
import { agree } from '../consent.ts'
import { settleMs } from '../environment.ts'
import { exitStatus, type ExitStatus } from '../exit-status.ts'
import { wholeNumber } from '../numbers.ts'
import { estimateLine } from '../prices.ts'
import { usageProblem } from '../problem.ts'
import { openStore, type Shell } from '../shell.ts'
import { counted } from '../table.ts'
import { loadEngine } from './load-engine.ts'
import { jsonOption, yesOption, type AddCommands } from './perform.ts'

interface BatchOptions {
  readonly all?: boolean
  readonly yes?: boolean
  readonly json?: boolean
  readonly budget?: number
}

/** `resume`, `retry`, `release` and `cancel`: what can be done with batches that are there. */
export const addBatchCommands: AddCommands = (program, perform) => {
  const command = (name: string, description: string): Command =>
    program.command(name).description(description).argument('[BATCH]', 'the id of a batch')
  command('resume', 'go on with a batch, or with every unfinished one')
    .option('--budget <CREDITS>', 'a new budget for the batch', wholeNumber(0))
    .option(...jsonOption)
    .option('--yes', 'accepted, as elsewhere; nothing is asked')
    .action(async (id: string | undefined, options: BatchOptions) => {
      await perform(options, async (shell) => await resume(shell, id, options))
    })
  for (const [name, description, work] of [
    ['retry', 'send failed images again', retry],
    ['release', 'let the images go that --test held', release],
    ['cancel', 'give up what is not yet submitted', cancel],
  ] as const) {
    command(name, description)
      .option('--all', 'every batch')
      .option(...jsonOption)
      .option(...yesOption)
      .action(async (id: string | undefined, options: BatchOptions) => {
        await perform(options, async (shell) => await work(shell, id, options))
      })
  }
}

async function resume(shell: Shell, id: string | undefined, options: BatchOptions): Promise<ExitStatus> {
  settleMs(shell.io.env)
  if (options.budget !== undefined && id === undefined) throw usageProblem('--budget needs a BATCH.')
  const left = await inStore(shell, (store) => {
    const named = id === undefined ? undefined : batchNamed(store, id)
    const unfinished = store.batches.unfinished()
    return named ? unfinished.filter((batch) => batch.seq === named.seq).length : unfinished.length
  })
  if (left === 0) {
    shell.terminal.say('Nothing is unfinished.')
    if (shell.json) shell.terminal.json(nothingDone)
    shell.summed = true
    return exitStatus.done
  }
  return await withEngine(shell, async (engine, workOn) => {
    const { store } = engine
    const chosen = id === undefined ? store.batches.unfinished() : [batchNamed(store, id)]
    const batches = ofThisAccount(shell, engine, chosen, id !== undefined)
    if (batches.length === 0) throw usageProblem('No unfinished batch belongs to this account.')
    if (options.budget !== undefined) store.batches.setBudget(batches[0]!.seq, options.budget)
    return await workOn(batches)
  })
}

/** What `resume --json` says where nothing was unfinished. */
const nothingDone = {
  event: 'summary',
  batch: null,
  images: 0,
  delivered: 0,
  failed: 0,
  review: 0,
  skipped: 0,
  waiting: 0,
  held: 0,
  cancelled: 0,
  active: 0,
  creditsCharged: 0,
  outDir: null,
  manifest: null,
  seconds: 0,
  stopped: null,
  message: null,
  exit: 0,
  batches: [],
} as const

async function retry(shell: Shell, id: string | undefined, options: BatchOptions): Promise<ExitStatus> {
  settleMs(shell.io.env)
  await need(shell, id, options, 'failed', 'Nothing has failed')
  return await withEngine(shell, async (engine, workOn, balance) => {
    const { store } = engine
    const batches = withSome(shell, engine, id, options, 'failed')
    for (const batch of batches) {
      const plan = planRetry(store, batch)
      if (plan.free.length > 0) {
        shell.terminal.say(
          `Batch ${batch.id}: ${counted(plan.free.length, 'result')} fetched again at no cost.`,
        )
      }
      if (plan.paid.length > 0) {
        const charged =
          plan.alreadyCharged > 0 ? ` Their failed runs were charged ${plan.alreadyCharged}.` : ''
        const cost = { images: plan.paid.length, pricePerImage: plan.pricePerImage, extras: plan.extras }
        shell.terminal.say(`Batch ${batch.id}: ${estimateLine(cost, balance)}${charged}`)
        await agree(shell, `Send ${counted(plan.paid.length, 'failed image')} again?`, options.yes)
      }
      retryFailed(store, batch, plan)
    }
    return await workOn(batches)
  })
}

async function release(shell: Shell, id: string | undefined, options: BatchOptions): Promise<ExitStatus> {
  settleMs(shell.io.env)
  await need(shell, id, options, 'held', 'Nothing is held')
  return await withEngine(shell, async (engine, workOn, balance) => {
    const { store } = engine
    const batches = withSome(shell, engine, id, options, 'held')
    for (const batch of batches) {
      const cost = costOf(engine, batch, 'held')!
      shell.terminal.say(`Batch ${batch.id}: ${estimateLine(cost, balance)}`)
      await agree(shell, `Send ${counted(cost.images, 'held image')}?`, options.yes)
      releaseBatch(store, batch)
    }
    return await workOn(batches)
  })
}

async function cancel(shell: Shell, id: string | undefined, options: BatchOptions): Promise<ExitStatus> {
  await need(shell, id, options, 'unsent', 'Nothing waits to be sent')
  const store = await openStore(shell)
  try {
    const chosen = batchesChosen(store, id, options.all)
    const batches = chosen.filter((batch) => countIn(store, batch, 'unsent') > 0)
    for (const batch of batches) {
      const { submitting, running, downloading } = store.batches.counts(batch.seq)
      const active = submitting + running + downloading
      const finish = active > 0 ? ` ${counted(active, 'image')} at the service will still finish.` : ''
      const unsent = counted(countIn(store, batch, 'unsent'), 'image')
      await agree(shell, `Cancel ${unsent} of batch ${batch.id}? This costs 0 credits.${finish}`, options.yes)
      const cancelled = cancelBatch(store, batch)
      shell.terminal.say(`Batch ${batch.id}: ${counted(cancelled, 'image')} cancelled.${finish}`)
      if (shell.json) shell.terminal.json({ batch: batch.id, cancelled })
    }
    const { settleBatches } = await import('../manifest-upkeep.ts')
    await settleBatches(shell, store, batches)
    return exitStatus.done
  } finally {
    store.close()
  }
}

type OpenedStore = Awaited<ReturnType<typeof openStore>>
type Wanted = 'failed' | 'held' | 'unsent'

function countIn(store: OpenedStore, batch: Batch, wanted: Wanted): number {
  const counts = store.batches.counts(batch.seq)
  return wanted === 'unsent' ? counts.waiting + counts.held : counts[wanted]
}

async function inStore<T>(shell: Shell, look: (store: OpenedStore) => T): Promise<T> {
  const store = await openStore(shell)
  try {
    return look(store)
  } finally {
    store.close()
  }
}

/** Wrong use is told before a key is asked for. @throws Problem (64) where there is nothing to do. */
async function need(
  shell: Shell,
  id: string | undefined,
  { all }: BatchOptions,
  wanted: Wanted,
  otherwise: string,
) {
  const found = await inStore(shell, (store) =>
    batchesChosen(store, id, all).some((batch) => countIn(store, batch, wanted) > 0),
  )
  if (!found) throw usageProblem(id === undefined ? `${otherwise}.` : `${otherwise} in batch ${id}.`)
}

function withSome(
  shell: Shell,
  engine: Engine,
  id: string | undefined,
  { all }: BatchOptions,
  wanted: Wanted,
): Batch[] {
  const { store } = engine
  const some = batchesChosen(store, id, all).filter((batch) => countIn(store, batch, wanted) > 0)
  const batches = ofThisAccount(shell, engine, some, id !== undefined)
  if (batches.length === 0) throw usageProblem('No such batch belongs to this account.')
  return batches
}

/** Opens the account and the engine, hands out a way to work on batches, and closes everything. */
async function withEngine(
  shell: Shell,
  work: (
    engine: Engine,
    workOn: (batches: readonly Batch[]) => Promise<ExitStatus>,
    balance: number,
  ) => Promise<ExitStatus>,
): Promise<ExitStatus> {
  const account = await openAccount(shell, await addressOf(shell))
  const balance = await readBalance(shell, account)
  const { composeEngine, workOn } = await loadEngine()
  const engine = await composeEngine(shell, account)
  try {
    const since = engine.store.images.change()
    return await work(
      engine,
      async (batches) => {
        for (const batch of batches) tellBatch(shell, engine, batch, { resumed: true, balance })
        return await workOn(shell, engine, batches, { since })
      },
      balance.totalCredits,
    )
  } finally {
    await engine.close()
  }
}
