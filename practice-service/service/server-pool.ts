import type { Run } from './runs.ts'

/** The service's servers: runs are taken first in, first out, at most `concurrency` at a time. */
export class ServerPool {
  readonly #work: (run: Run) => Promise<void>
  #concurrency: number
  #waiting: Run[] = []
  /** Index of the next run in #waiting: taking from the front of a long array would cost its length. */
  #next = 0
  readonly #busy = new Set<Promise<void>>()
  #held = false
  #closed = false
  #idleListeners: (() => void)[] = []

  constructor(concurrency: number, work: (run: Run) => Promise<void>) {
    this.#concurrency = concurrency
    this.#work = work
  }

  /** Runs that wait for a server. */
  get queued(): number {
    return this.#waiting.length - this.#next
  }

  get busy(): number {
    return this.#busy.size
  }

  enqueue(run: Run): void {
    this.#waiting.push(run)
    this.#fill()
  }

  setConcurrency(concurrency: number): void {
    this.#concurrency = concurrency
    this.#fill()
  }

  /** No further run is begun until `release`. */
  hold(): void {
    this.#held = true
  }

  release(): void {
    this.#held = false
    this.#fill()
  }

  /** Resolves when no run waits or is worked on. */
  idle(): Promise<void> {
    if (this.queued === 0 && this.#busy.size === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idleListeners.push(resolve))
  }

  /** Begins nothing more and resolves when what was begun has ended. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#busy)
    this.#tellIdle()
  }

  #fill(): void {
    while (!this.#closed && !this.#held && this.#busy.size < this.#concurrency && this.queued > 0) {
      const run = this.#waiting[this.#next]!
      this.#next += 1
      if (this.#next > 1024 && this.#next * 2 > this.#waiting.length) {
        this.#waiting = this.#waiting.slice(this.#next)
        this.#next = 0
      }
      this.#begin(run)
    }
  }

  #begin(run: Run): void {
    const working = this.#work(run).finally(() => {
      this.#busy.delete(working)
      this.#fill()
      if (this.queued === 0 && this.#busy.size === 0) this.#tellIdle()
    })
    this.#busy.add(working)
  }

  #tellIdle(): void {
    const listeners = this.#idleListeners
    this.#idleListeners = []
    for (const listener of listeners) listener()
  }
}
