import type { Desk } from './desk.ts'
import type { Flight } from './flights.ts'
import { dueAt } from './poll-plan.ts'

/** One run is asked no more often than this, in ms. */
const shortestMs = 1000
/** A run that is not expected to be finished is asked this often; frugal: twice as seldom. */
const longestMs = 10_000
const unlearned = 5
const unlearnedMs = 3000
/** Runs are begun in order, as far as anyone can see: of those known to be queued only the first are of interest. */
const firstQueued = 4
const queuedMs = 40_000
/** With so few runs left their lag is the batch's own. */
const lastFew = 4
const lastFewMs = 1000
/** The share of the rate of requests that goes into asking; submissions need their part. */
const share = 0.5

/**
 * Polling without a list: each run is asked for by itself, when the time that it will have been finished unnoticed is
 * worth a request, as with lists; but never more of them than a part of what the service allows.
 */
export class SingleRuns {
  readonly #desk: Desk
  #notBefore = 0

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /**
   * Has the collector ask for the run that is most due, where one is.
   * @returns ms until the next may be due; 0 to be called again at once
   */
  ask(flights: readonly Flight[], draining: boolean): number {
    const { parts, pacer, collectBell } = this.#desk
    const now = parts.clock.monotonic()
    if (now < this.#notBefore) return this.#notBefore - now
    const longest = this.#longest(draining)
    const queued = flights.filter((flight) => !flight.startedBetween && flight.waitingAt > flight.ackedAt)
    const late = new Set(queued.toSorted((a, b) => a.order - b.order).slice(firstQueued))
    let next: Flight | undefined
    let at = Infinity
    for (const flight of flights) {
      const due = late.has(flight) ? flight.aliveAt + queuedMs : this.#dueAt(flight, now, longest)
      if (due >= at) continue
      next = flight
      at = due
    }
    if (!next) return longest
    if (at > now) return at - now
    next.suspected = true
    this.#notBefore = now + 1000 / (pacer.rate * share)
    collectBell.ring()
    return 0
  }

  #longest(draining: boolean): number {
    const { parts, durations, flights } = this.#desk
    const frugal = parts.settings.patience > 1 ? 2 : 1
    if (draining && flights.size <= lastFew) return lastFewMs * frugal
    return (durations.count < unlearned ? unlearnedMs : longestMs) * frugal
  }

  #dueAt(flight: Flight, now: number, longest: number): number {
    const { parts, durations } = this.#desk
    const limits = { patience: parts.settings.patience, shortest: shortestMs, longest }
    // Until it is known to have begun it is as young as its last moment in the queue.
    const one = flight.startedBetween ? flight : { ...flight, ackedAt: flight.waitingAt }
    return dueAt([one], durations, now, flight.aliveAt, limits)
  }
}
