import type { RunSummary } from '../../shared/wire.ts'
import type { Collector } from './collector.ts'
import type { Desk } from './desk.ts'
import { leftBehind, type Flight, type Listing } from './flights.ts'
import { planLooks, withoutGap, type Look, type ReadTimes } from './looks.ts'
import { pageSize, type PollLimits } from './poll-plan.ts'
import { SingleRuns } from './single-runs.ts'

const limits = { shortest: 500, longest: 5000, longestFrugal: 15_000, longestHeard: 60_000 }
/** While every end is announced a list is asked for only to make sure: patience is so many times as long. */
const heardPatience = 8
/** While the service's concurrency, or its speed, is not known, and when nothing is left to submit. */
const eagerMs = 1000
const unlearned = 5
const unlearnedMs = 2000
const drainMs = 2000
/** While lists are broken: how often it is looked whether they are worth another try, in ms. */
const retryLookMs = 1000
/** The last runs of a batch are its lag: so few are looked at more often. */
const lastFew = 4
const lastFewMs = 900
/** Ticks in a row that no list shows a run, and medians of its age, after which it is asked for by itself. */
const mostUnseen = 5
const mostMedians = 3
/** Pages of the unfiltered list that are read to see what became of runs never seen in progress. */
const mostPagesToCheck = 4

/** A listing with what the answer says beside its rows. */
interface Read extends Listing {
  readonly total: number | undefined
  readonly rows: readonly RunSummary[]
}

/**
 * The one poller of all runs of a connection. It asks the list of runs in progress when the next unnoticed
 * completion is worth a request, only the pages that matter, and leaves every run that has left the list to the
 * collector (docs/decisions/0005). With one run in flight it asks for that run itself.
 */
export class Poller {
  readonly #desk: Desk
  readonly #collector: Collector
  readonly #singles: SingleRuns
  /** Moments at which the lists were last asked for. */
  readonly #readAt: ReadTimes = { successes: -Infinity, oldest: -Infinity, all: -Infinity, pages: new Map() }
  /** Runs created up to this moment (service time) are too old to stand on the first page of successes. */
  #horizon = -Infinity
  #lastTick = -Infinity
  #strangersInProgress = 0

  constructor(desk: Desk, collector: Collector) {
    this.#desk = desk
    this.#collector = collector
    this.#singles = new SingleRuns(desk)
  }

  async run(signal: AbortSignal) {
    const desk = this.#desk
    const { clock } = desk.parts
    while (!signal.aborted) {
      const flights = this.#aloft()
      const now = clock.monotonic()
      if (flights.length === 0 || desk.state === 'key-rejected') {
        await desk.pollBell.wait(5000, signal)
        continue
      }
      const next = desk.lists.broken ? this.#askOne(flights) : this.#nextDue(flights, now) - now
      const wait = Math.max(desk.pauseMs, next)
      if (wait > 0) {
        await desk.pollBell.wait(wait, signal)
        continue
      }
      if (!desk.lists.broken) await this.#tick(flights, signal)
    }
  }

  /** Without lists; returns the time until the next run is due, or until they are worth another try. */
  #askOne(flights: readonly Flight[]): number {
    if (this.#desk.pauseMs > 0) return this.#desk.pauseMs
    const wait = this.#singles.ask(flights, this.#draining())
    return Math.min(wait, retryLookMs)
  }

  /** Flights that a list may still say something about. */
  #aloft(): Flight[] {
    return [...this.#desk.flights.values()].filter(
      (flight) => !flight.left && !flight.suspected && !flight.asking,
    )
  }

  #limits(draining: boolean): PollLimits {
    const { settings } = this.#desk.parts
    const shortest = Math.max(limits.shortest, this.#desk.pacer.listIntervalMs)
    if (this.#isHeard(draining))
      return { patience: settings.patience * heardPatience, shortest, longest: limits.longestHeard }
    let longest = settings.patience > 1 ? limits.longestFrugal : limits.longest
    if (this.#searching(draining)) longest = eagerMs
    else if (this.#desk.durations.count < unlearned) longest = unlearnedMs
    else if (draining) {
      longest = Math.min(
        longest,
        (this.#desk.flights.size <= lastFew ? lastFewMs : drainMs) * settings.patience,
      )
    }
    return {
      patience: settings.patience,
      shortest,
      longest: Math.max(longest, shortest),
    }
  }

  /** Notices tell when a run has ended; how the service works has been learned. */
  #isHeard(draining: boolean): boolean {
    const { announcements, durations } = this.#desk
    return announcements.trusted && durations.count >= unlearned && !this.#searching(draining)
  }

  /** The window still grows, and is what holds submissions back. */
  #searching(draining: boolean): boolean {
    return this.#desk.window.searching && !draining
  }

  /** Nothing waits to be submitted: the lag of the last runs is now the batch's own. */
  #draining(): boolean {
    const { store, connectionId } = this.#desk.parts
    return store.batches.running(connectionId).every((batch) => store.batches.counts(batch.seq).waiting === 0)
  }

  /** Runs that count for the hazard: seen in progress, or not known to be queued. */
  #working(flights: readonly Flight[]): Flight[] {
    const seen = flights.filter((flight) => flight.startedBetween)
    if (this.#desk.window.capacity === undefined || seen.length < this.#desk.window.capacity) {
      const room = (this.#desk.window.capacity ?? Infinity) - seen.length
      const unseen = flights.filter((flight) => !flight.startedBetween)
      return [...seen, ...unseen.slice(0, Math.max(0, room))]
    }
    return seen
  }

  #nextDue(flights: readonly Flight[], now: number): number {
    return Math.min(...this.#looks(flights, now).map((look) => look.at))
  }

  #looks(flights: readonly Flight[], now: number): Look[] {
    const draining = this.#draining()
    const heard = this.#isHeard(draining)
    const searching = this.#searching(draining)
    return planLooks({
      working: heard ? this.#desk.announcements.asHeard(this.#working(flights)) : this.#working(flights),
      strangers: this.#strangersInProgress,
      searching,
      steady: !heard && !searching && !draining,
      durations: this.#desk.durations,
      now,
      lastTick: this.#lastTick,
      readAt: this.#readAt,
      horizon: this.#horizon,
      limits: this.#limits(draining),
    })
  }

  async #tick(flights: readonly Flight[], signal: AbortSignal) {
    const { clock } = this.#desk.parts
    const now = clock.monotonic()
    const alone = flights.length === 1 && this.#desk.flights.size === 1 && !this.#desk.window.searching
    // A look that is nearly due comes along: the next tick is then later.
    const due = this.#looks(flights, now).filter((look) => look.at - now < limits.shortest / 2)
    const tick = this.#isHeard(this.#draining()) ? limits.shortest : now - this.#lastTick
    this.#desk.tickMs = Math.min(limits.longestFrugal, Math.max(limits.shortest, tick))
    this.#lastTick = now
    if (alone) {
      await this.#collector.ask(flights[0]!, signal)
      return
    }
    const successes = due.find((look) => look.status === 'SUCCESS')
    const numbers = due.filter((look) => look.status === 'IN_PROGRESS').flatMap((look) => look.pages)
    await Promise.all([
      successes && this.#readSuccesses(signal),
      numbers.length > 0 && this.#readProgress(flights, withoutGap(numbers), signal),
    ])
    this.#desk.collectBell.ring()
    this.#desk.laneBell.ring()
  }

  /** Runs that succeeded, newest first; what is not among them, but not older than they are, is still alive. */
  async #readSuccesses(signal: AbortSignal) {
    const quiet = !this.#desk.laneBusy
    const listing = await this.#list('SUCCESS', [1], signal)
    if (!listing || signal.aborted) return
    this.#readAt.successes = listing.askedAt
    this.#desk.watchStrangers(listing.rows, quiet)
    const times = listing.rows.map((row) => row.createdMs)
    this.#horizon = listing.toTheEnd || times.length === 0 ? -Infinity : Math.min(...times)
    const status = new Map(listing.rows.map((row) => [row.runId, row]))
    for (const flight of this.#desk.flights.values()) {
      const row = status.get(flight.runId)
      if (row?.status === 'SUCCESS' || row?.status === 'FAILED') {
        flight.created = row.createdMs
        this.#left(flight)
      } else if ((flight.created ?? Infinity) > this.#horizon && flight.ackedAt < listing.askedAt) {
        flight.aliveAt = Math.max(flight.aliveAt, listing.askedAt)
      }
    }
  }

  async #readProgress(flights: readonly Flight[], pages: readonly number[], signal: AbortSignal) {
    const quiet = !this.#desk.laneBusy
    const listing = await this.#list('IN_PROGRESS', pages, signal)
    if (!listing || signal.aborted) return
    for (const page of listing.pages.keys()) this.#readAt.pages.set(page, listing.askedAt)
    if (listing.toTheEnd) this.#readAt.oldest = listing.askedAt
    if (listing.toTheEnd && listing.pages.has(1)) {
      this.#readAt.all = listing.askedAt
      this.#strangersInProgress = listing.rows.filter((row) => !this.#desk.flights.has(row.runId)).length
    }
    this.#desk.watchStrangers(listing.rows, quiet)
    this.#markSeen(listing.rows, listing.askedAt)
    for (const flight of leftBehind(flights, listing)) this.#left(flight)
    await this.#account(flights, listing, signal)
  }

  async #list(
    status: 'IN_PROGRESS' | 'SUCCESS' | 'all',
    pages: readonly number[],
    signal: AbortSignal,
  ): Promise<Read | undefined> {
    const { service, clock } = this.#desk.parts
    const askedAt = clock.monotonic()
    const read = new Map<number, readonly RunSummary[]>()
    let total: number | undefined
    let more = true
    const ask = async (page: number) => {
      await this.#desk.pacer.take('list')
      if (signal.aborted) return false
      const answer = await service.list({ page, limit: pageSize, status })
      this.#desk.heedList(answer)
      if (answer.kind !== 'ok') return false
      read.set(page, answer.value.runs)
      total = answer.value.total ?? total
      const { runs, unreadable, hasMore = runs.length === pageSize } = answer.value
      // A row that cannot be read may be any of ours: such a list proves nothing by absence.
      if (page === Math.max(...read.keys())) more = (hasMore && runs.length > 0) || unreadable > 0
      return true
    }
    const all = await Promise.all(pages.map(ask))
    if (all.includes(false)) return undefined
    return { askedAt, pages: read, toTheEnd: !more, total, rows: [...read.values()].flat() }
  }

  #markSeen(rows: readonly RunSummary[], askedAt: number) {
    for (const row of rows) {
      const flight = this.#desk.flights.get(row.runId)
      if (!flight) continue
      flight.aliveAt = Math.max(flight.aliveAt, askedAt)
      flight.unseen = 0
      if (Number.isFinite(row.createdMs)) flight.created = row.createdMs
      if (row.status === 'IN_PROGRESS') this.#started(flight, askedAt)
    }
  }

  #started(flight: Flight, seenAt: number) {
    if (flight.startedBetween) return
    flight.startedBetween = { from: Math.min(flight.waitingAt, seenAt), to: seenAt }
    this.#desk.parts.store.images.patch(flight.imageId, 'running', { serviceStatus: 'IN_PROGRESS' })
    this.#desk.parts.report({ kind: 'image', imageId: flight.imageId })
  }

  #left(flight: Flight) {
    flight.left = true
    flight.askAfter = Math.max(flight.askAfter, 0)
  }

  /**
   * Runs that were never seen in progress are either queued or already finished. They count as queued while the
   * service is known to be full; else the unfiltered list tells.
   */
  async #account(flights: readonly Flight[], listing: Read, signal: AbortSignal) {
    const desk = this.#desk
    const unseen = flights.filter(
      (flight) => !flight.left && !flight.startedBetween && flight.ackedAt < listing.askedAt,
    )
    const working = flights.filter((flight) => !flight.left && flight.startedBetween).length
    const inProgress = Math.max(working, (listing.total ?? listing.rows.length) - this.#strangersInProgress)
    let queued = Math.max(0, unseen.length - Math.max(0, inProgress - working))
    const full = desk.window.capacity !== undefined && inProgress >= desk.window.capacity
    if (unseen.length > 0 && !full && (listing.pages.has(1) || inProgress === 0)) {
      queued = await this.#check(unseen, signal)
    } else if (full) {
      for (const flight of unseen) flight.waitingAt = listing.askedAt
    }
    if (signal.aborted) return
    desk.window.observe(
      {
        inProgress,
        queued,
        rate: inProgress / (desk.durations.mean / 1000),
        lagMs: desk.tickMs + desk.rttMs + 200,
      },
      desk.inFlight,
    )
    this.#overdue(flights, listing.askedAt)
  }

  /** What the unfiltered list says of these runs; returns how many of them are queued. */
  async #check(unseen: readonly Flight[], signal: AbortSignal): Promise<number> {
    const pages = Math.min(mostPagesToCheck, Math.ceil((unseen.length + 5) / pageSize))
    const quiet = !this.#desk.laneBusy
    const listing = await this.#list(
      'all',
      Array.from({ length: pages }, (_, index) => index + 1),
      signal,
    )
    if (!listing) return unseen.length
    this.#desk.watchStrangers(listing.rows, quiet)
    this.#markSeen(listing.rows, listing.askedAt)
    const status = new Map(listing.rows.map((row) => [row.runId, row.status]))
    let queued = 0
    for (const flight of unseen) {
      switch (status.get(flight.runId)) {
        case 'IN_QUEUE':
          queued += 1
          flight.waitingAt = listing.askedAt
          break
        case 'SUCCESS':
        case 'FAILED':
          this.#left(flight)
          break
        case undefined:
          flight.unseen += 1
          break
        case 'IN_PROGRESS':
        default:
      }
    }
    return queued
  }

  /** Safety net: a run that lists keep silent about, or that is far too old, is asked for by itself. */
  #overdue(flights: readonly Flight[], askedAt: number) {
    const oldest = mostMedians * this.#desk.durations.median
    for (const flight of flights) {
      if (flight.left || flight.askAfter > askedAt) continue
      const silent = flight.unseen >= mostUnseen
      const old = flight.startedBetween && askedAt - flight.startedBetween.to > Math.max(oldest, 60_000)
      if (!silent && !old) continue
      this.#left(flight)
      flight.askAfter = askedAt
      flight.unseen = 0
    }
  }
}
