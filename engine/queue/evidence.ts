import type { RunSummary } from '../../shared/wire.ts'
import type { Attempt } from '../store/rows.ts'
import type { Bounds } from './service-time.ts'
import { say } from '../../shared/language/say.ts'

/**
 * What the service's list says about a submission whose answer was lost, judged (docs/reliability.md, promise 1). Pure: the same
 * readings always give the same verdict. It rests on two assumptions that decision 0004 states: an accepted
 * run shows in the list within the waiting time, and none is accepted later than that after its connection closed.
 */

/** A run in the list that the ledger does not know. */
export interface StrangeRun {
  readonly runId: string
  readonly appId: string
  readonly status: string
  /** As the service wrote it, and in ms since the epoch (NaN where it is no time). */
  readonly created: string
  readonly createdMs: number
  readonly credits: number
  /** A person was shown it as the answer to an earlier question. */
  readonly offered?: boolean | undefined
}

/** One reading of the unfiltered list, from its newest run down to below the moment of sending. */
export interface Reading {
  /** Runs by which the total grew beyond ours since the attempt's total was taken; undefined where a total is missing. */
  readonly appeared: number | undefined
  readonly strange: readonly StrangeRun[]
  /** The same, but created before the moment of sending as far as the clocks are to be believed; newest first. */
  readonly earlier?: readonly StrangeRun[]
  /** False when the pages ended before reaching back far enough. */
  readonly complete: boolean
  /** The service's time when it answered. */
  readonly time: Bounds | undefined
  /** A run that counts as ours was not seen yet: the total may not hold it. */
  readonly doubtful?: boolean | undefined
}

export interface Circumstances {
  /** Waiting time, in ms. */
  readonly settleMs: number
  /** Part of it for which nothing else is sent, in ms; the whole where it is as long. */
  readonly holdMs: number
  /** Other submissions of the connection are in question too: what appears need not be this one's. */
  readonly others: boolean
  /** What appears has not been seen for long enough to be told apart between them (attribution.ts). */
  readonly young?: boolean
  /** Another submission of the same picture waits for a person: what appears may be its run, and nobody would see it. */
  readonly twin?: boolean
  /** True while the account has never shown a run that is not ours. */
  readonly solitary: boolean
  /** Runs created later than this, in the time of `created`, were made since this program met the account. */
  readonly firstSeen: number
  readonly mayResend: boolean
  /** Waiting times that have passed on our own monotonic clock since the readings began. */
  readonly waited: number
  /** A run that counts as ours was never seen at the service: what the total says of others is not certain. */
  readonly ownInDoubt: boolean
}

export type Verdict =
  | { readonly kind: 'wait' }
  /** So far every reading shows nothing: other images may be sent meanwhile, this one not yet. */
  | { readonly kind: 'rest' }
  | { readonly kind: 'adopt'; readonly runId: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'review'; readonly why: string; readonly candidates: readonly StrangeRun[] }

/** A service may write `created` in whole seconds. */
export const coarseness = 1000
/** Our knowledge of the service's time may not be vaguer than this, or the waiting time where that is longer. */
const vaguest = 5000
const leastReadings = 3
/** Waiting times after which what is still unclear is left to a person. */
const mostWaits = 2
/** A short waiting time is no reason for haste: `Date` comes in whole seconds, and readings fail. */
export const leastPatienceMs = 20_000
/** On a shared account, runs created so long before the moment of sending may still be the one in question, in ms. */
export const widestSkew = 60_000
/** Runs from before the moment of sending that a person is shown at the most. */
export const mostOffered = 10
/** Why a person is asked where no list could be read at all. */
export const listUnreadable = say`The list of runs cannot be read, so it is not known whether it was taken.`

export function judge(attempt: Attempt, readings: readonly Reading[], now: Circumstances): Verdict {
  const last = readings.at(-1)
  if (!last) return { kind: 'wait' }
  const candidates = candidatesOf(attempt, last, now.settleMs)
  const clear = clockIsClear(attempt, last, now.settleMs)
  const before = readings.at(-2)
  if (clear && before && mayAdopt(attempt, before, last, now)) {
    return { kind: 'adopt', runId: candidates[0]!.runId }
  }
  // Either clock may be set while we wait; the time has passed when both say so.
  const passed = now.waited >= 1 && clear && last.time!.from >= attempt.closedTo! + now.settleMs
  const enough = readings.filter((reading) => !reading.doubtful).length >= leastReadings
  const nothing = readings.every((reading) => isNothing(attempt, reading, now))
  const quiet = nothing && enough && clear && !now.ownInDoubt
  const held = now.holdMs < now.settleMs && now.waited * now.settleMs >= now.holdMs
  if (quiet && held && now.solitary && !passed) return { kind: 'rest' }
  const patient =
    now.waited * now.settleMs < Math.max(mostWaits * now.settleMs, now.settleMs + leastPatienceMs)
  if (now.waited < 1 || readings.length < leastReadings) return { kind: 'wait' }
  const justSeen = now.young === true || (before !== undefined && last.strange.length > before.strange.length)
  if (patient && ((clear && !passed) || now.ownInDoubt || !enough || justSeen)) return { kind: 'wait' }
  if (quiet && passed && now.mayResend) return { kind: 'absent' }
  const why =
    quiet && passed
      ? say`It was sent again as often as is safe.`
      : reasonOf(attempt, last, candidates, clear, now)
  return { kind: 'review', why, candidates: toOffer(last, last.appeared, now) }
}

/** One new run, one more in the total, in two readings that agree, and nobody else whose it could be. */
function mayAdopt(attempt: Attempt, before: Reading, last: Reading, now: Circumstances): boolean {
  const [run] = candidatesOf(attempt, last, now.settleMs)
  if (!run || now.others || now.twin === true || !now.solitary || !last.complete || run.offered) return false
  // While other images are sent, what comes later than an answer could have is not taken for one.
  const late = now.waited * now.settleMs > now.holdMs && now.holdMs < now.settleMs
  if (late && run.createdMs > attempt.closedTo! + now.holdMs) return false
  return [before, last].every((reading) => {
    const candidates = candidatesOf(attempt, reading, now.settleMs)
    return candidates.length === 1 && candidates[0]!.runId === run.runId && reading.appeared === 1
  })
}

/** A run of the list that the ledger does not know. */
export function strangeRun(run: RunSummary): StrangeRun {
  const { runId, appId, status, created, createdMs, creditsCharged } = run
  return { runId, appId, status, created, createdMs, credits: creditsCharged ?? 0 }
}

function isNothing(attempt: Attempt, reading: Reading, now: Circumstances): boolean {
  // `created` and `Date` need not come from one clock: on a solitary account any run that is not ours is one too many.
  const since = now.solitary ? -Infinity : (attempt.sentFrom ?? 0) - widestSkew
  return (
    reading.complete &&
    reading.strange.length === 0 &&
    !(reading.earlier ?? []).some((run) => run.createdMs >= since && run.createdMs > now.firstSeen) &&
    // A run of ours that the list has not got yet leaves the total below what it should be.
    (reading.appeared === 0 || (reading.doubtful === true && (reading.appeared ?? 1) < 0))
  )
}

/**
 * What a person is shown. The marks that a rule relies on (time, price, app) may be wrong on a service whose clocks
 * disagree, so nothing that could be the run is kept back: all that is new, and the newest of the others when the
 * total grew by more than that, or is not to be relied on, or nobody else should be there at all.
 */
function toOffer(reading: Reading, appeared: number | undefined, now: Circumstances): StrangeRun[] {
  const unsure = appeared === undefined || now.solitary || now.ownInDoubt || !now.mayResend
  const missing = (unsure ? mostOffered : Math.min(mostOffered, appeared)) - reading.strange.length
  return [...reading.strange, ...(reading.earlier ?? []).slice(0, Math.max(0, missing))]
}

function candidatesOf(attempt: Attempt, reading: Reading, settleMs: number): StrangeRun[] {
  return reading.strange.filter(
    (run) =>
      fits(attempt, run) &&
      (attempt.sentFrom === null || run.createdMs >= attempt.sentFrom - coarseness) &&
      (attempt.closedTo === null || run.createdMs <= attempt.closedTo + settleMs),
  )
}

/** App and price are those of the attempt. */
export function fits(attempt: Attempt, run: StrangeRun): boolean {
  return run.appId === attempt.appId && priceFits(attempt, run.credits)
}

/** A charge of 0 says nothing yet: when the service charges is not documented. */
function priceFits(attempt: Attempt, credits: number): boolean {
  if (credits === 0) return true
  return credits >= (attempt.priceMin ?? 0) && credits <= (attempt.priceMax ?? Infinity)
}

/** The moment of sending, of closing and of reading are known in the service's time, narrowly enough. */
export function clockIsClear(attempt: Attempt, reading: Pick<Reading, 'time'>, settleMs: number): boolean {
  return (
    attempt.sentFrom !== null &&
    attempt.sentTo !== null &&
    attempt.closedTo !== null &&
    reading.time !== undefined &&
    reading.time.to - reading.time.from <= Math.max(settleMs, vaguest) &&
    attempt.sentTo - attempt.sentFrom <= Math.max(settleMs, vaguest)
  )
}

function reasonOf(
  attempt: Attempt,
  reading: Reading,
  candidates: readonly StrangeRun[],
  clear: boolean,
  { solitary, twin = false }: Circumstances,
): string {
  if (!reading.complete) return say`The list of runs does not reach back to the moment of sending.`
  if (attempt.totalBefore === null) return say`How many runs the account had before it was sent is not known.`
  if (reading.appeared === undefined) return say`The list of runs shows no total.`
  if (!clear) return say`The clock of the service is not known well enough.`
  if (candidates.length > 1) return say`Several runs on the account could be this picture.`
  if (candidates.length === 1 && !solitary) {
    return say`A run on the account could be this picture, but others use the account as well.`
  }
  if (candidates.length === 1 && twin) {
    return say`A run on the account could be this one, or another one of the same picture that needs a decision too.`
  }
  return say`The list of runs and its total do not agree about what was started.`
}
