import type { RunSummary } from '../../shared/wire.ts'
import type { Attempt } from '../store/rows.ts'
import type { AccountReading, OwnRun } from './attribution.ts'
import type { Desk } from './desk.ts'
import { strangeRun, type Reading, type StrangeRun } from './evidence.ts'
import { pageSize } from './poll-plan.ts'

/** Pages read back at the most; older than that the evidence is left to a person. */
const mostPages = 40
/** Runs of ours after the oldest question with which its pages still can be read, with room for what comes. */
export const mostRunsAfter = (mostPages - 2) * pageSize

/** Created, of what a question concerns at the earliest (service time, ms). */
function floorOf(attempt: Attempt): number {
  return (attempt.sentFrom ?? attempt.watermarkCreated ?? 0) - 1000
}

/**
 * Reads the unfiltered list back to below the oldest question. Nothing is being sent meanwhile, so that the total has
 * no unknown but what is in question.
 * @param questions open ones, oldest first.
 * @returns undefined when it could not be read.
 */
export async function readAccount(
  desk: Desk,
  questions: readonly Attempt[],
  signal: AbortSignal,
): Promise<AccountReading | undefined> {
  const { service, clock } = desk.parts
  const at = clock.monotonic()
  const floor = Math.min(...questions.map(floorOf))
  const rows = new Map<string, RunSummary>()
  let total: number | undefined
  let complete = false
  for (let page = 1; page <= mostPages && !complete; page += 1) {
    await desk.pacer.take('list')
    if (signal.aborted) return undefined
    const answer = await service.list({ page, limit: pageSize, status: 'all' })
    desk.heedList(answer)
    if (answer.kind !== 'ok') return undefined
    const { runs, unreadable, hasMore = runs.length === pageSize } = answer.value
    // Behind a row that cannot be read our run may hide.
    if (unreadable > 0) return undefined
    if (page === 1) total = answer.value.total
    for (const run of runs) if (!rows.has(run.runId)) rows.set(run.runId, run)
    complete = !hasMore || runs.length === 0 || runs.some((run) => run.createdMs < floor)
  }
  return concluded(desk, questions, [...rows.values()], { at, total, complete })
}

function concluded(
  desk: Desk,
  questions: readonly Attempt[],
  rows: readonly RunSummary[],
  read: { at: number; total: number | undefined; complete: boolean },
): AccountReading {
  const { ledger } = desk.parts.store
  const oldest = questions[0]!
  const floor = Math.min(...questions.map(floorOf))
  const firstSeen = firstSeenOf(desk, oldest)
  const unknown: StrangeRun[] = []
  const own: RunSummary[] = []
  for (const row of rows) {
    if (ledger.knows(row.runId)) {
      own.push(row)
      continue
    }
    const offered = ledger.offeredElsewhere(row.runId, oldest.id)
    // Was there before all this, or is an earlier question's.
    if (row.createdMs < floor && (row.createdMs < firstSeen || offered)) continue
    unknown.push({ ...strangeRun(row), offered })
  }
  for (const row of own) {
    const flight = desk.flights.get(row.runId)
    if (flight && Number.isFinite(row.createdMs)) flight.created = row.createdMs
  }
  const { at, total, complete } = read
  const expected = oldest.totalBefore === null ? undefined : oldest.totalBefore + ledger.runsAfter(oldest)
  const times = rows.map((row) => row.createdMs).filter(Number.isFinite)
  return {
    at,
    appeared: total === undefined || expected === undefined ? undefined : total - expected,
    unknown,
    complete,
    time: desk.serviceTime.now(),
    doubtful: ownInDoubt(desk),
    // Only where a new run has to be told from another question's does it matter.
    own: questions.length > 1 && unknown.length > 0 ? sentOf(desk, own) : [],
    newest: times.length > 0 ? Math.max(...times) : undefined,
  }
}

/** Runs that were acknowledged, but that no list and no GET has shown yet: the total may not count them. */
function ownInDoubt(desk: Desk): boolean {
  for (const flight of desk.flights.values()) {
    if (flight.created === undefined || flight.puzzles > 0) return true
  }
  return false
}

/** When those that were acknowledged were sent; of an adopted one that is what the list has told. */
function sentOf(desk: Desk, own: readonly RunSummary[]): OwnRun[] {
  return own.flatMap((row) => {
    const attempt = desk.parts.store.ledger.byRun(row.runId)
    if (attempt?.state !== 'acked' || attempt.sentFrom === null || attempt.sentTo === null) return []
    const { id, sentFrom, sentTo } = attempt
    return [{ attemptId: id, createdMs: row.createdMs, sentFrom, sentTo }]
  })
}

/** Runs created by then were there before this program met the account (in the time of `created`, ms). */
export function firstSeenOf(desk: Desk, attempt: Attempt): number {
  return desk.parts.store.connections.byId(attempt.connectionId).firstSeenCreated ?? -Infinity
}

/** What a reading says about one of the questions. */
export function aboutOne(reading: AccountReading, attempt: Attempt): Reading {
  const floor = floorOf(attempt)
  const strange = reading.unknown.filter((run) => run.createdMs >= floor)
  const earlier = reading.unknown.filter((run) => !(run.createdMs >= floor))
  const { appeared, complete, time, doubtful } = reading
  return {
    appeared: attempt.totalBefore === null ? undefined : appeared,
    strange,
    earlier,
    complete,
    time,
    doubtful,
  }
}

/** The same reading, now that a run in it is known to be ours. */
export function withoutRun(reading: AccountReading, runId: string): AccountReading {
  const unknown = reading.unknown.filter((run) => run.runId !== runId)
  if (unknown.length === reading.unknown.length) return reading
  return {
    ...reading,
    unknown,
    appeared: reading.appeared === undefined ? undefined : reading.appeared - 1,
  }
}
