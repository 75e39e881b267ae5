import { queueTransitions, type QueueState } from '../../shared/states.ts'
import { Announcements } from './announcements.ts'
import { Bell } from './bell.ts'
import { Durations } from './durations.ts'
import { ListAccess } from './list-access.ts'
import { newFlight, type Flight, type ListedRun } from './flights.ts'
import { Pacer } from './pacer.ts'
import type { QueueParts } from './parts.ts'
import { ServiceTime } from './service-time.ts'
import { Window } from './window.ts'
import type { ServiceResult } from '../service/service-result.ts'
import { say } from '../../shared/language/say.ts'

/** Misses in a row after which the service counts as out of reach; fewer may be bad luck. */
const patience = 3
/** Waits after a miss, in ms: `first` when it counts as out of reach, doubled from there, halved before. */
const backoff = { least: 100, first: 1000, longest: 60_000 }

/**
 * What the queue's loops share: the runs in flight, what was learned of the service, and the queue's state. One
 * per connection and process; everything that must survive is in the store.
 */
export class Desk {
  readonly parts: QueueParts
  readonly pacer: Pacer
  readonly serviceTime: ServiceTime
  readonly durations: Durations
  readonly window: Window
  readonly lists: ListAccess
  readonly flights = new Map<string, Flight>()
  /** What the service's notices say. */
  readonly announcements: Announcements
  /** Rung when the lane, the poller or the collector may have something new to do. */
  readonly laneBell: Bell
  readonly pollBell: Bell
  readonly collectBell: Bell
  /** True from the commit of SENDING until the attempt is settled: lists may show a run before its answer is read. */
  laneBusy = false
  /** Time between the last two lists, in ms; part of the lag the window has to bridge. */
  tickMs = 1000
  rttMs = 200
  #state: QueueState = 'running'
  #message: string | undefined
  #order = 0
  #misses = 0
  #retryAt = 0
  #answeredAt = -Infinity
  #listTold = false

  constructor(parts: QueueParts) {
    this.parts = parts
    const { learned } = parts.store.connections.byId(parts.connectionId)
    this.pacer = new Pacer(parts.clock)
    this.serviceTime = new ServiceTime(parts.clock)
    this.durations = new Durations(learned.durations)
    this.window = new Window(learned.capacity)
    this.lists = new ListAccess(parts.clock)
    this.laneBell = new Bell(parts.clock)
    this.pollBell = new Bell(parts.clock)
    this.collectBell = new Bell(parts.clock)
    const { flights, durations, collectBell, laneBell } = this
    this.announcements = new Announcements({ ...parts, flights, durations, collectBell, laneBell })
  }

  get state(): QueueState {
    return this.#state
  }

  get message(): string | undefined {
    return this.#message
  }

  /** Runs at the service, as far as known. */
  get inFlight(): number {
    let n = 0
    for (const flight of this.flights.values()) if (!flight.left) n += 1
    return n
  }

  setState(state: QueueState, message?: string) {
    const same = this.#state === state
    if (same ? this.#message === message : !queueTransitions[this.#state].includes(state)) return
    this.#state = state
    this.#message = message
    this.parts.report({ kind: 'queue', state, message })
    this.ringAll()
  }

  ringAll() {
    this.laneBell.ring()
    this.pollBell.ring()
    this.collectBell.ring()
  }

  takeOff(runId: string, imageId: number, batchSeq: number): Flight {
    const flight = newFlight({
      runId,
      imageId,
      batchSeq,
      ackedAt: this.parts.clock.monotonic(),
      order: (this.#order += 1),
    })
    this.flights.set(runId, flight)
    this.pollBell.ring()
    return flight
  }

  land(flight: Flight) {
    this.flights.delete(flight.runId)
    if (flight.puzzles === 0) this.announcements.landed(flight)
    this.ringAll()
  }

  /** Takes note of what every answer says: the service's time, its limits, whether it is there at all. */
  heed(answer: ServiceResult<unknown>) {
    if (answer.kind === 'aborted') return
    if (answer.kind === 'busy') {
      this.pacer.refused(answer.retryAfterMs)
      return
    }
    if (answer.kind === 'unavailable' || answer.kind === 'not-the-service') {
      this.missed(answer.message)
      return
    }
    this.pacer.admitted()
    this.serviceTime.observe(answer.date, answer.sentAt, answer.receivedAt)
    this.rttMs = 0.9 * this.rttMs + 0.1 * answer.rttMs
    if (answer.kind === 'key-rejected') {
      this.setState('key-rejected', answer.message)
      return
    }
    this.#misses = 0
    this.#retryAt = 0
    this.#answeredAt = this.parts.clock.monotonic()
    if (this.#state !== 'offline') return
    this.lists.tryAgain()
    this.setState('running')
  }

  /** As `heed`, for a list: where lists alone fail the service is not out of reach. */
  heedList(answer: ServiceResult<unknown>) {
    switch (answer.kind) {
      case 'unavailable':
      case 'not-the-service':
      case 'refused':
      case 'not-found':
        this.lists.failed()
        if (this.#answeredAt > this.lists.failingSince) this.#tellOfLists()
        else this.missed(answer.message)
        return
      case 'ok':
        this.lists.answered(answer.rttMs)
        this.heed(answer)
        return
      case 'busy':
      case 'key-rejected':
      case 'out-of-credits':
      case 'aborted':
        this.heed(answer)
    }
  }

  #tellOfLists() {
    if (this.#listTold) return
    this.#listTold = true
    this.parts.report({
      kind: 'notice',
      message: say`The service answers, but not with its list of runs; each run is asked for by itself, and a lost answer will need a decision.`,
    })
  }

  /** Last moment at which the service answered as itself (monotonic, ms); its failing lists do not count. */
  get answeredAt(): number {
    return this.#answeredAt
  }

  /** Whether the service has answered since a moment; asks it for the balance where it has not. */
  async present(since: number): Promise<boolean> {
    if (this.#answeredAt > since) return true
    if (this.pauseMs > 0) return false
    await this.pacer.take('get')
    const answer = await this.parts.service.balance()
    this.heed(answer)
    return answer.kind === 'ok'
  }

  /** Misses in a row: the service is out of reach, and everything waits; one may be bad luck. */
  missed(message: string) {
    this.#misses += 1
    const { clock, random } = this.parts
    const wait = Math.min(backoff.longest, backoff.first * 2 ** (this.#misses - patience))
    this.#retryAt = clock.monotonic() + Math.max(backoff.least, wait) * (0.75 + random() / 2)
    if (this.#misses >= patience && this.#state === 'running') this.setState('offline', message)
  }

  /** Milliseconds until the service may be asked again; 0 while it answers. */
  get pauseMs(): number {
    return Math.max(0, this.#retryAt - this.parts.clock.monotonic())
  }

  /**
   * Watches for runs that nobody here started. While a submission is being sent or is in question its run may show
   * before it is known, so nothing is concluded then. While one waits for a person, its own run is among those that
   * were offered; only where no list could be read may it be any one that is seen.
   */
  watchStrangers(rows: readonly ListedRun[], quietBefore: boolean) {
    const { store, connectionId } = this.parts
    if (!quietBefore || this.laneBusy) return
    const connection = store.connections.byId(connectionId)
    if (!connection.solitary || connection.firstSeenCreated === null) return
    const since = connection.firstSeenCreated
    const unknown = rows.filter((row) => row.createdMs > since && !store.ledger.knows(row.runId))
    if (unknown.length === 0 || store.ledger.open(connectionId, 'unknown').length > 0) return
    const asked = store.ledger.open(connectionId, 'review').map((one) => store.ledger.candidates(one.id))
    const offered = new Set(asked.flat().map((run) => run.runId))
    const ids = new Set(unknown.map((row) => row.runId).filter((runId) => !offered.has(runId)))
    const open = asked.filter((candidates) => candidates.length === 0).length
    if (ids.size > open) this.shared([...ids][0]!)
  }

  /** Somebody else uses the account, as this run shows. */
  shared(runId: string) {
    const { store, connectionId, report } = this.parts
    if (!store.connections.byId(connectionId).solitary) return
    store.transaction(() => {
      store.connections.markShared(connectionId)
      // It may be a run that was taken for absent and sent again: that assumption is not relied on any more.
      if (store.ledger.hasAbsent(connectionId)) store.connections.forbidResends(connectionId)
    })
    report({
      kind: 'notice',
      message: say`Somebody else uses this account too (run ${runId}); a lost answer will need a decision.`,
    })
  }

  /** Keeps what was learned, for the next start. */
  remember() {
    this.parts.store.connections.learn(this.parts.connectionId, {
      durations: this.durations.samples.map(Math.round),
      ...(this.window.capacity === undefined ? {} : { capacity: this.window.capacity }),
    })
  }
}
