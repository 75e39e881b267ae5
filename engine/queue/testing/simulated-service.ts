import type { Run, RunSummary } from '../../../shared/wire.ts'
import type { ListQuery, OpenedSubmission, ServiceClient } from '../../service/service-client.ts'
import type { Answered, ServiceResult, SubmitOutcome } from '../../service/service-result.ts'
import type { SubmitConnection } from '../../service/transport.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** A stand-in of the service in virtual time, for the queue's logic alone; real sockets are tested elsewhere. */
export interface SimulatedOptions {
  readonly clock: VirtualClock
  /** Runs worked on at once, first come, first served. */
  readonly concurrency: number
  /** Processing time of the n-th accepted run, in ms. */
  readonly duration: (n: number) => number
  /** One way, in ms. */
  readonly latency?: number
  /** Undocumented limit: requests a second, with a burst of as many. */
  readonly rateLimit?: number
  /** What happens to the n-th submission (from 0) that arrives; accepted and answered by default. */
  readonly fate?: (n: number) => Fate
  readonly credits?: number
  readonly price?: number
  /** Told of each run's end, with the webhook address it was submitted with. */
  readonly onEnd?: ((webhookUrl: string, runId: string) => void) | undefined
  /** What every request comes to at present; `fine` where it is left out. */
  readonly trouble?: (request: 'list' | 'run' | 'balance', now: number) => RequestTrouble
}

/** `no-total`: a list without its total. `slow`: answered after eight seconds. `elsewhere`: another server stands at the address and answers 404. */
export type RequestTrouble = 'fine' | 'no-total' | 'fault' | 'page' | 'refused' | 'slow' | 'elsewhere'

/** `lost-before`: not accepted, no answer. `lost-after`: accepted and charged, no answer. */
export type Fate = 'answered' | 'lost-before' | 'lost-after' | { readonly refuse: number }

interface SimulatedRun {
  readonly id: string
  readonly webhookUrl: string | undefined
  readonly source: string
  readonly ours: boolean
  readonly created: number
  readonly price: number
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILED'
  completed: number | undefined
  /** When the client first read that it is finished. */
  knownAt: number | undefined
}

interface SubmittedBody {
  readonly parameters: { readonly image: string }
  readonly webhook_url: string
}

export class SimulatedService implements ServiceClient {
  readonly baseUrl = 'http://127.0.0.1/api/v1'
  readonly requests = { submit: 0, run: 0, list: 0, balance: 0, refused: 0, wasted: 0 }
  readonly runs: SimulatedRun[] = []
  credits: number
  readonly #options: SimulatedOptions
  readonly #byId = new Map<string, SimulatedRun>()
  readonly #queue: SimulatedRun[] = []
  readonly #inProgress = new Set<SimulatedRun>()
  readonly #waiters = new Map<string, () => void>()
  #tokens: number
  #filledAt = 0

  constructor(options: SimulatedOptions) {
    this.#options = options
    this.credits = options.credits ?? Infinity
    this.#tokens = options.rateLimit ?? Infinity
  }

  get #latency(): number {
    return this.#options.latency ?? 40
  }

  /** Runs per source address: the oracle of "charged at most once". */
  charges(): Map<string, number> {
    const charges = new Map<string, number>()
    for (const run of this.runs) if (run.ours) charges.set(run.source, (charges.get(run.source) ?? 0) + 1)
    return charges
  }

  async openSubmission(): Promise<OpenedSubmission> {
    await this.#options.clock.sleep(2 * this.#latency)
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
    const { clock, fate } = this.#options
    const sentAt = clock.monotonic()
    const n = this.requests.submit
    this.requests.submit += 1
    await clock.sleep(this.#latency)
    const limited = this.#limited()
    const price = this.#options.price ?? 0
    const outcome = limited || price > this.credits ? 'answered' : (fate?.(n) ?? 'answered')
    let run: SimulatedRun | undefined
    if (!limited && price <= this.credits && (outcome === 'answered' || outcome === 'lost-after')) {
      const { parameters, webhook_url } = JSON.parse(body) as SubmittedBody
      run = this.accept(parameters.image, true, webhook_url)
    }
    await clock.sleep(this.#latency)
    const answered = this.#answered(sentAt)
    if (limited) {
      return { kind: 'refused', status: 429, reason: 'busy', message: 'Too many requests.', ...answered }
    }
    if (price > this.credits && !run) {
      return {
        kind: 'refused',
        status: 402,
        reason: 'out-of-credits',
        message: 'Insufficient credits.',
        ...answered,
      }
    }
    if (outcome === 'answered') return { kind: 'acked', runId: run!.id, ...answered }
    if (typeof outcome === 'object') {
      return { kind: 'refused', status: outcome.refuse, reason: 'invalid', message: 'Refused.', ...answered }
    }
    return { kind: 'unknown', message: 'The connection was lost.' }
  }

  /** Takes a run, ours or somebody else's. */
  accept(source: string, ours: boolean, webhookUrl?: string): SimulatedRun {
    const { clock } = this.#options
    const price = this.#options.price ?? 0
    const id = `run-${this.runs.length + 1}`
    const run: SimulatedRun = {
      id,
      webhookUrl,
      source,
      ours,
      created: clock.now(),
      price,
      status: 'IN_QUEUE',
      completed: undefined,
      knownAt: undefined,
    }
    this.credits -= price
    this.runs.push(run)
    this.#byId.set(id, run)
    this.#queue.push(run)
    this.#startWork()
    return run
  }

  /** Resolves when a run is finished and the news of it has travelled. */
  async whenDone(runId: string): Promise<void> {
    const run = this.#byId.get(runId)
    if (run?.completed === undefined) {
      await new Promise<void>((resolve) => this.#waiters.set(runId, resolve))
    }
    await this.#options.clock.sleep(this.#latency)
  }

  #startWork() {
    const { clock, concurrency, duration } = this.#options
    while (this.#inProgress.size < concurrency && this.#queue.length > 0) {
      const run = this.#queue.shift()!
      run.status = 'IN_PROGRESS'
      this.#inProgress.add(run)
      clock.after(duration(Number(run.id.slice(4)) - 1), () => {
        this.#inProgress.delete(run)
        run.status = 'SUCCESS'
        run.completed = clock.now()
        this.#startWork()
        this.#waiters.get(run.id)?.()
        if (run.webhookUrl !== undefined) this.#options.onEnd?.(run.webhookUrl, run.id)
      })
    }
  }

  async run(runId: string): Promise<ServiceResult<Run>> {
    this.requests.run += 1
    return await this.#answer('run', () => {
      const run = this.#byId.get(runId)
      if (!run) return undefined
      if (run.status !== 'SUCCESS') this.requests.wasted += 1
      return fullForm(run)
    }).then((answer) => {
      const run = this.#byId.get(runId)
      if (run && answer.kind === 'ok' && answer.value.status === 'SUCCESS') {
        run.knownAt ??= this.#options.clock.now()
      }
      return answer
    })
  }

  async list(query: ListQuery = {}) {
    this.requests.list += 1
    const { page = 1, limit = 20, status = 'all' } = query
    return await this.#answer('list', () => {
      const all =
        status === 'all'
          ? this.runs
          : status === 'IN_PROGRESS'
            ? [...this.#inProgress].sort((a, b) => Number(a.id.slice(4)) - Number(b.id.slice(4)))
            : this.runs.filter((run) => run.status === status)
      const end = all.length - (page - 1) * limit
      const rows = all.slice(Math.max(0, end - limit), Math.max(0, end)).reverse()
      const trouble = this.#options.trouble?.('list', this.#options.clock.monotonic())
      const total = trouble === 'no-total' ? undefined : all.length
      return { runs: rows.map(summary), unreadable: 0, total, page, hasMore: end - limit > 0 }
    })
  }

  async balance() {
    this.requests.balance += 1
    return await this.#answer('balance', () => ({
      totalCredits: this.credits,
      subscriptionCredits: this.credits,
      otherCredits: 0,
      subscription: 'Studio',
      creditsExpire: null,
    }))
  }

  downloadLink() {
    return this.#answer('run', () => ({
      downloadUrl: 'http://127.0.0.1/file',
      filename: 'a.png',
      expiresIn: 900,
    }))
  }

  apps() {
    return this.#answer('balance', () => [])
  }

  async #answer<T>(
    request: 'list' | 'run' | 'balance',
    make: () => T | undefined,
  ): Promise<ServiceResult<T>> {
    const { clock } = this.#options
    const sentAt = clock.monotonic()
    await clock.sleep(this.#latency)
    const limited = this.#limited()
    const trouble = this.#options.trouble?.(request, clock.monotonic()) ?? 'fine'
    const value = limited || trouble === 'elsewhere' ? undefined : make()
    await clock.sleep(trouble === 'slow' ? 8000 : this.#latency)
    const answered = this.#answered(sentAt)
    const status = trouble === 'elsewhere' ? 404 : 200
    if (trouble === 'fault') return { kind: 'unavailable', message: 'A fault (500).', offline: false }
    if (trouble === 'refused') return { kind: 'refused', status: 400, message: 'Refused.', ...answered }
    if (trouble === 'page' || (trouble === 'elsewhere' && request !== 'run')) {
      return { kind: 'not-the-service', status, message: 'Something else.', ...answered }
    }
    if (limited) return { kind: 'busy', status: 429, message: 'Too many requests.', ...answered }
    return value === undefined
      ? { kind: 'not-found', message: 'Not found.', ...answered }
      : { kind: 'ok', value, ...answered }
  }

  #limited(): boolean {
    const { rateLimit, clock } = this.#options
    if (rateLimit === undefined) return false
    const now = clock.monotonic()
    this.#tokens = Math.min(rateLimit, this.#tokens + ((now - this.#filledAt) / 1000) * rateLimit)
    this.#filledAt = now
    if (this.#tokens < 1) {
      this.requests.refused += 1
      return true
    }
    this.#tokens -= 1
    return false
  }

  #answered(sentAt: number): Answered {
    const { clock } = this.#options
    const receivedAt = clock.monotonic()
    const date = Math.floor((clock.now() - this.#latency) / 1000) * 1000
    return { sentAt, receivedAt, rttMs: receivedAt - sentAt, date }
  }
}

function summary(run: SimulatedRun): RunSummary {
  return {
    runId: run.id,
    appId: 'rescue',
    appTitle: 'Rescue',
    status: run.status,
    created: new Date(run.created).toISOString(),
    createdMs: run.created,
    creditsCharged: run.price,
  }
}

function fullForm(run: SimulatedRun): Run {
  return {
    ...summary(run),
    completed: run.completed === undefined ? undefined : new Date(run.completed).toISOString(),
    completedMs: run.completed ?? NaN,
    outputUrl: run.status === 'SUCCESS' ? 'http://127.0.0.1/file' : undefined,
    error: undefined,
    isVideo: false,
    extraOutputs: [],
    unreadableOutputs: 0,
    primaryLabel: undefined,
  }
}
