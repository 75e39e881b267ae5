/** Runs in flight before anything is known of the service. */
const firstWindow = 32
/** More than this in flight gains nothing and would be lost time for a cancel or a wrong setting. */
const widest = 1000

/** What one look at the list said about this program's runs. */
export interface Occupancy {
  /** Runs of ours that the service works on. */
  readonly inProgress: number
  /** Runs of ours that it has accepted but not begun. */
  readonly queued: number
  /** Completions a second at present. */
  readonly rate: number
  /** Time between two lists, and a round trip, in ms. */
  readonly lagMs: number
}

/**
 * How many runs to have in flight: enough that the service never waits for the next submission, and hardly more.
 * While nothing is queued the service has room, and the window doubles; once a queue stands, the runs in progress
 * are its concurrency C, and the window is C plus what finishes unnoticed between two lists (docs/decisions/0005).
 */
export class Window {
  #capacity: number | undefined
  #size: number
  #idle = 0

  constructor(capacity: number | undefined) {
    this.#capacity = capacity
    this.#size = capacity ? Math.max(firstWindow, capacity + 8) : firstWindow
  }

  /** The service's concurrency as found, or undefined. */
  get capacity(): number | undefined {
    return this.#capacity
  }

  get size(): number {
    return this.#size
  }

  /** True while it is still looking for the concurrency, so that the next look should come soon. */
  get searching(): boolean {
    return this.#capacity === undefined
  }

  observe(seen: Occupancy, inFlight: number) {
    if (seen.queued > 0 && seen.inProgress > 0) {
      this.#capacity = seen.inProgress
      this.#idle = 0
      this.#size = Math.min(widest, this.#capacity + margin(seen))
      return
    }
    // Nothing is queued. Room only shows if the window was full; a window that was not tells nothing.
    if (inFlight < this.#size / 2) return
    this.#idle += 1
    if (this.#capacity === undefined) this.#size = Math.min(widest, this.#size * 2)
    else if (this.#idle >= 2 && inFlight >= this.#size * 0.9) {
      this.#size = Math.min(widest, this.#size + Math.max(2, Math.ceil(this.#size / 4)))
    }
  }

  /** The service refused more runs than this (429 on submissions only): a ceiling for now. */
  ceiling(inFlight: number) {
    this.#size = Math.max(1, Math.min(this.#size, inFlight))
  }
}

function margin(seen: Occupancy): number {
  const x = seen.rate * (seen.lagMs / 1000)
  return Math.ceil(x + 2 * Math.sqrt(x)) + 1
}
