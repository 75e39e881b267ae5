import type { Io } from './io.ts'

/** Ctrl-C reaches a program that npm started twice, from the terminal and from npm: that is one request. */
const sameRequestMs = 400

/**
 * Requests to end (SIGINT, SIGTERM). The first one aborts `signal`: a command that works on batches ends in good order,
 * any other is left where it is. A second one ends the process at once; what is on the disk is enough to go on from.
 */
export class StopSwitch {
  readonly #abort = new AbortController()
  readonly #off: () => void
  #firstAt = 0
  #inGoodOrder = false
  readonly #left: Promise<void>

  constructor(io: Io) {
    let leave = () => {}
    this.#left = new Promise((resolve) => {
      leave = resolve
    })
    this.#off = io.onStop(() => {
      if (this.#abort.signal.aborted) {
        if (performance.now() - this.#firstAt > sameRequestMs) io.exit(130)
        return
      }
      this.#firstAt = performance.now()
      this.#abort.abort()
      if (!this.#inGoodOrder) leave()
    })
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** From now on the command heeds `signal` itself. */
  endInGoodOrder() {
    this.#inGoodOrder = true
  }

  /** Resolves when the command is to be left where it is. */
  get left(): Promise<void> {
    return this.#left
  }

  close() {
    this.#off()
  }
}
