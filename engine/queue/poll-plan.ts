import type { Durations } from './durations.ts'
import { startOf, type Flight } from './flights.ts'

/** Rows of a list page (interface, section 8). */
export const pageSize = 50

export interface PollLimits {
  /** Run-seconds of unnoticed completion that one request is worth; 1 by default, 4 when frugal. */
  readonly patience: number
  /** Bounds of the time between two lists, in ms. */
  readonly shortest: number
  readonly longest: number
}

/** Expected run-milliseconds during which these runs will have been finished, but unnoticed, at a moment to come. */
function unnoticed(flights: readonly Flight[], durations: Durations, at: number): number {
  let sum = 0
  for (const flight of flights) {
    const ahead = at - flight.aliveAt
    if (ahead <= 0) continue
    const age = Math.max(1, flight.aliveAt - startOf(flight))
    // Simpson's rule over the chance to be finished, which is 0 at the start.
    sum += (ahead / 6) * (4 * durations.finishedWithin(age, ahead / 2) + durations.finishedWithin(age, ahead))
  }
  return sum
}

/** The moment at which waiting longer costs more lag than a request is worth; within `limits` of `now`. */
export function dueAt(
  flights: readonly Flight[],
  durations: Durations,
  now: number,
  last: number,
  limits: PollLimits,
): number {
  let low = Math.max(now, last + limits.shortest)
  let high = Math.max(low, last + limits.longest)
  const worth = limits.patience * 1000
  if (unnoticed(flights, durations, low) >= worth) return low
  if (unnoticed(flights, durations, high) < worth) return high
  for (let step = 0; step < 8; step += 1) {
    const middle = (low + high) / 2
    if (unnoticed(flights, durations, middle) < worth) low = middle
    else high = middle
  }
  return high
}

/** A run that no list has shown yet is younger than all that were shown. */
const unseen = Number.MAX_SAFE_INTEGER

/**
 * The flights that should stand on each page of the list of runs in progress, newest first: page 1 first. Runs of
 * others take places as well; `strangers` says how many, taken as evenly spread.
 */
export function pagesOf(inProgress: readonly Flight[], strangers: number): Flight[][] {
  const newestFirst = inProgress.toSorted(
    (a, b) => (b.created ?? unseen) - (a.created ?? unseen) || b.order - a.order,
  )
  const share = newestFirst.length / (newestFirst.length + strangers || 1)
  const each = Math.max(1, Math.round(pageSize * share))
  const pages: Flight[][] = []
  for (let at = 0; at < newestFirst.length; at += each) pages.push(newestFirst.slice(at, at + each))
  return pages
}
