import type { Attempt } from '../store/rows.ts'
import { clockIsClear, coarseness, fits } from './evidence.ts'
import type { StrangeRun } from './evidence.ts'
import type { Bounds } from './service-time.ts'

/**
 * Which of several questions a new run answers. The lane sends nothing for a while after each lost answer, so the
 * moments at which questions were sent lie far apart, and a run's `created` says which of them it belongs to, as long
 * as `created` and `Date` are of one clock. Pure, like `evidence.ts`; what it assumes beyond that is decision 0021.
 */

/** A run of ours in the list, and when it was sent (service time, ms). */
export interface OwnRun {
  readonly attemptId: number
  readonly createdMs: number
  readonly sentFrom: number
  readonly sentTo: number
}

/** One reading of the unfiltered list, from its newest run down to below the oldest question. */
export interface AccountReading {
  /** Moment of asking (monotonic). */
  readonly at: number
  /** Runs by which the total is larger than ours account for; undefined where a total is missing. */
  readonly appeared: number | undefined
  /** Runs that the ledger does not know, newest first. */
  readonly unknown: readonly StrangeRun[]
  readonly complete: boolean
  readonly time: Bounds | undefined
  /** A run that counts as ours was not seen yet. */
  readonly doubtful: boolean
  /** Runs of ours in it that were acknowledged. */
  readonly own: readonly OwnRun[]
  /** Created, of its newest run (service time, ms). */
  readonly newest: number | undefined
}

/** What the moment of sending may be vague by, and `created` lie behind it, for a run to show that the clocks agree. */
const promptMs = 3000
/** Parts of the holding time that must lie between two questions, and that a run may be accepted late by. */
const apart = 1 / 2
const lateness = 1 / 4
/** Part of the holding time over which readings must agree. */
const agreed = 1 / 4

/** None of our runs was created before it was sent, and one at least right after: then the clocks are one. */
function clocksAgree(own: readonly OwnRun[]): boolean {
  return (
    own.every((run) => run.createdMs >= run.sentFrom - coarseness) &&
    own.some((run) => Math.max(run.createdMs, run.sentTo) <= run.sentFrom + promptMs)
  )
}

/**
 * The questions that the new runs answer, all of the runs or none: pairs of attempt and run id.
 * @param questions two or more, oldest first.
 * @param holdMs for so long nothing was sent after each.
 */
export function attribute(
  questions: readonly Attempt[],
  readings: readonly AccountReading[],
  holdMs: number,
): readonly { readonly attempt: Attempt; readonly runId: string }[] {
  const last = readings.at(-1)
  if (!last || last.unknown.length === 0 || !haveAgreed(readings, holdMs * agreed)) return []
  if (!clocksAgree(last.own) || !areApart(questions, holdMs)) return []
  if (!questions.every((attempt) => clockIsClear(attempt, last, holdMs))) return []
  const found = new Map<number, string>()
  for (const run of last.unknown) {
    const attempt = questions.findLast((one) => run.createdMs >= one.sentFrom! - coarseness)
    if (!attempt || run.offered || found.has(attempt.id) || !fits(attempt, run)) return []
    if (run.createdMs > attempt.closedTo! + holdMs * lateness) return []
    // Older than a run of ours that was acknowledged before this was sent: then it is not this one's.
    if (last.own.some((own) => own.attemptId < attempt.id && own.createdMs > run.createdMs)) return []
    found.set(attempt.id, run.runId)
  }
  return questions
    .filter((attempt) => found.has(attempt.id))
    .map((attempt) => ({ attempt, runId: found.get(attempt.id)! }))
}

/** All readings of the last so many ms show the same new runs: what else is to show would have shown by then. */
function haveAgreed(readings: readonly AccountReading[], forMs: number): boolean {
  const last = readings.at(-1)!
  const from = readings.findLastIndex((reading) => reading.at <= last.at - forMs)
  const same = (reading: AccountReading) =>
    reading.unknown.length === last.unknown.length &&
    reading.unknown.every((run) => last.unknown.some((one) => one.runId === run.runId))
  return from >= 0 && readings.slice(from).every((reading) => isSound(reading) && same(reading))
}

/** The total grew by exactly the runs that are new, and nothing of ours is missing. */
function isSound(reading: AccountReading): boolean {
  return reading.complete && !reading.doubtful && reading.appeared === reading.unknown.length
}

/** Between the end of one and the sending of the next lies time in which nothing was sent. */
function areApart(questions: readonly Attempt[], holdMs: number): boolean {
  return questions.every((next, index) => {
    const earlier = questions[index - 1]
    return !earlier || next.sentFrom! - coarseness - earlier.closedTo! >= holdMs * apart
  })
}
