import type { Attempt } from '../store/rows.ts'
import type { Desk } from './desk.ts'
import { judge, leastPatienceMs, listUnreadable, strangeRun } from './evidence.ts'
import type { Reading, StrangeRun, Verdict } from './evidence.ts'
import { pageSize } from './poll-plan.ts'

/** Moments of the readings, as fractions of the waiting time; later ones repeat the last step. */
const schedule = [0, 0.01, 0.03, 0.07, 0.15, 0.3, 0.5, 0.75, 1]
const shortestGapMs = 250
const firstWaitMs = 300
/** Automatic resends of one image, each on its own proof of absence. */
const mostResends = 3
/** Pages read back at the most; older than that the evidence is left to a person. */
const mostPages = 20
/** Readings in a row that fail although the service answers, over the whole waiting time, end the search. */
const leastBlind = 3

export type Outcome =
  | { readonly kind: 'adopted'; readonly runId: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'review' }

/** Settles submissions whose answer was lost, by reading the service's list until the evidence is clear. */
export class Reconciler {
  readonly #desk: Desk
  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** Reads and judges until there is a verdict, and commits it; undefined when the signal ended it first. */
  async settle(question: Attempt, signal: AbortSignal): Promise<Outcome | undefined> {
    const { clock, settings, store } = this.#desk.parts
    let attempt = question
    const startedAt = clock.monotonic()
    const readings: Reading[] = []
    let blind: { readonly since: number; readonly times: number } | undefined
    await clock.sleep(Math.min(firstWaitMs, settings.settleMs / 8), signal)
    while (!signal.aborted) {
      const askedAt = clock.monotonic()
      const reading = await this.#read(attempt, signal)
      if (reading) {
        blind = undefined
        attempt = this.#closedAt(attempt, reading)
        readings.push(reading)
        const connection = store.connections.byId(attempt.connectionId)
        const waited = clock.monotonic() - startedAt
        const verdict = judge(attempt, readings, {
          settleMs: settings.settleMs,
          solitary: connection.solitary,
          firstSeen: connection.firstSeenCreated ?? -Infinity,
          mayResend: connection.resendAllowed && this.#resends(attempt) < mostResends,
          waited: waited / settings.settleMs,
          ownInDoubt: this.#ownInDoubt(),
        })
        if (verdict.kind === 'review') this.#countStrangers(attempt, reading)
        if (verdict.kind !== 'wait') return this.#commit(attempt, verdict)
      } else if (!signal.aborted && (await this.#desk.present(askedAt))) {
        blind = { since: blind?.since ?? askedAt, times: (blind?.times ?? 0) + 1 }
        const long = Math.max(settings.settleMs, leastPatienceMs)
        if (clock.monotonic() - blind.since >= long && blind.times >= leastBlind)
          return this.#commit(attempt, unreadable(readings.at(-1)))
      }
      await clock.sleep(this.#gap(clock.monotonic() - startedAt, readings.length), signal)
    }
    return undefined
  }

  /** Runs that were acknowledged, but that no list and no GET has shown yet: the total may not count them. */
  #ownInDoubt(): boolean {
    for (const flight of this.#desk.flights.values()) {
      if (flight.created === undefined || flight.puzzles > 0) return true
    }
    return false
  }

  /** Each open question accounts for one new run at most; one more, and somebody else uses the account. */
  #countStrangers(attempt: Attempt, { strange }: Reading) {
    const { ledger } = this.#desk.parts.store
    const open = ledger.open(attempt.connectionId, 'review').length
    if (strange.length > open + 1) this.#desk.shared(strange[0]!.runId)
  }

  #resends(attempt: Attempt): number {
    return this.#desk.parts.store.images.byId(attempt.imageId)!.resends
  }

  /** Until the next reading is due; never so long that the end of the waiting time is missed by much. */
  #gap(waited: number, readings: number): number {
    const { settleMs } = this.#desk.parts.settings
    const next = schedule.find((fraction, index) => index >= readings && fraction * settleMs > waited)
    const until = next === undefined ? Math.min(1000, settleMs / 4) : next * settleMs - waited
    return Math.max(shortestGapMs, until, this.#desk.pauseMs)
  }

  /** After a crash nobody saw the connection close: the first reading's moment stands for it, on the safe side. */
  #closedAt(attempt: Attempt, reading: Reading): Attempt {
    if (attempt.closedTo !== null || reading.time === undefined) return attempt
    this.#desk.parts.store.ledger.setClosed(attempt.id, reading.time.to)
    return { ...attempt, closedTo: reading.time.to }
  }

  async #read(attempt: Attempt, signal: AbortSignal): Promise<Reading | undefined> {
    const { store, service } = this.#desk.parts
    const strange: StrangeRun[] = []
    const earlier: StrangeRun[] = []
    let total: number | undefined
    let complete = false
    const firstSeen = store.connections.byId(attempt.connectionId).firstSeenCreated ?? -Infinity
    const floor = (attempt.sentFrom ?? attempt.watermarkCreated ?? 0) - 1000
    for (let page = 1; page <= mostPages && !complete; page += 1) {
      await this.#desk.pacer.take('list')
      if (signal.aborted) return undefined
      const answer = await service.list({ page, limit: pageSize, status: 'all' })
      this.#desk.heedList(answer)
      if (answer.kind !== 'ok') return undefined
      const { runs, unreadable, hasMore = runs.length === pageSize } = answer.value
      // Behind a row that cannot be read our run may hide.
      if (unreadable > 0) return undefined
      if (page === 1) total = answer.value.total
      for (const run of runs) {
        if (store.ledger.knows(run.runId)) continue
        const among = run.createdMs >= floor ? strange : earlier
        if (among === earlier && run.createdMs < firstSeen) continue
        if (among === earlier && store.ledger.offeredElsewhere(run.runId, attempt.id)) continue
        if (!among.some((known) => known.runId === run.runId)) among.push(strangeRun(run))
      }
      complete = !hasMore || runs.length === 0 || runs.some((run) => run.createdMs < floor)
    }
    return {
      total,
      ownSince: store.ledger.runsAfter(attempt),
      strange,
      earlier,
      complete,
      time: this.#desk.serviceTime.now(),
    }
  }

  #commit(attempt: Attempt, verdict: Exclude<Verdict, { kind: 'wait' }>): Outcome {
    const { store, clock } = this.#desk.parts
    const settledAt = clock.now()
    return store.transaction((): Outcome => {
      switch (verdict.kind) {
        case 'adopt':
          store.ledger.move(attempt.id, 'adopted', { runId: verdict.runId, settledAt })
          store.images.move(attempt.imageId, 'submitting', 'running', { runId: verdict.runId, error: null })
          return { kind: 'adopted', runId: verdict.runId }
        case 'absent':
          store.ledger.move(attempt.id, 'absent', { settledAt })
          store.images.move(attempt.imageId, 'submitting', 'waiting', { resends: this.#resends(attempt) + 1 })
          return { kind: 'absent' }
        case 'review':
          store.ledger.move(attempt.id, 'review', { detail: verdict.why, settledAt })
          store.ledger.setCandidates(attempt.id, verdict.candidates)
          store.images.move(attempt.imageId, 'submitting', 'review', { error: verdict.why })
          return { kind: 'review' }
      }
    })
  }
}

/** Never absent, and never adopted, without a list: a person decides, with what an earlier reading may have shown. */
function unreadable(last: Reading | undefined): Exclude<Verdict, { kind: 'wait' }> {
  return { kind: 'review', why: listUnreadable, candidates: last?.strange ?? [] }
}
