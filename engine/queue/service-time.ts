import type { Clock } from '../clock.ts'

/** Bounds of a moment in the service's own time, in ms since the epoch. */
export interface Bounds {
  readonly from: number
  readonly to: number
}

/** Answers older than this no longer bound the offset: clocks drift, and are set. */
const keptMs = 10 * 60_000

/**
 * The service's clock, seen through the `Date` of its answers: each bounds the offset between it and our monotonic
 * clock within a second and a round trip; together they bound it more narrowly. Our own wall clock plays no part,
 * so it may be hours off or jump.
 */
export class ServiceTime {
  readonly #clock: Clock
  #bounds: { from: number; to: number; at: number }[] = []
  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param date the `Date` header in ms (whole seconds, so the truth lies up to 999 ms later). */
  observe(date: number | undefined, sentAt: number, receivedAt: number) {
    if (date === undefined || !Number.isFinite(date)) return
    const next = { from: date - receivedAt, to: date + 999 - sentAt, at: receivedAt }
    const kept = this.#bounds.filter((bound) => receivedAt - bound.at < keptMs)
    // A bound that contradicts the newest comes from a clock that was set since.
    this.#bounds = [
      ...kept.filter((bound) => bound.from <= next.to && bound.to >= next.from).slice(-63),
      next,
    ]
  }

  /** The service's time at a moment of our monotonic clock, or undefined while no answer carried a usable date. */
  at(monotonic: number): Bounds | undefined {
    if (this.#bounds.length === 0) return undefined
    const from = Math.max(...this.#bounds.map((bound) => bound.from))
    const to = Math.min(...this.#bounds.map((bound) => bound.to))
    // Bounds that agree with the newest may still disagree among themselves: then only the newest counts.
    const newest = this.#bounds.at(-1)!
    const [low, high] = from <= to ? [from, to] : [newest.from, newest.to]
    return { from: Math.floor(monotonic + low), to: Math.ceil(monotonic + high) }
  }

  now(): Bounds | undefined {
    return this.at(this.#clock.monotonic())
  }
}
