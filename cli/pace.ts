/** How fast a batch goes and when it will be done (interface design, 4.2). */

const windowMs = 180_000
const firstAfter = 5
const revisedEveryMs = 5000
const minute = 60_000

interface Sample {
  readonly at: number
  readonly finished: number
}

/** Rate and remaining time over the last three minutes. Times are monotonic milliseconds. */
export class Pace {
  readonly #samples: Sample[] = []
  #shownMs: number | undefined
  #revisedAt = -Infinity

  /** @param finished images that came to an end since the start of the work */
  observe(at: number, finished: number) {
    const last = this.#samples.at(-1)
    if (last && last.finished === finished && at - last.at < 1000) return
    this.#samples.push({ at, finished })
    while (this.#samples.length > 2 && at - this.#samples[1]!.at > windowMs) this.#samples.shift()
  }

  /** Images a minute; undefined until something can be said. */
  get perMinute(): number | undefined {
    const first = this.#samples[0]
    const last = this.#samples.at(-1)
    if (!first || !last || last.finished - first.finished < 1 || last.at <= first.at) return undefined
    return ((last.finished - first.finished) / (last.at - first.at)) * minute
  }

  /**
   * Milliseconds that the rest will take; undefined before five images are finished. Revised every five seconds, and
   * upwards only by a minute or more, so that the number does not flicker.
   */
  remaining(at: number, left: number): number | undefined {
    const rate = this.perMinute
    const finished = this.#samples.at(-1)?.finished ?? 0
    if (rate === undefined || finished < firstAfter) return undefined
    if (this.#shownMs !== undefined && at - this.#revisedAt < revisedEveryMs) return this.#shownMs
    const fresh = (left / rate) * minute
    if (this.#shownMs !== undefined && fresh > this.#shownMs && fresh - this.#shownMs < minute) {
      return this.#shownMs
    }
    this.#shownMs = fresh
    this.#revisedAt = at
    return fresh
  }
}

/** `≈ 40 s`, `≈ 8 min`, above 90 minutes `≈ 1 h 50`. */
export function roughTime(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 55) return `≈ ${Math.max(5, Math.ceil(seconds / 5) * 5)} s`
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes <= 90) return `≈ ${minutes} min`
  const tens = Math.round(minutes / 10) * 10
  return `≈ ${Math.floor(tens / 60)} h ${String(tens % 60).padStart(2, '0')}`
}
