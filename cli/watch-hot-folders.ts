import { createInterface, type EngineInterface } from '../engine/interface/create-interface.ts'
import { reportFault } from '../engine/fault-report.ts'
import type { BatchRecord } from '../shared/contract/records.ts'
import { plainText } from '../shared/plain-text.ts'
import { exitStatus, type ExitStatus } from './exit-status.ts'
import { usageProblem } from './problem.ts'
import { openStore, type Shell } from './shell.ts'
import { counted } from './table.ts'
import { webParts } from './web/web-parts.ts'

/** Watches the hot folders and works on the queue until a signal comes: the program's engine without its window. */
export async function watchHotFolders(shell: Shell): Promise<ExitStatus> {
  const { terminal, stop, home, clock } = shell
  const store = await openStore(shell)
  /** Keys that passed by: what is never written down. */
  const keys = new Set<string>()
  const onFault = (error: unknown) => void reportFault(home, error, keys)
  let engine: EngineInterface | undefined
  try {
    if (store.hotFolders.all().length === 0) {
      throw usageProblem('There is no hot folder yet; "vitrine hot-folders add" sets one up.')
    }
    engine = await createInterface({ ...(await webParts(shell, keys)), home, store, clock, onFault })
    stop.endInGoodOrder()
    terminal.say('The hot folders are watched until Ctrl-C.')
    const { handlers } = engine
    const context = { signal: stop.signal }
    await Promise.all([
      tellFolders(shell, handlers, context),
      tellBatches(shell, handlers, context),
      tellNotices(shell, handlers, context),
    ])
    return exitStatus.done
  } finally {
    await engine?.close()
    store.close()
  }
}

type Handlers = EngineInterface['handlers']

interface Context {
  readonly signal: AbortSignal
}

/** Says which folders are watched, and why one is not. */
async function tellFolders({ terminal }: Shell, { hotFolders }: Handlers, context: Context) {
  const told = new Map<number, string>()
  for await (const { folders } of hotFolders.watch({}, context)) {
    for (const { id, name, path, state, trouble } of folders) {
      const words =
        trouble ?? { watching: `watches ${path}`, paused: 'is paused', elsewhere: elsewhere }[state]
      if (told.get(id) === words) continue
      told.set(id, words)
      terminal.say(plainText(trouble === null ? `${name} ${words}` : `${name}: ${words}`, 600))
    }
  }
}

const elsewhere = 'waits: it belongs to another connection than the one that is in use'

async function tellNotices({ terminal }: Shell, { notices }: Handlers, context: Context) {
  for await (const { message } of notices.watch({}, context)) terminal.say(plainText(message, 600))
}

/** One line for each batch that comes to its end. */
async function tellBatches({ terminal }: Shell, { batches }: Handlers, context: Context) {
  let states: Map<string, BatchRecord['state']> | undefined
  for await (const item of batches.watch({}, context)) {
    const isFirst = states === undefined
    states ??= new Map()
    for (const batch of item.batches) {
      const before = states.get(batch.id)
      states.set(batch.id, batch.state)
      if (isFirst || before === batch.state) continue
      if (batch.state === 'finished') terminal.say(endOf(batch))
      if (batch.state === 'stopped' && batch.stopReason === 'budget') {
        terminal.say(`Batch ${batch.id} waits: the budget for today is used up.`)
      }
    }
  }
}

function endOf({ id, counts, charged, outDir }: BatchRecord): string {
  const open = counts.failed + counts.review
  const rest = open === 0 ? '' : `, ${open} failed or need review`
  return plainText(
    `Batch ${id} is finished: ${counted(counts.delivered, 'image')} delivered${rest}, ${counted(charged, 'credit')}; in ${outDir}`,
    600,
  )
}
