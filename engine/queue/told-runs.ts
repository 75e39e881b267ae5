import type { Run } from '../../shared/wire.ts'
import { adoptRun, DecisionError } from '../batches/decisions.ts'
import type { Attempt } from '../store/rows.ts'
import type { Desk } from './desk.ts'
import { fits, widestSkew, strangeRun } from './evidence.ts'
import type { Reconciler, Settled } from './reconcile.ts'

/** A run that cannot be read just now is tried again after so long, in ms. */
const retryMs = 2000

/**
 * Settles submissions in question whose secret came back with a run id: the run is read, and taken where it fits.
 * What the notice itself says counts for nothing else. Those that already wait for a person are settled too.
 * @returns what was settled among the questions; undefined where nothing was said
 */
export async function settleTold(
  desk: Desk,
  reconciler: Reconciler,
  signal: AbortSignal,
): Promise<readonly Settled[] | undefined> {
  const { store, clock } = desk.parts
  const told = desk.announcements.takeTold()
  if (told.length === 0) return undefined
  const settled: Settled[] = []
  for (const [attemptId, runIds] of told) {
    const attempt = store.ledger.byId(attemptId)
    const its: string[] = []
    let unread = false
    for (const runId of runIds) {
      const read = await readTold(desk, attempt, runId, signal)
      if (read === 'its') its.push(runId)
      unread ||= read === 'unread'
    }
    if (signal.aborted) break
    if (unread) {
      desk.announcements.putBack(attemptId, runIds)
      await clock.sleep(retryMs, signal)
    } else if (its.length === 1) {
      // Of two that fit somebody has named the wrong one: then the list has to tell, or a person.
      if (attempt.state === 'unknown') settled.push(reconciler.adopt(attempt, its[0]!))
      else adoptReviewed(desk, attempt, its[0]!)
    }
  }
  return settled
}

async function readTold(
  desk: Desk,
  attempt: Attempt,
  runId: string,
  signal: AbortSignal,
): Promise<'its' | 'another' | 'unread'> {
  const { store, service } = desk.parts
  const isKnown = store.ledger.knows(runId) || store.ledger.offeredElsewhere(runId, attempt.id)
  if (isKnown) return 'another'
  await desk.pacer.take('get')
  if (signal.aborted) return 'unread'
  const answer = await service.run(runId)
  desk.heed(answer)
  if (answer.kind === 'ok') return isIts(desk, attempt, answer.value) ? 'its' : 'another'
  return answer.kind === 'not-found' || answer.kind === 'refused' ? 'another' : 'unread'
}

/** App, price and time are those of the submission. */
function isIts(desk: Desk, attempt: Attempt, run: Run): boolean {
  if (!fits(attempt, strangeRun(run))) return false
  if (attempt.sentFrom === null) return true
  const until = (attempt.closedTo ?? Infinity) + desk.parts.settings.settleMs
  return run.createdMs >= attempt.sentFrom - widestSkew && run.createdMs <= until + widestSkew
}

function adoptReviewed({ parts }: Desk, attempt: Attempt, runId: string) {
  const { store, clock, deliverer, report } = parts
  const image = store.images.byId(attempt.imageId)
  if (!image) return
  try {
    adoptRun(store, image, runId, clock)
  } catch (error) {
    // A person, in another window, was faster.
    if (error instanceof DecisionError) return
    throw error
  }
  deliverer.changed(store.batches.bySeq(attempt.batchSeq))
  report({ kind: 'image', imageId: image.id })
}
