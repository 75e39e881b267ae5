import type { Clock } from '../../clock.ts'

interface Timer {
  readonly at: number
  readonly order: number
  readonly fire: () => void
  done: boolean
}

/** A clock that stands still until everybody waits, then jumps to the next timer. Deterministic. */
export class VirtualClock implements Clock {
  #now = 0
  #order = 0
  /** Difference of the wall clock to the monotonic one; a test may move it. */
  wallOffset = Date.UTC(2026, 0, 1)
  readonly #heap: Timer[] = []

  now(): number {
    return Math.floor(this.wallOffset + this.#now)
  }

  monotonic(): number {
    return this.#now
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        timer.done = true
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = this.#add(ms, done)
      signal?.addEventListener('abort', done, { once: true })
    })
  }

  /** Calls back after `ms`, for what happens on the service's side. */
  after(ms: number, fire: () => void) {
    this.#add(ms, fire)
  }

  /** Lets time pass until the work is done; fails when nobody waits for anything any more. */
  async run<T>(work: Promise<T>): Promise<T> {
    let settled = false
    const finish = () => {
      settled = true
    }
    work.then(finish, finish)
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      if (settled) return work
      const timer = this.#pop()
      if (!timer) throw new Error('Everybody waits, and no timer is set.')
      this.#now = Math.max(this.#now, timer.at)
      timer.fire()
      // What is due at the same moment belongs to the same step.
      while (this.#heap[0] && this.#heap[0].at <= this.#now) {
        const also = this.#pop()
        if (also) also.fire()
      }
    }
  }

  #add(ms: number, fire: () => void): Timer {
    const timer: Timer = { at: this.#now + Math.max(0, ms), order: (this.#order += 1), fire, done: false }
    const heap = this.#heap
    let index = heap.push(timer) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (before(heap[parent]!, timer)) break
      heap[index] = heap[parent]!
      index = parent
    }
    heap[index] = timer
    return timer
  }

  #pop(): Timer | undefined {
    for (;;) {
      const top = this.#heap[0]
      if (!top) return undefined
      const last = this.#heap.pop()!
      if (this.#heap.length > 0) this.#sink(last)
      if (!top.done) return top
    }
  }

  #sink(timer: Timer) {
    const heap = this.#heap
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1
      if (before(timer, heap[child]!)) break
      heap[index] = heap[child]!
      index = child
    }
    heap[index] = timer
  }
}

function before(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
