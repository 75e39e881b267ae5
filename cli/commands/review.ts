import { adoptRun, dropImage, sendAgain } from '../../engine/batches/decisions.ts'
import { shownSource } from '../../engine/own-files/shown-source.ts'
import type { Attempt, Batch, Image } from '../../engine/store/rows.ts'
import type { Store } from '../../engine/store/store.ts'
import { plainText } from '../../shared/plain-text.ts'
import { batchNamed, imageNamed } from '../batch-choice.ts'
import { agree } from '../consent.ts'
import { exitStatus, type ExitStatus } from '../exit-status.ts'
import { rangeText } from '../prices.ts'
import { usageProblem } from '../problem.ts'
import { openStore, warn, type Shell } from '../shell.ts'
import { counted } from '../table.ts'
import { imageLabel } from '../watch.ts'
import { jsonOption, yesOption, type AddCommands } from './perform.ts'

interface ReviewOptions {
  readonly adopt?: string
  readonly sendAgain?: boolean
  readonly drop?: boolean
  readonly json?: boolean
  readonly yes?: boolean
}

/** `vitrine review`: images of which it is not known whether the service took them. */
export const addReview: AddCommands = (program, perform) => {
  program
    .command('review')
    .description('list what needs a decision, or take one')
    .argument('[IMAGE|BATCH]', 'BATCH/POSITION to decide on, or a batch to list')
    .option('--adopt <RUN>', "take this run as the picture's; nothing new is charged")
    .option('--send-again', 'send the picture once more; it may be charged twice')
    .option('--drop', 'give the picture up')
    .option(...jsonOption)
    .option(...yesOption)
    .action(async (target: string | undefined, options: ReviewOptions) => {
      await perform(options, async (shell) => await review(shell, target, options))
    })
}

async function review(shell: Shell, target: string | undefined, options: ReviewOptions): Promise<ExitStatus> {
  const decisions = [options.adopt !== undefined, options.sendAgain, options.drop].filter(Boolean).length
  if (decisions > 1) throw usageProblem('Take one of --adopt RUN, --send-again and --drop.')
  if (decisions === 1 && target === undefined) {
    throw usageProblem('Name the IMAGE to decide on, as BATCH/POSITION; "vitrine review" lists them.')
  }
  const store = await openStore(shell)
  try {
    if (decisions === 0) list(shell, store, target)
    else await decide(shell, store, target!, options)
    return exitStatus.done
  } finally {
    store.close()
  }
}

function list(shell: Shell, store: Store, target: string | undefined) {
  const one = target?.includes('/') ? imageNamed(store, target) : undefined
  const batches =
    one?.batch !== undefined
      ? [one.batch]
      : target === undefined
        ? store.batches.all()
        : [batchNamed(store, target)]
  let found = 0
  for (const batch of batches) {
    for (const image of store.images.inState(batch.seq, 'review')) {
      if (one && one.image.id !== image.id) continue
      found += 1
      tell(shell, store, batch, image)
    }
  }
  if (found === 0) shell.terminal.say('Nothing needs a decision.')
}

/** The submission in question: the one that waits for a decision, else the last. */
function attemptOf(store: Store, image: Image): Attempt | undefined {
  const attempts = store.ledger.ofImage(image.id)
  return attempts.find((attempt) => attempt.state === 'review') ?? attempts.at(-1)
}

function priceOf(attempt: Attempt | undefined) {
  if (!attempt || attempt.priceMin === null || attempt.priceMax === null) return null
  return { min: attempt.priceMin, max: attempt.priceMax }
}

function tell({ terminal, json }: Shell, store: Store, batch: Batch, image: Image) {
  const attempt = attemptOf(store, image)
  const price = priceOf(attempt)
  // A run that another image took since is none any more.
  const candidates = (attempt ? store.ledger.candidates(attempt.id) : []).filter(
    ({ runId }) => (store.ledger.byRun(runId)?.imageId ?? image.id) === image.id,
  )
  if (json) {
    terminal.json({
      image: `${batch.id}/${image.position + 1}`,
      batch: batch.id,
      position: image.position + 1,
      source: shownSource(store, image.source),
      reason: image.error,
      submitted: attempt ? new Date(attempt.intentAt).toISOString() : null,
      price,
      candidates: candidates.map(({ runId, appId, status, created, credits }) => {
        return { runId, appId, status, created, credits }
      }),
    })
    return
  }
  const cost = price ? ` Sending it again could charge ${rangeText(price)} a second time.` : ''
  terminal.print(`${imageLabel(batch, image)}: ${plainText(image.error ?? 'Was this picture sent?')}${cost}`)
  for (const run of candidates) {
    const about = `${run.appId}, ${run.status}, created ${run.created}, ${counted(run.credits, 'credit')}`
    terminal.print(`  it may be run ${plainText(run.runId, 80)} (${plainText(about, 200)})`)
  }
}

async function decide(shell: Shell, store: Store, target: string, options: ReviewOptions) {
  const { batch, image } = imageNamed(store, target)
  const name = `${batch.id}/${image.position + 1}`
  if (image.state !== 'review') {
    throw usageProblem(`Image ${name} does not wait for a decision; it is ${image.state}.`)
  }
  const goOn = `To go on: vitrine resume ${batch.id}`
  if (options.adopt !== undefined) {
    const attempt = attemptOf(store, image)
    const known = attempt
      ? store.ledger.candidates(attempt.id).some((run) => run.runId === options.adopt)
      : false
    if (!known && attempt?.runId !== options.adopt) {
      warn(shell, 'This run is not among the candidates; it is taken on your word.')
    }
    adoptRun(store, image, options.adopt, shell.clock)
    done(shell, name, 'adopted', `Run ${plainText(options.adopt, 80)} is taken for ${name}. ${goOn}`)
  } else if (options.sendAgain) {
    const price = priceOf(attemptOf(store, image))
    const cost = price ? rangeText(price) : 'its price'
    await agree(shell, `Send ${name} again? If the first one arrived, ${cost} is charged twice.`, options.yes)
    sendAgain(store, image, shell.clock)
    done(shell, name, 'sent-again', `${name} waits to be sent again. ${goOn}`)
  } else {
    dropImage(store, image, shell.clock)
    done(shell, name, 'dropped', `${name} is given up.`)
    const { settleBatches } = await import('../manifest-upkeep.ts')
    await settleBatches(shell, store, [store.batches.bySeq(batch.seq)])
  }
}

function done({ terminal, json }: Shell, image: string, decision: string, words: string) {
  terminal.say(words)
  if (json) terminal.json({ image, decision })
}
