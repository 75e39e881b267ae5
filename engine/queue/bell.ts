import type { Clock } from '../clock.ts'

/** Why a wait ended; said, so that no error with a stack is made for each ring. */
const rung = 'rung'

/**
 * Wakes loops that wait for "something changed". A ring while nobody waits is kept for the next wait, so that no
 * change is slept through.
 */
export class Bell {
  readonly #clock: Clock
  #rung = false
  #wake: (() => void) | undefined
  constructor(clock: Clock) {
    this.#clock = clock
  }

  ring() {
    this.#rung = true
    this.#wake?.()
  }

  /** Resolves at the next ring, after `ms` milliseconds, or when the signal aborts. One waiter at a time. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung && ms > 0 && !signal.aborted) {
      const timeout = new AbortController()
      const stop = () => timeout.abort(rung)
      this.#wake = stop
      signal.addEventListener('abort', stop, { once: true })
      await this.#clock.sleep(ms, timeout.signal)
      signal.removeEventListener('abort', stop)
      this.#wake = undefined
    }
    this.#rung = false
  }
}
