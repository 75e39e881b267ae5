/** A value that is told to whoever follows it. */
export class Told<T> {
  value: T
  readonly #listeners = new Set<(value: T) => void>()

  constructor(value: T) {
    this.value = value
  }

  tell(value: T): void {
    this.value = value
    for (const listener of this.#listeners) listener(value)
  }

  /** Values that are told from this call on, until the signal. */
  later(signal: AbortSignal): AsyncGenerator<T> {
    const told: T[] = []
    const waiting = { wake: () => {} }
    const hear = (value: T) => {
      told.push(value)
      waiting.wake()
    }
    this.#listeners.add(hear)
    signal.addEventListener(
      'abort',
      () => {
        this.#listeners.delete(hear)
        waiting.wake()
      },
      { once: true },
    )
    return drain(told, waiting, signal)
  }

  /** How it stands, then every change. */
  async *watch<U>(signal: AbortSignal, show: (value: T) => U): AsyncGenerator<U> {
    const later = this.later(signal)
    yield show(this.value)
    for await (const value of later) yield show(value)
  }
}

async function* drain<T>(told: T[], waiting: { wake: () => void }, signal: AbortSignal): AsyncGenerator<T> {
  while (!signal.aborted) {
    if (told.length > 0) yield told.shift() as T
    else {
      await new Promise<void>((resolve) => {
        waiting.wake = resolve
      })
    }
  }
}
