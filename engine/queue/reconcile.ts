import type { Attempt } from '../store/rows.ts'
import { aboutOne, firstSeenOf, mostRunsAfter, readAccount, withoutRun } from './account-reading.ts'
import { attribute, type AccountReading } from './attribution.ts'
import type { Desk } from './desk.ts'
import { judge, leastPatienceMs, listUnreadable } from './evidence.ts'
import type { StrangeRun, Verdict } from './evidence.ts'

/** Moments of the readings, as fractions of the waiting time; later ones repeat the last step. */
const schedule = [0, 0.01, 0.03, 0.07, 0.15, 0.3, 0.5, 0.75, 1]
const shortestGapMs = 250
const firstWaitMs = 300
/** What a reading has shown for the first time, or could not be sure of, is looked at again so soon; one that failed. */
const secondLookMs = 1000
const retryMs = 3000
/** Automatic resends of one image, each on its own proof of absence. */
const mostResends = 3
/** Readings in a row that fail although the service answers, over the whole waiting time, end the search. */
const leastBlind = 3

type Settling = Exclude<Verdict, { kind: 'wait' | 'rest' }>

export type Outcome =
  | { readonly kind: 'adopted'; readonly runId: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'review' }

/** A question that was settled, and how. */
export interface Settled {
  readonly question: Attempt
  readonly outcome: Outcome
}

/** The account as it is while questions rest: the total that ours account for. */
export interface Ground {
  readonly total: number
  readonly newest: number | undefined
}

/**
 * Settles submissions whose answer was lost, by reading the service's list until the evidence is clear. It is called
 * by the lane between two submissions, so that no reading is taken while one is under way. What it knows of a question
 * begins anew with each process: nobody watched in between.
 */
export class Reconciler {
  readonly #desk: Desk
  /** Since when each question has been watched (monotonic). */
  #watched = new Map<number, number>()
  #readings: AccountReading[] = []
  #dueAt = 0
  #ground: Ground | undefined
  #blind: { readonly since: number; readonly times: number } | undefined

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** Milliseconds until the list is to be read again, while all questions rest and others may be sent; else undefined. */
  restsFor(questions: readonly Attempt[]): number | undefined {
    if (!this.#ground || !questions.every((one) => this.#watched.has(one.id))) return undefined
    const left = this.#dueAt - this.#desk.parts.clock.monotonic()
    return left > 0 ? left : undefined
  }

  /** What the next submission is measured by while questions rest. */
  get ground(): Ground | undefined {
    return this.#ground
  }

  /**
   * Waits until the next reading is due, reads, judges, and commits what is settled.
   * @param open every question of the connection, oldest first.
   */
  async look(open: readonly Attempt[], signal: AbortSignal): Promise<readonly Settled[]> {
    const { clock } = this.#desk.parts
    this.#watch(open)
    this.#ground = undefined
    const wait = Math.max(this.#dueAt - clock.monotonic(), this.#desk.pauseMs)
    const { announcements } = this.#desk
    if (wait > 0) await announcements.wait(wait, signal)
    // What was said of one of them is looked at first; the reading is taken when it is due.
    if (signal.aborted || announcements.hasTold(open.map((one) => one.id))) return []
    const askedAt = clock.monotonic()
    const reading = await readAccount(this.#desk, open, signal)
    if (signal.aborted) return []
    const settled = reading ? this.#judge(open, reading) : await this.#unread(open, askedAt, signal)
    const soon = reading ? this.#unclear(reading) : retryMs
    const gap = settled.length > 0 ? 0 : Math.min(soon, this.#gap(open, clock.monotonic()))
    this.#dueAt = clock.monotonic() + Math.max(shortestGapMs, gap)
    return settled
  }

  /** Takes a run for the answer to a question: its secret came back, and the run itself was read. */
  adopt(question: Attempt, runId: string): Settled {
    return this.#commit(question, { kind: 'adopt', runId })
  }

  #watch(open: readonly Attempt[]) {
    const { clock, settings } = this.#desk.parts
    const now = clock.monotonic()
    const ids = new Set(open.map((one) => one.id))
    for (const id of this.#watched.keys()) if (!ids.has(id)) this.#watched.delete(id)
    for (const id of ids) {
      if (this.#watched.has(id)) continue
      this.#watched.set(id, now)
      this.#dueAt = now + Math.min(firstWaitMs, settings.settleMs / 8)
      this.#blind = undefined
    }
    const since = Math.min(...this.#watched.values())
    this.#readings = this.#readings.filter((reading) => reading.at >= since)
  }

  /** Without a list, and the service there: in the end a person decides, about all that is open. */
  async #unread(open: readonly Attempt[], askedAt: number, signal: AbortSignal): Promise<Settled[]> {
    const { clock, settings } = this.#desk.parts
    if (signal.aborted || !(await this.#desk.present(askedAt))) return []
    this.#blind = { since: this.#blind?.since ?? askedAt, times: (this.#blind?.times ?? 0) + 1 }
    const long = Math.max(settings.settleMs, leastPatienceMs)
    if (clock.monotonic() - this.#blind.since < long || this.#blind.times < leastBlind) return []
    const last = this.#readings.at(-1)
    return open.map((question) => {
      const seen = last ? aboutOne(last, question).strange : []
      return this.#commit(question, { kind: 'review', why: listUnreadable, candidates: seen })
    })
  }

  #judge(open: readonly Attempt[], reading: AccountReading): Settled[] {
    this.#blind = undefined
    this.#readings.push(reading)
    const closed = open.map((one) => this.#closedAt(one, reading))
    const settled = this.#attribute(closed)
    let resting = true
    for (const question of this.#stillOpen(closed)) {
      const verdict = this.#verdict(question, closed.length - settled.length > 1)
      if (verdict.kind === 'review') this.#countStrangers(question)
      if (verdict.kind !== 'rest') resting = false
      if (verdict.kind === 'wait' || verdict.kind === 'rest') continue
      settled.push(this.#commit(question, verdict))
      // The others are judged anew, by what this one's end has changed.
      break
    }
    const left = this.#stillOpen(closed)
    if (resting && left.length > 0) this.#ground = this.#groundOf(left[0]!)
    return settled
  }

  /** As they are in the ledger now, without those that are settled. */
  #stillOpen(questions: readonly Attempt[]): Attempt[] {
    const { ledger } = this.#desk.parts.store
    return questions.map((one) => ledger.byId(one.id)).filter((one) => one.state === 'unknown')
  }

  /** Several questions at a time: new runs are told apart by when they were created. */
  #attribute(questions: readonly Attempt[]): Settled[] {
    const { settings, store } = this.#desk.parts
    if (questions.length < 2 || settings.holdMs >= settings.settleMs) return []
    if (!store.connections.byId(questions[0]!.connectionId).solitary) return []
    if (questions.some((one) => one.totalBefore === null || this.#hasTwin(one))) return []
    return attribute(questions, this.#readings, settings.holdMs).map(({ attempt, runId }) =>
      this.#commit(attempt, { kind: 'adopt', runId }),
    )
  }

  #verdict(question: Attempt, others: boolean): Verdict {
    const { clock, settings, store } = this.#desk.parts
    const connection = store.connections.byId(question.connectionId)
    const since = this.#watched.get(question.id)!
    const readings = this.#readings
      .filter((reading) => reading.at >= since)
      .map((reading) => aboutOne(reading, question))
    return judge(question, readings, {
      settleMs: settings.settleMs,
      holdMs: settings.holdMs,
      others,
      young: others && this.#isYoung(),
      twin: this.#hasTwin(question),
      solitary: connection.solitary,
      firstSeen: firstSeenOf(this.#desk, question),
      mayResend: connection.resendAllowed && this.#resends(question) < mostResends,
      waited: (clock.monotonic() - since) / settings.settleMs,
      ownInDoubt: this.#readings.at(-1)!.doubtful,
    })
  }

  /** Another submission of the same picture, with other settings perhaps, waits for a person. */
  #hasTwin(question: Attempt): boolean {
    const { ledger, images } = this.#desk.parts.store
    const { source } = images.byId(question.imageId)!
    return ledger
      .open(question.connectionId, 'review')
      .some(({ imageId }) => images.byId(imageId)!.source === source)
  }

  /** Undefined where going on would make the list too long to be read back. */
  #groundOf(oldest: Attempt): Ground | undefined {
    const own = this.#desk.parts.store.ledger.runsAfter(oldest)
    if (oldest.totalBefore === null || own > mostRunsAfter) return undefined
    return { total: oldest.totalBefore + own, newest: this.#readings.at(-1)?.newest }
  }

  /** Each open question accounts for one new run at most; one more, and somebody else uses the account. */
  #countStrangers(question: Attempt) {
    const { ledger } = this.#desk.parts.store
    const asked = ['review', 'unknown'] as const
    const open = asked.reduce((sum, state) => sum + ledger.open(question.connectionId, state).length, 0)
    const { strange } = aboutOne(this.#readings.at(-1)!, question)
    if (strange.length > open) this.#desk.shared(strange[0]!.runId)
  }

  #resends(attempt: Attempt): number {
    return this.#desk.parts.store.images.byId(attempt.imageId)!.resends
  }

  /** Until the next reading is due; never so long that the end of a waiting time is missed by much. */
  #gap(open: readonly Attempt[], now: number): number {
    const { settleMs, holdMs } = this.#desk.parts.settings
    const moments = [...schedule.map((fraction) => fraction * settleMs), holdMs].sort((a, b) => a - b)
    const gaps = open.map((question) => {
      const waited = now - (this.#watched.get(question.id) ?? now)
      const next = moments.find((moment) => moment > waited && moment <= settleMs)
      return next === undefined ? Math.min(1000, settleMs / 4) : next - waited
    })
    return Math.min(...gaps)
  }

  /** How soon a reading deserves a second one, in ms. */
  #unclear(reading: AccountReading): number {
    return this.#isYoung() || reading.doubtful ? secondLookMs : Infinity
  }

  /** Runs that nobody knows have not been seen for long enough to be judged. */
  #isYoung(): boolean {
    const { holdMs } = this.#desk.parts.settings
    const last = this.#readings.at(-1)!
    const runs = last.unknown.length
    const first = this.#readings[this.#readings.findLastIndex((one) => one.unknown.length !== runs) + 1]!
    // Of several questions, whose it is is told only after it has been seen for a while.
    const longEnough = this.#watched.size > 1 ? holdMs / 2 : secondLookMs
    return runs > 0 && last.at - first.at < longEnough
  }

  /** After a crash nobody saw the connection close: the first reading's moment stands for it, on the safe side. */
  #closedAt(attempt: Attempt, reading: AccountReading): Attempt {
    if (attempt.closedTo !== null || reading.time === undefined) return attempt
    this.#desk.parts.store.ledger.setClosed(attempt.id, reading.time.to)
    return { ...attempt, closedTo: reading.time.to }
  }

  #commit(question: Attempt, verdict: Settling): Settled {
    const { store, clock } = this.#desk.parts
    const settledAt = clock.now()
    const outcome = store.transaction((): Outcome => {
      switch (verdict.kind) {
        case 'adopt':
          store.ledger.move(question.id, 'adopted', { runId: verdict.runId, settledAt })
          store.images.move(question.imageId, 'submitting', 'running', { runId: verdict.runId, error: null })
          this.#measureAnew(question, (total) => total + 1)
          return { kind: 'adopted', runId: verdict.runId }
        case 'absent':
          store.ledger.move(question.id, 'absent', { settledAt })
          store.images.move(question.imageId, 'submitting', 'waiting', {
            resends: this.#resends(question) + 1,
          })
          return { kind: 'absent' }
        case 'review':
          this.#toReview(question, verdict.why, verdict.candidates, settledAt)
          return { kind: 'review' }
      }
    })
    if (outcome.kind === 'adopted') {
      this.#readings = this.#readings.map((reading) => withoutRun(reading, outcome.runId))
    }
    return { question, outcome }
  }

  #toReview(question: Attempt, why: string, candidates: readonly StrangeRun[], settledAt: number) {
    const { store } = this.#desk.parts
    store.ledger.move(question.id, 'review', { detail: why, settledAt })
    store.ledger.setCandidates(
      question.id,
      candidates.map(({ runId, appId, status, created, credits }) => ({
        runId,
        appId,
        status,
        created,
        credits,
      })),
    )
    store.images.move(question.imageId, 'submitting', 'review', { error: why })
    // Whose a run is that shows now, nobody can tell any more: what is open beside it will be left to a person too.
    this.#measureAnew(question, () => null)
  }

  /** Changes the totals that other open questions are measured by; an adopted run counts for those sent after it. */
  #measureAnew(settled: Attempt, change: (total: number) => number | null) {
    const { ledger } = this.#desk.parts.store
    for (const other of ledger.open(settled.connectionId, 'unknown')) {
      if (other.id === settled.id || other.totalBefore === null) continue
      const total = change(other.totalBefore)
      if (total === null || other.id > settled.id) ledger.setTotalBefore(other.id, total)
    }
  }
}
