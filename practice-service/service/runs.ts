import type { Payment } from './accounts.ts'
import type { StoredOutput } from './outputs.ts'

/** The statuses of run records (3). */
export const runStatuses = ['IN_QUEUE', 'IN_PROGRESS', 'SUCCESS', 'FAILED'] as const
export type RunStatus = (typeof runStatuses)[number]

/** What is fixed when a run is accepted; times in milliseconds of the service's clock, without its skew. */
export interface AcceptedRun {
  readonly runId: string
  readonly account: string
  readonly appId: string
  readonly appTitle: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly webhookUrl: string
  /** True when a test had another client of the account submit it. */
  readonly stranger: boolean
  readonly createdMs: number
  readonly price: number
  readonly paid: Payment
}

/** One run as the service keeps it. */
export interface Run extends AcceptedRun {
  /** Order of acceptance, from 1. */
  readonly sequence: number
  status: RunStatus
  creditsCharged: number
  startedMs: number | undefined
  completedMs: number | undefined
  error: string | undefined
  isVideo: boolean
  /** The primary first, then the extras; empty until SUCCESS. */
  outputs: readonly StoredOutput[]
  thumbnail: StoredOutput | undefined
  /** When its finished record was first read by itself, and in a list. */
  firstReadMs: number | undefined
  firstListedMs: number | undefined
  webhookAttempts: number
  webhookDelivered: boolean
}

/** A run as it is when it was just accepted. */
export function newRun(accepted: AcceptedRun, sequence: number): Run {
  return {
    ...accepted,
    sequence,
    status: 'IN_QUEUE',
    creditsCharged: accepted.price,
    startedMs: undefined,
    completedMs: undefined,
    error: undefined,
    isVideo: false,
    outputs: [],
    thumbnail: undefined,
    firstReadMs: undefined,
    firstListedMs: undefined,
    webhookAttempts: 0,
    webhookDelivered: false,
  }
}

/** The runs of one account in order of acceptance, whole and by status, so that a page costs what it shows. */
class AccountRuns {
  readonly all: Run[] = []
  readonly byStatus: Record<RunStatus, Run[]> = { IN_QUEUE: [], IN_PROGRESS: [], SUCCESS: [], FAILED: [] }
}

/** Every run, found by id and listed newest first. */
export class Runs {
  readonly #byId = new Map<string, Run>()
  readonly #byAccount = new Map<string, AccountRuns>()
  readonly #listed = new Set<string>()

  get size(): number {
    return this.#byId.size
  }

  /** In order of acceptance. */
  all(): IterableIterator<Run> {
    return this.#byId.values()
  }

  add(run: Run): void {
    this.#byId.set(run.runId, run)
  }

  /** Lets a run appear in the list; apart from `add`, because a service may show it only later. */
  list(run: Run): void {
    this.#listed.add(run.runId)
    const runs = this.#ofAccount(run.account)
    insert(runs.all, run)
    insert(runs.byStatus[run.status], run)
  }

  find(runId: string): Run | undefined {
    return this.#byId.get(runId)
  }

  setStatus(run: Run, status: RunStatus): void {
    if (this.#listed.has(run.runId)) {
      const runs = this.#ofAccount(run.account)
      const old = runs.byStatus[run.status]
      old.splice(positionOf(old, run.sequence), 1)
      insert(runs.byStatus[status], run)
    }
    run.status = status
  }

  /** One page (from 1) of an account's runs, newest first. */
  page(
    account: string,
    status: RunStatus | 'all',
    page: number,
    limit: number,
  ): { runs: Run[]; total: number } {
    const runs = this.#ofAccount(account)
    const matching = status === 'all' ? runs.all : runs.byStatus[status]
    const end = Math.max(0, matching.length - (page - 1) * limit)
    return { runs: matching.slice(Math.max(0, end - limit), end).reverse(), total: matching.length }
  }

  #ofAccount(account: string): AccountRuns {
    let runs = this.#byAccount.get(account)
    if (!runs) this.#byAccount.set(account, (runs = new AccountRuns()))
    return runs
  }
}

/** Index of the first run whose sequence is not lower. */
function positionOf(runs: readonly Run[], sequence: number): number {
  let low = 0
  let high = runs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (runs[middle]!.sequence < sequence) low = middle + 1
    else high = middle
  }
  return low
}

function insert(runs: Run[], run: Run): void {
  const last = runs.at(-1)
  if (!last || last.sequence < run.sequence) runs.push(run)
  else runs.splice(positionOf(runs, run.sequence), 0, run)
}
