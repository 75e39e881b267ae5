import type { Clock } from '../clock.ts'

/** Failures in a row, of lists alone, after which runs are asked for one by one for a while. */
const patience = 2
/** Time until a broken list is tried again, doubled from failure to failure, in ms. */
const backoff = { first: 2000, longest: 60_000 }
/** An answer that takes longer is no use for polling, in ms. */
const slowMs = 5000

/** Whether the service's list of runs (interface, 4.3) can be polled; everything else may well work while it does not. */
export class ListAccess {
  readonly #clock: Clock
  #misses = 0
  #retryAt = 0
  #failingSince = Infinity
  #failedAt = -Infinity

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** True until it is worth trying the list again. */
  get broken(): boolean {
    return this.#misses >= patience && this.#clock.monotonic() < this.#retryAt
  }

  /** True from the first failure until a list is answered again. */
  get doubtful(): boolean {
    return this.#misses > 0
  }

  /** Moments of the first and the last of the failures in a row (monotonic, ms). */
  get failingSince(): number {
    return this.#failingSince
  }

  get failedAt(): number {
    return this.#failedAt
  }

  failed() {
    const now = this.#clock.monotonic()
    this.#misses += 1
    this.#failedAt = now
    if (this.#misses === 1) this.#failingSince = now
    const doubled = backoff.first * 2 ** Math.max(0, this.#misses - patience)
    this.#retryAt = now + Math.min(backoff.longest, doubled)
  }

  answered(rttMs: number) {
    if (rttMs > slowMs) {
      this.failed()
      return
    }
    this.#misses = 0
    this.#failingSince = Infinity
    this.#retryAt = 0
  }

  /** The service as a whole was away and is back: its list may be as well. */
  tryAgain() {
    this.#retryAt = 0
  }
}
