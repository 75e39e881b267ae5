import type { Account, Accounts } from './accounts.ts'
import { endpointKinds } from './faults.ts'
import type { EndpointKind } from './faults.ts'
import type { Run, Runs, RunStatus } from './runs.ts'

/** A run as the service's own ledger has it; the oracle of tests. Times in milliseconds of the service's clock. */
export interface BookedRun {
  readonly runId: string
  readonly account: string
  readonly appId: string
  /** `parameters.image`, where it is a string. */
  readonly source: string | undefined
  readonly parameters: Readonly<Record<string, unknown>>
  readonly webhookUrl: string
  readonly stranger: boolean
  readonly createdMs: number
  /** What the submission cost, and what of it is charged now (0 after a refund). */
  readonly price: number
  readonly charged: number
  readonly status: RunStatus
  readonly startedMs: number | undefined
  readonly completedMs: number | undefined
  /** When the finished record was first read by GET /runs/{run_id}, and first shown in a list. */
  readonly firstReadMs: number | undefined
  readonly firstListedMs: number | undefined
  readonly error: string | undefined
  readonly webhookAttempts: number
  readonly webhookDelivered: boolean
}

export interface RequestTally {
  readonly count: number
  /** Arrival times of the latest requests, at most 10,000, oldest first. */
  readonly times: readonly number[]
  /** Answers by status; an answer that a fault swallowed counts as 0. */
  readonly answers: Readonly<Record<number, number>>
}

export interface Books {
  /** Every run in order of acceptance. */
  readonly runs: readonly BookedRun[]
  readonly requests: Readonly<Record<EndpointKind, RequestTally>>
  /** Requests for files that carried an Authorization header, which no client should send there. */
  readonly filesRequestsWithAuthorization: number
  /** Faults that struck, by kind. */
  readonly faults: Readonly<Record<string, number>>
  readonly webhooks: {
    readonly attempts: number
    readonly delivered: number
    readonly failed: number
    readonly unreachable: number
  }
  readonly accounts: Readonly<
    Record<
      string,
      {
        readonly subscriptionCredits: number
        readonly otherCredits: number
        readonly charged: number
        readonly refunded: number
      }
    >
  >
}

const keptTimes = 10_000

class Tally {
  count = 0
  readonly #times: number[] = []
  readonly answers: Record<number, number> = {}

  add(nowMs: number): void {
    this.#times[this.count % keptTimes] = nowMs
    this.count += 1
  }

  snapshot(): RequestTally {
    const start = this.count > keptTimes ? this.count % keptTimes : 0
    return {
      count: this.count,
      times: [...this.#times.slice(start), ...this.#times.slice(0, start)],
      answers: { ...this.answers },
    }
  }
}

/** Counts what happens, at a fixed cost per request. */
export class Ledger {
  readonly #tallies = new Map<EndpointKind, Tally>(endpointKinds.map((kind) => [kind, new Tally()]))
  readonly #faults: Record<string, number> = {}
  filesRequestsWithAuthorization = 0
  readonly webhooks = { attempts: 0, delivered: 0, failed: 0, unreachable: 0 }

  /** Counts a request and tells its number among those of its kind, from 1. */
  request(kind: EndpointKind, nowMs: number): number {
    const tally = this.#tallies.get(kind)!
    tally.add(nowMs)
    return tally.count
  }

  answer(kind: EndpointKind, status: number): void {
    const { answers } = this.#tallies.get(kind)!
    answers[status] = (answers[status] ?? 0) + 1
  }

  fault(kind: string): void {
    this.#faults[kind] = (this.#faults[kind] ?? 0) + 1
  }

  /** A copy of everything; costs as much as there are runs. */
  snapshot(runs: Runs, accounts: Accounts): Books {
    return {
      runs: Array.from(runs.all(), bookedRun),
      requests: Object.fromEntries(
        Array.from(this.#tallies, ([kind, tally]) => [kind, tally.snapshot()]),
      ) as Record<EndpointKind, RequestTally>,
      filesRequestsWithAuthorization: this.filesRequestsWithAuthorization,
      faults: { ...this.#faults },
      webhooks: { ...this.webhooks },
      accounts: Object.fromEntries(accounts.all.map((account) => [account.name, bookedAccount(account)])),
    }
  }
}

function bookedRun(run: Run): BookedRun {
  const image = run.parameters['image']
  return {
    runId: run.runId,
    account: run.account,
    appId: run.appId,
    source: typeof image === 'string' ? image : undefined,
    parameters: run.parameters,
    webhookUrl: run.webhookUrl,
    stranger: run.stranger,
    createdMs: run.createdMs,
    price: run.price,
    charged: run.creditsCharged,
    status: run.status,
    startedMs: run.startedMs,
    completedMs: run.completedMs,
    firstReadMs: run.firstReadMs,
    firstListedMs: run.firstListedMs,
    error: run.error,
    webhookAttempts: run.webhookAttempts,
    webhookDelivered: run.webhookDelivered,
  }
}

function bookedAccount(account: Account) {
  const { subscriptionCredits, otherCredits, charged, refunded } = account
  return { subscriptionCredits, otherCredits, charged, refunded }
}
