/**
 * "Something changed", for any number of followers. Each reads how things stand now, so that rings which come while a
 * follower is at work count as one and nothing piles up behind a slow one.
 */
export class Topic {
  readonly #waiting = new Set<() => void>()
  #version = 0

  ring() {
    this.#version += 1
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  get version(): number {
    return this.#version
  }

  /** Resolves when the version is no longer `known`, or the signal aborts. */
  async after(known: number, signal: AbortSignal): Promise<void> {
    if (this.#version !== known || signal.aborted) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }

  /** What `read` says now, and again after each change; what is the same as before is not repeated. */
  async *follow<T>(read: () => T, signal: AbortSignal): AsyncGenerator<T> {
    let told: string | undefined
    while (!signal.aborted) {
      const known = this.#version
      const value = read()
      const text = JSON.stringify(value)
      if (text !== told) {
        told = text
        yield value
      }
      await this.after(known, signal)
    }
  }
}
