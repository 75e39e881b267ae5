import type { Attempt } from '../store/rows.ts'
import type { Desk } from './desk.ts'
import { say } from '../../shared/language/say.ts'

/**
 * What a start does with what the last one left, whether it ended well or was killed (docs/reliability.md, promise 2). It only
 * looks at the disk and may itself be killed at any point: doing it twice is doing it once.
 */
export function recover(desk: Desk) {
  const { store, safety, connectionId } = desk.parts
  const mark = safety.highWater()
  // Older than the mark, or so cut off that what was sent stands there as merely intended.
  const rolledBack =
    mark > store.ledger.newest() || store.ledger.open(connectionId, 'intent').some(({ id }) => id === mark)
  const rescued = safety.rescued()
  store.transaction(() => {
    for (const attempt of store.ledger.open(connectionId, 'intent')) unsent(desk, attempt)
    for (const attempt of store.ledger.open(connectionId, 'sending')) {
      const runId = rescued.get(attempt.id)
      if (runId === undefined || store.ledger.knows(runId)) inQuestion(desk, attempt)
      else acknowledge(desk, attempt, runId)
    }
    if (rolledBack) doubtWaiting(desk)
  })
  if (rolledBack) safety.raise(store.ledger.newest())
  safety.clear()
}

/** The intent was recorded, but not one byte was sent. */
function unsent(desk: Desk, attempt: Attempt) {
  const { store, clock } = desk.parts
  store.ledger.move(attempt.id, 'unsent', { detail: say`Ended before sending.`, settledAt: clock.now() })
  store.images.tryMove(attempt.imageId, 'submitting', 'waiting')
}

/** Bytes may have left; nobody read the answer. When the connection closed is learned from the service's clock. */
function inQuestion(desk: Desk, attempt: Attempt) {
  desk.parts.store.ledger.move(attempt.id, 'unknown', { detail: say`Ended while sending.`, closedTo: null })
}

function acknowledge(desk: Desk, attempt: Attempt, runId: string) {
  const { store, clock } = desk.parts
  store.ledger.move(attempt.id, 'acked', { runId, settledAt: clock.now() })
  store.images.move(attempt.imageId, 'submitting', 'running', { runId, serviceStatus: 'IN_QUEUE' })
}

/**
 * The ledger once reached further than it does now: the database was restored from a backup or lost its end, and images that it
 * calls waiting may have been sent since. A person decides, once, for each.
 */
function doubtWaiting(desk: Desk) {
  const { store, connectionId, report } = desk.parts
  const why = say`The queue was restored from an older copy; this picture may have been sent since.`
  for (const batch of store.batches.all()) {
    if (batch.connectionId !== connectionId) continue
    for (const image of store.images.inState(batch.seq, 'waiting')) {
      store.images.move(image.id, 'waiting', 'review', { error: why })
    }
  }
  report({ kind: 'notice', message: say`${why} Such images need a decision ("vitrine review").` })
}
