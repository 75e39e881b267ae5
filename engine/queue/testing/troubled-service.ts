import type { Run, RunList, RunSummary } from '../../../shared/wire.ts'
import type { ListQuery, OpenedSubmission, ServiceClient } from '../../service/service-client.ts'
import type { Answered, Failure, ServiceResult, SubmitOutcome } from '../../service/service-result.ts'
import type { SubmitConnection } from '../../service/transport.ts'
import { seeded } from './random.ts'
import type { BookedRun } from './booked-run.ts'
import { sentIn, type Order, type Sent } from './order.ts'
import type { Fate, ServicePlan, TroubleKind } from './story.ts'
import type { VirtualClock } from './virtual-clock.ts'

const start = Date.UTC(2026, 0, 1)
/** A quarter of the time for which the stories' queue sends nothing after a lost answer. */
const lateMs = 2000

/** A service that loses answers, delays, lies and refuses as its plan says, and keeps true books. */
export class TroubledService implements ServiceClient {
  readonly baseUrl = 'http://127.0.0.1/api/v1'
  readonly runs: BookedRun[] = []
  requests = 0
  credits: number
  /** From here on nothing goes wrong any more. */
  calm = false
  submissions = 0
  /** Whether the key of the program that runs is good no longer. */
  keyRevoked = false
  /** How often each fate and each trouble was met. */
  readonly met = new Map<string, number>()
  /** Told of the end of each run. */
  onEnd: (run: BookedRun) => void = () => {}
  readonly #plan: ServicePlan
  readonly #clock: VirtualClock
  readonly #random: () => number
  readonly #queue: BookedRun[] = []
  #working = 0
  #tokens = 5
  #filledAt = 0
  /**
   * Whether the program has heard that a run is its own: a repeated answer names one of these. Where nobody can know
   * that the id is another picture's, such an answer is believed (docs/reliability.md, promise 1).
   */
  isHeard: (runId: string) => boolean = () => false

  constructor(plan: ServicePlan, clock: VirtualClock) {
    this.#plan = plan
    this.#clock = clock
    this.#random = seeded(plan.seed)
    this.credits = plan.credits
    for (const [n, at] of plan.foreign.entries()) {
      clock.after(at, () => this.accept(`https://elsewhere.example/${n}.jpg`, false, 0))
    }
  }

  run1(id: string): BookedRun | undefined {
    return this.runs.find((run) => run.id === id)
  }

  async openSubmission(): Promise<OpenedSubmission> {
    await this.#travel()
    if (this.troubled('offline')) return { kind: 'unsent', message: 'No way there.', offline: true }
    const connection: SubmitConnection = {
      usable: true,
      post: () => Promise.reject(new Error('unused')),
      close: () => {},
    }
    return { kind: 'open', connection }
  }

  async submit(_: SubmitConnection, body: string, sending: () => void): Promise<SubmitOutcome> {
    try {
      sending()
    } catch (cause) {
      return { kind: 'unsent', message: 'Not sent.', offline: false, cause }
    }
    const sentAt = this.#clock.monotonic()
    this.requests += 1
    const fate: Fate = (this.calm ? undefined : this.#plan.fates[this.submissions]) ?? { kind: 'answered' }
    this.submissions += 1
    this.#meet(fate.kind)
    await this.#travel()
    const refusal = this.#refusal(fate)
    if (refusal) {
      await this.#travel()
      return { kind: 'refused', message: 'Refused.', ...refusal, ...this.#answered(sentAt) }
    }
    return await this.#fulfil(fate, sentIn(body), sentAt)
  }

  #refusal(fate: Fate) {
    if (this.keyRevoked || this.troubled('key-rejected'))
      return { status: 401, reason: 'key-rejected' } as const
    if (this.#limited() || fate.kind === '429') return { status: 429, reason: 'busy' } as const
    if (fate.kind === '400') return { status: 400, reason: 'invalid' } as const
    if (this.credits < this.#plan.price || fate.kind === '402')
      return { status: 402, reason: 'out-of-credits' } as const
    return undefined
  }

  async #fulfil(fate: Fate, { order, webhookUrl }: Sent, sentAt: number): Promise<SubmitOutcome> {
    const answerMs = 'answerMs' in fate ? fate.answerMs : 40
    const lost = { kind: 'unknown', message: 'The answer was lost.' } as const
    switch (fate.kind) {
      case 'lost-before':
        await this.#clock.sleep(answerMs)
        return lost
      case 'lost-after':
        this.#clock.after(fate.acceptMs, () =>
          this.accept(order, true, fate.visibleMs, {
            late: fate.acceptMs > fate.answerMs + lateMs,
            webhookUrl,
          }),
        )
        await this.#clock.sleep(answerMs)
        return lost
      case 'ghost':
        await this.#travel()
        return { kind: 'acked', runId: `ghost-${this.submissions}`, ...this.#answered(sentAt) }
      case 'repeated': {
        const earlier = this.runs.find((run) => run.ours && this.isHeard(run.id))?.id
        this.accept(order, true, 0, { webhookUrl })
        await this.#travel()
        return earlier === undefined ? lost : { kind: 'acked', runId: earlier, ...this.#answered(sentAt) }
      }
      case 'answered':
      case 'late':
      case '400':
      case '402':
      case '429': {
        const run = this.accept(order, true, 'visibleMs' in fate ? fate.visibleMs : 0, { webhookUrl })
        await this.#clock.sleep(answerMs)
        return { kind: 'acked', runId: run.id, ...this.#answered(sentAt) }
      }
    }
  }

  /** Takes a run, ours or somebody else's. */
  accept(
    order: Order,
    ours: boolean,
    visibleMs: number,
    { late = false, webhookUrl }: { late?: boolean; webhookUrl?: string } = {},
  ): BookedRun {
    const { price, chargedAtEnd, coarse, durations, outcomes } = this.#plan
    const n = this.runs.length
    const now = this.#time()
    const run: BookedRun = {
      id: `run-${n + 1}`,
      order,
      ours,
      webhookUrl,
      created: coarse ? Math.floor(now / 1000) * 1000 : now,
      acceptedAt: this.#clock.monotonic(),
      visibleAt: this.#clock.monotonic() + visibleMs,
      outcome: outcomes[n] ?? 'ok',
      late,
      status: 'IN_QUEUE',
      charged: chargedAtEnd ? 0 : price,
      completed: undefined,
    }
    this.credits -= price
    this.runs.push(run)
    this.#queue.push(run)
    this.#work(durations)
    return run
  }

  #work(durations: readonly number[]) {
    while (this.#working < this.#plan.concurrency && this.#queue.length > 0) {
      const run = this.#queue.shift()!
      run.status = 'IN_PROGRESS'
      this.#working += 1
      this.#clock.after(durations[this.runs.indexOf(run) % durations.length]!, () => {
        this.#working -= 1
        run.status = run.outcome === 'ok' ? 'SUCCESS' : 'FAILED'
        run.charged = run.outcome === 'failed-free' ? 0 : this.#plan.price
        run.completed = this.#time()
        this.onEnd(run)
        this.#work(durations)
      })
    }
  }

  async run(runId: string): Promise<ServiceResult<Run>> {
    const sentAt = this.#clock.monotonic()
    const fault = await this.#ask(sentAt)
    const run = this.run1(runId)
    const missing = !run || this.troubled('get-404')
    const shown = run && this.#fullForm(run)
    await this.#travel()
    if (fault) return fault
    if (this.troubled('get-5xx')) return unavailable
    const answered = this.#answered(sentAt)
    if (missing) return { kind: 'not-found', message: 'Not found.', ...answered }
    return { kind: 'ok', value: shown!, ...answered }
  }

  async list(query: ListQuery = {}): Promise<ServiceResult<RunList>> {
    const sentAt = this.#clock.monotonic()
    const fault = await this.#ask(sentAt)
    const value = this.#listing(query)
    await this.#travel()
    if (fault) return fault
    if (this.troubled('list-5xx')) return unavailable
    return { kind: 'ok', value, ...this.#answered(sentAt) }
  }

  #listing({ page = 1, limit = 20, status = 'all' }: ListQuery): RunList {
    const now = this.#clock.monotonic() - (this.troubled('list-stale') ? 2500 : 0)
    const every = status === 'all' || this.troubled('list-unfiltered')
    const all = this.runs
      .filter((run) => run.visibleAt <= now && (every || run.status === status))
      .toReversed()
    const end = page * limit
    let rows: RunSummary[] = all.slice(end - limit, end).map((run) => this.#summary(run))
    let unreadable = 0
    if (this.troubled('list-doubled')) rows = rows.flatMap((row) => [row, row])
    if (this.troubled('list-shuffled')) rows = rows.toSorted(() => this.#random() - 0.5)
    if (this.troubled('list-unreadable') && rows.length > 0) {
      rows.shift()
      unreadable = 1
    }
    const total = this.troubled('list-no-total') ? undefined : all.length
    const hasMore = this.troubled('list-no-more') ? undefined : end < all.length
    return { runs: rows, unreadable, total, page, hasMore }
  }

  async balance() {
    const sentAt = this.#clock.monotonic()
    const fault = await this.#ask(sentAt)
    await this.#travel()
    if (fault) return fault
    const value = {
      totalCredits: this.credits,
      subscriptionCredits: this.credits,
      otherCredits: 0,
      subscription: 'Studio',
      creditsExpire: null,
    }
    return { kind: 'ok' as const, value, ...this.#answered(sentAt) }
  }

  async downloadLink(runId: string) {
    const sentAt = this.#clock.monotonic()
    const fault = await this.#ask(sentAt)
    await this.#travel()
    if (fault) return fault
    const answered = this.#answered(sentAt)
    if (this.run1(runId)?.status !== 'SUCCESS') {
      return { kind: 'refused' as const, status: 400, message: 'Not yet.', ...answered }
    }
    const value = { downloadUrl: fileOf(runId), filename: 'a.png', expiresIn: 900 }
    return { kind: 'ok' as const, value, ...answered }
  }

  apps() {
    const at = this.#clock.monotonic()
    return Promise.resolve({ kind: 'ok' as const, value: [], ...this.#answered(at) })
  }

  /** On the way there: what keeps any request from being answered as it should. */
  async #ask(sentAt: number): Promise<Failure | undefined> {
    this.requests += 1
    await this.#travel()
    if (this.troubled('offline')) return unavailable
    if (this.keyRevoked || this.troubled('key-rejected')) {
      return { kind: 'key-rejected', status: 401, message: 'The key is rejected.', ...this.#answered(sentAt) }
    }
    if (this.#limited()) {
      return { kind: 'busy', status: 429, message: 'Too many requests.', ...this.#answered(sentAt) }
    }
    return undefined
  }

  troubled(kind: TroubleKind): boolean {
    if (this.calm) return false
    const now = this.#clock.monotonic()
    const isNow = this.#plan.troubles.some(
      (one) => one.kind === kind && now >= one.at && now < one.at + one.forMs,
    )
    if (isNow) this.#meet(kind)
    return isNow
  }

  #meet(what: string) {
    this.met.set(what, (this.met.get(what) ?? 0) + 1)
  }

  #limited(): boolean {
    if (!this.troubled('rate-limit')) return false
    const now = this.#clock.monotonic()
    this.#tokens = Math.min(5, this.#tokens + (now - this.#filledAt) / 1000)
    this.#filledAt = now
    if (this.#tokens < 1) return true
    this.#tokens -= 1
    return false
  }

  #travel(): Promise<void> {
    return this.#clock.sleep(20 + this.#random() * 60)
  }

  #time(): number {
    return Math.floor(start + this.#plan.skewMs + this.#clock.monotonic())
  }

  #answered(sentAt: number): Answered {
    const receivedAt = this.#clock.monotonic()
    const date = Math.floor((this.#time() + this.#plan.dateSkewMs - 10) / 1000) * 1000
    const times = { sentAt, receivedAt, rttMs: receivedAt - sentAt }
    return this.troubled('no-date') ? times : { ...times, date }
  }

  #summary(run: BookedRun): RunSummary {
    return {
      runId: run.id,
      appId: 'rescue',
      appTitle: 'Rescue',
      status: run.status,
      created: new Date(run.created).toISOString(),
      createdMs: run.created,
      creditsCharged: run.charged,
    }
  }

  #fullForm(run: BookedRun): Run {
    const backward = this.troubled('get-backward') && run.completed !== undefined
    const status = backward ? 'IN_PROGRESS' : run.status
    const done = status === 'SUCCESS' || status === 'FAILED'
    return {
      ...this.#summary(run),
      status,
      completed: done ? new Date(run.completed!).toISOString() : undefined,
      completedMs: done ? run.completed! : NaN,
      outputUrl: status === 'SUCCESS' && !this.troubled('get-no-url') ? fileOf(run.id) : undefined,
      error: status === 'FAILED' ? 'It went wrong.' : undefined,
      isVideo: false,
      extraOutputs: [],
      unreadableOutputs: 0,
      primaryLabel: undefined,
    }
  }
}

const unavailable = { kind: 'unavailable', message: 'The service has a fault.', offline: false } as const

function fileOf(runId: string): string {
  return `http://127.0.0.1/${runId}`
}
