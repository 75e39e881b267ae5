import type { Clock } from '../clock.ts'

interface Sleeper {
  readonly dueMs: number
  readonly wake: () => void
}

/** A clock that stands still until a test moves it. */
export class VirtualClock implements Clock {
  #nowMs: number
  readonly #sleepers = new Set<Sleeper>()

  constructor(nowMs = Date.UTC(2026, 10, 21, 9)) {
    this.#nowMs = nowMs
  }

  now(): number {
    return this.#nowMs
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const sleeper = {
        dueMs: this.#nowMs + ms,
        wake: () => {
          this.#sleepers.delete(sleeper)
          signal?.removeEventListener('abort', sleeper.wake)
          resolve()
        },
      }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', sleeper.wake, { once: true })
    })
  }

  /** Sleepers that wait for time to pass. */
  get sleeping(): number {
    return this.#sleepers.size
  }

  /** Moves time, waking sleepers in the order in which they are due and letting each do its work. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms
    await settled()
    for (let next = this.#nextUntil(endMs); next; next = this.#nextUntil(endMs)) {
      this.#nowMs = Math.max(this.#nowMs, next.dueMs)
      next.wake()
      await settled()
    }
    this.#nowMs = endMs
  }

  #nextUntil(endMs: number): Sleeper | undefined {
    let next: Sleeper | undefined
    for (const sleeper of this.#sleepers) {
      if (sleeper.dueMs <= endMs && (!next || sleeper.dueMs < next.dueMs)) next = sleeper
    }
    return next
  }
}

/** Lets promises that are ready run to where they wait again. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
