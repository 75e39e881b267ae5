import type { RunSummary } from '../../shared/wire.ts'
import type { Desk } from './desk.ts'
import { listUnreadable, mostOffered, strangeRun, widestSkew } from './evidence.ts'

/** A list that fails by chance is waited for so long, in ms: without it a lost answer would need a person. */
const patienceMs = 15_000
const retryLookMs = 500

interface Known {
  readonly total: number | undefined
  /** Created, of the newest run (service time, ms). */
  readonly newest: number | undefined
}

/**
 * The account as it was before a submission: the total of its list and its newest run are the evidence by which a
 * lost answer is judged later. Where the list does not answer, but the service does, a submission may go without:
 * its lost answer is then never settled by itself, neither adopted nor sent again, but left to a person.
 */
export class Baseline {
  readonly #desk: Desk
  #known: Known | undefined
  #own = 0

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** Total of the list with the runs of ours since then; undefined where it is not known. */
  get total(): number | undefined {
    const total = this.#known?.total
    return total === undefined ? undefined : total + this.#own
  }

  get newest(): number | undefined {
    return this.#known?.newest
  }

  /** A run of ours was acknowledged. */
  grow() {
    this.#own += 1
  }

  /** It is read again before the next submission. */
  forget() {
    this.#known = undefined
  }

  /** What is known of the account while something is still in question: the runs of ours, and nothing else. */
  assume(total: number, newest: number | undefined) {
    this.#known = { total, newest }
    this.#own = 0
  }

  /** True when a submission may go; else what was found out has changed the state of things, and is to be looked at. */
  async prepare(signal: AbortSignal): Promise<boolean> {
    const desk = this.#desk
    if (this.#known) return true
    const { clock } = desk.parts
    if (!desk.lists.broken) await this.#read(signal)
    // Into a service that is away as a whole nothing is sent; an answer after the list's failure shows that it is not.
    else if (desk.answeredAt <= desk.lists.failedAt) await desk.present(clock.monotonic())
    else if (clock.monotonic() - desk.lists.failingSince >= patienceMs) return true
    else await clock.sleep(retryLookMs, signal)
    return false
  }

  async #read(signal: AbortSignal) {
    const desk = this.#desk
    const { store, connectionId, service } = desk.parts
    await desk.pacer.take('list')
    if (signal.aborted) return
    const quiet = !desk.laneBusy
    const answer = await service.list({ page: 1, limit: 50, status: 'all' })
    desk.heedList(answer)
    if (answer.kind !== 'ok') return
    const rows = answer.value.runs
    const times = rows.map((row) => row.createdMs).filter(Number.isFinite)
    const newest = times.length > 0 ? Math.max(...times) : undefined
    this.#offerLate(rows)
    // On an empty account every run comes later; its `Date` would not do, it need not agree with `created`.
    store.connections.setFirstSeen(connectionId, newest ?? 0)
    desk.watchStrangers(rows, quiet)
    this.#known = { total: answer.value.total, newest }
    this.#own = 0
  }

  /** A person who was left without candidates, because no list could be read, is shown them once one can. */
  #offerLate(rows: readonly RunSummary[]) {
    const { store, connectionId } = this.#desk.parts
    const blind = store.ledger
      .open(connectionId, 'review')
      .filter((one) => one.detail === listUnreadable && store.ledger.candidates(one.id).length === 0)
    if (blind.length === 0) return
    const unknown = rows.filter((row) => !store.ledger.knows(row.runId))
    store.transaction(() => {
      for (const attempt of blind) {
        const since = (attempt.sentFrom ?? 0) - widestSkew
        const some = unknown.filter((row) => row.createdMs >= since).slice(0, mostOffered)
        store.ledger.setCandidates(attempt.id, some.map(strangeRun))
      }
    })
  }
}
