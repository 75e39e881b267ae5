import type { Clock } from '../clock.ts'
import type { Store } from '../store/store.ts'
import { Bell } from './bell.ts'
import type { Durations } from './durations.ts'
import { startOf, type Flight } from './flights.ts'

/** Announcements in a row that were found true, after which the lists are asked for less. */
const enough = 3
/** A run that is known to be finished may be announced so much later before its silence counts, in ms. */
const graceMs = 10_000
/** Asked for by itself on somebody's word so often at the most: a word may be false, or said too often. */
const mostAsks = 5
/** Submissions of which something was said before their answer was there; more than can be open at a time. */
const mostTold = 1000
/** Run ids that are looked at for one submission; a true notice names one. */
const mostNames = 5
/** Silence says nothing of a run that is older than nearly all were when they were finished; in spreads. */
const nearlyAll = 1.3
/** A notice takes some time to come, in ms. */
const travelMs = 500

interface AnnouncementParts {
  readonly clock: Clock
  readonly store: Store
  readonly connectionId: number
  readonly flights: ReadonlyMap<string, Flight>
  readonly durations: Durations
  readonly collectBell: Bell
  readonly laneBell: Bell
}

/**
 * What the service's notices say (interface, 6): hints, every one of them. A run that was announced is asked for by
 * itself, and only that answer counts; a run id that came with the secret of a submission in question is evidence once
 * the run itself was read. As long as every run that ends is announced, the poller is slower (docs/decisions/0033).
 */
export class Announcements {
  readonly #parts: AnnouncementParts
  /** Run ids by attempt that are to be looked at. */
  readonly #told = new Map<number, ReadonlySet<string>>()
  readonly #bell: Bell
  #expected: number | undefined
  /** True announcements in a row. */
  #row = 0
  /** When the last true one came (monotonic). */
  #heardAt = -Infinity
  /** Runs known to be finished that nobody has announced, and until when that may still come. */
  readonly #silent = new Map<string, number>()

  constructor(parts: AnnouncementParts) {
    this.#parts = parts
    this.#bell = new Bell(parts.clock)
  }

  /** The secret of this hash came back. @param said the run id that came with it; not believed */
  hear(hash: string, said: string | undefined) {
    const { store, clock, connectionId, flights, collectBell, laneBell } = this.#parts
    const id = store.noticeSecrets.attemptOf(hash)
    if (id === undefined) return
    const attempt = store.ledger.byId(id)
    if (attempt.connectionId !== connectionId) return
    if (attempt.runId !== null) {
      const flight = flights.get(attempt.runId)
      if (flight) this.#announce(flight)
      else if (this.#silent.delete(attempt.runId)) this.#heardAt = clock.monotonic()
      collectBell.ring()
    } else if (said !== undefined) {
      this.putBack(id, [said])
      this.#bell.ring()
      laneBell.ring()
    }
  }

  /** This submission is about to leave with a secret; one at a time does. */
  expect(attemptId: number) {
    this.#expected = attemptId
  }

  /** The answer to a submission has come: what was said of it before counts for its run. */
  acknowledged(attemptId: number, flight: Flight) {
    flight.hooked = this.#expected === attemptId
    if (this.#told.delete(attemptId)) this.#announce(flight)
  }

  #announce(flight: Flight) {
    flight.announcedAt ??= this.#parts.clock.monotonic()
    if (flight.announcements >= mostAsks) return
    flight.announcements += 1
    flight.suspected = true
  }

  /** A run was read and is finished. */
  landed(flight: Flight) {
    const now = this.#parts.clock.monotonic()
    if (flight.announcedAt !== undefined) {
      this.#row += 1
      this.#heardAt = Math.max(this.#heardAt, flight.announcedAt)
    } else if (this.#row > 0) this.#silent.set(flight.runId, now + graceMs)
  }

  /** Whether every run that ended lately was announced, and every one in flight will be. */
  get trusted(): boolean {
    const now = this.#parts.clock.monotonic()
    if ([...this.#silent.values()].some((until) => until <= now)) {
      this.#silent.clear()
      this.#row = 0
    }
    return this.#row >= enough && [...this.#parts.flights.values()].every((flight) => flight.hooked)
  }

  /**
   * The same runs, as alive as they must be when notices come: whatever is not announced was at work when the last
   * notice came, as long as it is not older than nearly all runs get. Without notices, as they are.
   */
  asHeard(flights: readonly Flight[]): readonly Flight[] {
    if (!this.trusted) return flights
    const { median, spread } = this.#parts.durations
    const old = median * Math.exp(nearlyAll * spread)
    const heardAt = this.#heardAt - travelMs
    return flights.map((flight) =>
      flight.aliveAt < heardAt && heardAt - startOf(flight) < old ? { ...flight, aliveAt: heardAt } : flight,
    )
  }

  /** Attempts in question, or in review, of which a run id was said, with it; each is looked at once. */
  takeTold(): readonly (readonly [number, readonly string[]])[] {
    const { ledger } = this.#parts.store
    const taken: [number, string[]][] = []
    for (const [id, runIds] of this.#told) {
      const { state } = ledger.byId(id)
      // Its answer may still come.
      if (state === 'intent' || state === 'sending') continue
      this.#told.delete(id)
      if (state === 'unknown' || state === 'review') taken.push([id, [...runIds]])
    }
    return taken
  }

  /** These are to be looked at, or once more where they could not be. */
  putBack(attemptId: number, runIds: readonly string[]) {
    const before = this.#told.get(attemptId) ?? new Set()
    if (before.size === 0 && this.#told.size >= mostTold) return
    this.#told.set(attemptId, new Set([...before, ...runIds].slice(0, mostNames)))
  }

  /** Waits, but not on when something is said of an open submission. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    await this.#bell.wait(ms, signal)
  }

  /** Whether something was said of one of these attempts. */
  hasTold(attemptIds: Iterable<number>): boolean {
    for (const id of attemptIds) if (this.#told.has(id)) return true
    return false
  }
}
