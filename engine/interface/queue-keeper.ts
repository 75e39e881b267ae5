import { stat } from 'node:fs/promises'
import { isDone } from '../batches/work.ts'
import { dataFolder } from '../data-folder.ts'
import type { PublisherPart, QueueEvent, QueueSettings } from '../queue/parts.ts'
import { defaultQueueSettings, frugalPatience } from '../queue/parts.ts'
import { Queue } from '../queue/queue.ts'
import type { Batch } from '../store/rows.ts'
import { takeLease, type Lease } from '../store/lease.ts'
import { openSafetyFiles } from '../store/safety-files.ts'
import type { InterfaceParts } from './parts.ts'
import { createWebhookReceiver } from '../webhook/receiver.ts'
import { receiverIn } from '../webhook/receiver-settings.ts'
import type { Notices } from './notices.ts'
import type { Session } from './session.ts'
import { say } from '../../shared/language/say.ts'

const followMs = 300
const settleMs = 250
/** Bytes of a queue's file; about 15,000 images. */
const largeQueue = 10_000_000
/** Nothing is sent for so long after the start of a program with a large queue. */
const windowFirstMs = 1500
/** After a fault that a person has to do something about (a full disk), it is tried again. */
const afterFaultMs = 10_000

export interface KeeperParts {
  readonly interface: InterfaceParts
  readonly session: Session
  /** For pictures of this computer. */
  readonly publisher: PublisherPart
  readonly notices: Notices
  /** Something about the queue changed. */
  readonly onChange: () => void
}

/**
 * Keeps the queue of one connection at work for as long as the program runs: takes the lease, follows while another
 * process has it, closes batches that are done, and begins again after a fault.
 */
export class QueueKeeper {
  readonly #parts: KeeperParts
  readonly #stop = new AbortController()
  readonly #ended: Promise<void>
  #queue: Queue | undefined
  #following = false
  #fault: string | undefined

  constructor(parts: KeeperParts) {
    this.#parts = parts
    this.#ended = this.#keep()
  }

  /** The queue, while this process works on it. */
  get queue(): Queue | undefined {
    return this.#queue
  }

  get following(): boolean {
    return this.#following
  }

  /** Why the queue stands and begins again later; a sentence for a person. */
  get fault(): string | undefined {
    return this.#fault
  }

  /** Sends no more until it is told to go on; what is at the service comes. */
  setPaused(paused: boolean) {
    const desk = this.#queue?.desk
    if (paused) desk?.setState('paused', say`Paused.`)
    else if (desk?.state === 'paused') desk.setState('running')
  }

  async close() {
    this.#stop.abort()
    await this.#ended
  }

  async #keep() {
    const { interface: parts, session } = this.#parts
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        const lease = takeLease(dataFolder(parts.home).lease, (message) =>
          this.#parts.notices.tell(message, 'warning'),
        )
        this.#setFollowing(!lease)
        if (lease) await this.#work(lease)
        else {
          this.#wantInterrupted()
          await parts.clock.sleep(followMs, signal)
        }
      } catch (error) {
        parts.onFault(error)
        const fault =
          error instanceof Error ? error.message : say`The queue stopped for a reason that is not known.`
        if (fault !== this.#fault) this.#parts.notices.tell(fault, 'error')
        this.#fault = fault
        this.#parts.onChange()
        await parts.clock.sleep(afterFaultMs, signal)
      }
    }
    await session.deliverer.flush()
  }

  async #work(lease: Lease) {
    const { interface: parts, session } = this.#parts
    const { store, home } = parts
    const folder = dataFolder(home)
    const safety = openSafetyFiles(folder.highWater, folder.journal)
    const tidying = new AbortController()
    try {
      // Looking through a large queue takes a moment: the window shows its first pictures before.
      if ((await stat(folder.queue)).size > largeQueue)
        await parts.clock.sleep(windowFirstMs, this.#stop.signal)
      store.ledger.prove()
      this.#takeOver()
      store.connections.atWork = session.storeId
      const queue = new Queue({
        store,
        safety,
        connectionId: session.storeId,
        service: session.client,
        deliverer: session.deliverer,
        publisher: this.#parts.publisher,
        webhook: createWebhookReceiver({
          clock: parts.clock,
          settings: () => receiverIn(parts.preferences.read()),
        }),
        clock: parts.clock,
        random: parts.random,
        settings: this.#settings(),
        report: (event) => this.#heard(event),
      })
      this.#queue = queue
      this.#fault = undefined
      if (store.batches.allPaused) this.setPaused(true)
      this.#parts.onChange()
      const ended = this.#closeDone(AbortSignal.any([this.#stop.signal, tidying.signal]))
      try {
        await queue.run(this.#stop.signal)
      } finally {
        tidying.abort()
        await ended
      }
      this.#leave()
    } finally {
      this.#queue = undefined
      await session.deliverer.flush()
      safety.close()
      lease.release()
      this.#parts.onChange()
    }
  }

  /** Read anew at each use, so that a change holds at once. */
  #settings(): QueueSettings {
    const { preferences, settleMs: given } = this.#parts.interface
    const chosen = () => preferences.read().chosen
    return {
      whenStopped: 'wait',
      holdMs: defaultQueueSettings.holdMs,
      downloads: defaultQueueSettings.downloads,
      get settleMs() {
        return given ?? (chosen().settleSeconds ?? defaultQueueSettings.settleMs / 1000) * 1000
      },
      get patience() {
        return chosen().frugal ? frugalPatience : defaultQueueSettings.patience
      },
      get inFlight() {
        return chosen().inFlight ?? undefined
      },
    }
  }

  #heard(event: QueueEvent) {
    if (event.kind === 'notice') this.#parts.notices.tell(event.message, 'warning')
    if (event.kind === 'queue') {
      // Other stops end by themselves; this one is a person's.
      if (event.state === 'running' && this.#parts.interface.store.batches.allPaused) this.setPaused(true)
      this.#parts.onChange()
    }
  }

  #setFollowing(following: boolean) {
    if (this.#following === following) return
    this.#following = following
    this.#parts.onChange()
  }

  /** With the lease: what ran when a program ended goes on; what other connections ran waits for its own. */
  #takeOver() {
    const { batches } = this.#parts.interface.store
    for (const batch of batches.all()) {
      if (batch.connectionId === this.#parts.session.storeId) {
        if (batch.state === 'interrupted') batches.setState(batch.seq, 'running')
      } else if (batch.state === 'running') batches.setState(batch.seq, 'interrupted')
    }
  }

  /** The process with the lease calls interrupted what it did not begin; ours is still wanted. */
  #wantInterrupted() {
    const { batches } = this.#parts.interface.store
    for (const batch of batches.all()) {
      const ours = batch.connectionId === this.#parts.session.storeId
      if (ours && batch.state === 'interrupted') batches.setState(batch.seq, 'running')
    }
  }

  /** What still runs is marked, so that another program does not take it for somebody's work. */
  #leave() {
    const { batches } = this.#parts.interface.store
    for (const batch of batches.running(this.#parts.session.storeId))
      batches.setState(batch.seq, 'interrupted')
  }

  /** Its budget is used up, and nothing is under way any more that could give some of it back. */
  #isSpent(batch: Batch): boolean {
    const { store } = this.#parts.interface
    return batch.state === 'running' && this.#queue?.isSpent(batch) === true && !isBusy(store, batch.seq)
  }

  /** Batches of which nothing is under way nor waits are finished, the paused ones too. */
  async #closeDone(signal: AbortSignal) {
    const { interface: parts, session } = this.#parts
    const { store } = parts
    while (!signal.aborted) {
      for (const batch of store.batches.active(session.storeId)) {
        // Read anew: the budget may have been raised while another batch was closed.
        if (this.#isSpent(store.batches.bySeq(batch.seq)))
          store.batches.setState(batch.seq, 'stopped', 'budget')
        if (!isDone(store, batch.seq) || isEmpty(store, batch.seq)) continue
        // Who sees that it is finished finds its manifest whole.
        session.deliverer.changed(batch)
        await session.deliverer.flush()
        store.transaction(() => {
          if (isDone(store, batch.seq)) store.batches.setState(batch.seq, 'finished')
        })
      }
      await parts.clock.sleep(settleMs, signal)
    }
  }
}

/** Runs at the service, or on their way to or from it. */
function isBusy(store: InterfaceParts['store'], seq: number): boolean {
  const { submitting, running, downloading } = store.batches.counts(seq)
  return submitting + running + downloading > 0
}

/** Only held images: nothing of it was ever wanted, so nothing is finished. */
function isEmpty(store: InterfaceParts['store'], seq: number): boolean {
  const { held, ...others } = store.batches.counts(seq)
  return held > 0 && Object.values(others).every((n) => n === 0)
}
