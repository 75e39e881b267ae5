import type { Balance } from '../../shared/wire.ts'
import type { ServiceResult } from '../service/service-result.ts'
import type { Batch } from '../store/rows.ts'
import { Collector } from './collector.ts'
import { Desk } from './desk.ts'
import { Lane } from './lane.ts'
import type { QueueParts } from './parts.ts'
import { Poller } from './poller.ts'
import { publishingTrouble, publishWhile } from './publishing.ts'
import { recover } from './recovery.ts'
import { say } from '../../shared/language/say.ts'

/** Why a queue ended its work. */
export type QueueEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'key-rejected'; readonly message: string }
  | { readonly kind: 'out-of-credits'; readonly message: string }
  | { readonly kind: 'budget'; readonly message: string }
  | { readonly kind: 'paused'; readonly message: string }
  | { readonly kind: 'unwritable'; readonly message: string }

const watchMs = 500
const balanceCheckMs = 60_000
const budgetUndecided = say`What needs a decision may still be charged, and the budget does not allow more beside it: see "vitrine review".`

/**
 * The durable queue of one connection, in the process that holds the lease. It works on every batch whose state in
 * the store is `running`, whoever added it, and ends when nothing more can happen (or never, when told to wait).
 */
export class Queue {
  readonly #desk: Desk
  readonly #lane: Lane
  readonly #collector: Collector
  readonly #poller: Poller
  /** Batches that were looked through for what a crash left. */
  readonly #tidied = new Set<number>()
  readonly #own: ReadonlySet<number> | undefined
  /** When the balance was last asked for (monotonic). */
  #checkedBalance: number

  /** @param own batches whose end is the queue's end; all running ones where it is left out. */
  constructor(parts: QueueParts, own?: readonly number[]) {
    this.#own = own && new Set(own)
    this.#checkedBalance = parts.clock.monotonic()
    this.#desk = new Desk(parts)
    this.#lane = new Lane(this.#desk)
    this.#collector = new Collector(this.#desk)
    this.#poller = new Poller(this.#desk, this.#collector)
  }

  get desk(): Desk {
    return this.#desk
  }

  /**
   * Works until nothing is left to do, or the signal ends it. An abort is as good as a crash: what is on the disk
   * is enough to go on from.
   * @throws QueueFault or StoreError when going on would risk a charge or a result.
   */
  async run(signal: AbortSignal): Promise<QueueEnd> {
    recover(this.#desk)
    const ended = new AbortController()
    const both = AbortSignal.any([signal, ended.signal])
    let fault: unknown
    const guard = async (loop: Promise<void>) => {
      try {
        await loop
      } catch (error) {
        fault ??= error
        ended.abort()
        this.#desk.ringAll()
      }
    }
    let end: QueueEnd = { kind: 'interrupted' }
    const watch = async () => {
      end = (await this.#watch(both)) ?? end
      ended.abort()
      this.#desk.ringAll()
    }
    await Promise.all([
      guard(this.#lane.run(both)),
      guard(this.#poller.run(both)),
      guard(this.#collector.run(both)),
      guard(watch()),
      guard(publishWhile(this.#desk, both)),
      guard(this.#hear(both)),
    ])
    if (!signal.aborted) await this.#desk.parts.publisher?.finish()
    this.#desk.remember()
    if (fault !== undefined) throw fault
    return end
  }

  /** Hears the service's notices, where somebody listens for them. */
  async #hear(signal: AbortSignal) {
    const { announcements, parts } = this.#desk
    await parts.webhook?.run(
      {
        knows: (hash) => parts.store.noticeSecrets.attemptOf(hash) !== undefined,
        announced: (hash, runId) => announcements.hear(hash, runId),
        tell: (message) => parts.report({ kind: 'notice', message }),
      },
      signal,
    )
  }

  /** Follows what other processes and people change in the store, and notices the end. */
  async #watch(signal: AbortSignal): Promise<QueueEnd | undefined> {
    const { clock, store, connectionId } = this.#desk.parts
    let known = ''
    while (!signal.aborted) {
      const batches = store.batches.active(connectionId)
      // A batch that is let go on changes no image.
      const now = [store.images.change(), ...batches.map((batch) => batch.seq + batch.state)].join()
      if (now !== known) {
        known = now
        await this.#takeUp(batches)
        this.#desk.laneBell.ring()
      }
      if (this.nextCheckMs === 0) await this.checkBalance()
      const end = this.#end()
      if (end) return end
      await clock.sleep(watchMs, signal)
    }
    return undefined
  }

  /**
   * Brings runs and downloads into flight that nobody here looks after yet: those that were there before, and those
   * of a retry or a decision in another process. A paused batch sends nothing, but what is at the service comes.
   */
  async #takeUp(batches: readonly Batch[]) {
    const { store, deliverer } = this.#desk.parts
    for (const batch of batches) {
      for (const image of store.images.inState(batch.seq, 'running')) {
        if (image.runId !== null && !this.#desk.flights.has(image.runId)) {
          this.#desk.takeOff(image.runId, image.id, batch.seq).unseen = 1
        }
      }
      const stray = store.images
        .inState(batch.seq, 'downloading')
        .filter((image) => !this.#collector.has(image.id))
      for (const image of stray) {
        if (await deliverer.recover(batch, image)) {
          store.images.move(image.id, 'downloading', 'delivered', { error: null })
          this.#desk.parts.report({ kind: 'image', imageId: image.id })
        } else this.#collector.resume(image)
      }
      if (this.#tidied.has(batch.seq)) continue
      this.#tidied.add(batch.seq)
      await deliverer.tidy(batch, stray)
      deliverer.changed(batch)
    }
  }

  /** Milliseconds until the balance is asked for by itself; null while neither credits nor the key bar sending. */
  get nextCheckMs(): number | null {
    const barred = this.#desk.state === 'out-of-credits' || this.#desk.state === 'key-rejected'
    const passed = this.#desk.parts.clock.monotonic() - this.#checkedBalance
    return barred ? Math.max(0, balanceCheckMs - passed) : null
  }

  /** Whether a batch waits for a larger budget than it has now. */
  isSpent(batch: Batch): boolean {
    return this.#lane.isSpent(batch)
  }

  /** Batches whose output folder cannot be written at present, with why. */
  get unwritable(): ReadonlyMap<number, string> {
    return this.#collector.unwritable
  }

  /** The queue goes on when there are credits again, or the key is good again. */
  async checkBalance(): Promise<ServiceResult<Balance>> {
    const desk = this.#desk
    this.#checkedBalance = desk.parts.clock.monotonic()
    const answer = await desk.parts.service.balance()
    desk.heed(answer)
    if (answer.kind !== 'ok') return answer
    const again = desk.state === 'out-of-credits' && answer.value.totalCredits > 0
    if (desk.state === 'key-rejected' || again) desk.setState('running')
    return answer
  }

  #end(): QueueEnd | undefined {
    const { store, connectionId, settings } = this.#desk.parts
    if (settings.whenStopped === 'wait') return undefined
    const desk = this.#desk
    if (desk.state === 'key-rejected') {
      return { kind: 'key-rejected', message: desk.message ?? say`The service rejected the key.` }
    }
    const batches = store.batches
      .running(connectionId)
      .filter((batch) => this.#own === undefined || this.#own.has(batch.seq))
    const counts = batches.map((batch) => store.batches.counts(batch.seq))
    const atWork = counts.some((count) => count.submitting + count.running > 0)
    const busy = atWork || !this.#collector.idleFor(batches.map((batch) => batch.seq))
    if (busy || desk.laneBusy) return undefined
    const unwritable = [...this.#collector.unwritable.values()][0]
    if (unwritable !== undefined) return { kind: 'unwritable', message: unwritable }
    if (counts.some((count) => count.downloading > 0)) return undefined
    const waiting = batches.filter((_, index) => counts[index]!.waiting > 0)
    if (waiting.length === 0) return { kind: 'done' }
    if (desk.state === 'out-of-credits') {
      return { kind: 'out-of-credits', message: desk.message ?? say`Not enough credits.` }
    }
    if (desk.state === 'paused') return { kind: 'paused', message: desk.message ?? say`Paused.` }
    const trouble = publishingTrouble(desk, waiting)
    if (trouble !== undefined) return { kind: 'paused', message: trouble }
    if (waiting.every((batch) => this.#lane.isSpent(batch))) {
      const undecided = waiting.some((batch) => store.ledger.pending(batch.seq).undecided > 0)
      return { kind: 'budget', message: undecided ? budgetUndecided : say`The budget is used up.` }
    }
    return undefined
  }
}
