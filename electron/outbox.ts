/** Kept while nobody listens; what a person did before that is too old to matter. */
const mostKept = 200

/** Items for one listener at a time, in order. What comes while there is none waits for the next one. */
export class Outbox<T> {
  readonly #items: T[] = []
  readonly #waiting = new Set<() => void>()

  push(item: T): void {
    this.#items.push(item)
    if (this.#items.length > mostKept) this.#items.shift()
    for (const wake of this.#waiting) wake()
  }

  async *follow(signal: AbortSignal): AsyncGenerator<T> {
    while (!signal.aborted) {
      const item = this.#items.shift()
      if (item === undefined) await this.#next(signal)
      else yield item
    }
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }
}
