import type { Clock } from '../clock.ts'

/** What a request is for; earlier ones go first when requests have to wait. */
export type Purpose = 'get' | 'list' | 'submit'

const purposes: readonly Purpose[] = ['get', 'list', 'submit']

const start = { rate: 20, burst: 20 }
const highestRate = 40
const lowestRate = 2
/** A second refusal within this time means a limit, not bad luck. */
const pairMs = 10_000
const calmMs = 30_000
const listShareWhenLimited = 0.2

/**
 * One token bucket before all API requests of a connection (PERFORMANCE, section 5). It finds the service's
 * undocumented limit by itself: it grows while it is what holds requests back, waits out a lone 429, and after a
 * second one takes what was really admitted as the rate. Nothing is given up because of a 429.
 */
export class Pacer {
  readonly #clock: Clock
  readonly #waiting: Record<Purpose, (() => void)[]> = { get: [], list: [], submit: [] }
  #rate = start.rate
  #burst = start.burst
  #tokens = start.burst
  #filledAt: number
  #blockedUntil = 0
  #growth = 1
  #held = false
  #pumping = false
  #refusedAt = -Infinity
  #limited = false
  readonly #admitted: number[] = []

  constructor(clock: Clock) {
    this.#clock = clock
    this.#filledAt = clock.monotonic()
  }

  /** Requests a second that it allows at present. */
  get rate(): number {
    return this.#rate
  }

  /** True after the service has shown a limit; lists then take at most a fifth of the rate. */
  get limited(): boolean {
    return this.#limited
  }

  /** Shortest time between two list requests, in ms, that leaves the rest of the rate to the others. */
  get listIntervalMs(): number {
    return this.#limited ? 1000 / (this.#rate * listShareWhenLimited) : 0
  }

  /** Resolves when a request of this purpose may be sent. `again`: it was refused, so it goes first among its like. */
  take(purpose: Purpose, again = false): Promise<void> {
    return new Promise((resolve) => {
      if (again) this.#waiting[purpose].unshift(resolve)
      else this.#waiting[purpose].push(resolve)
      if (!this.#pumping) void this.#pump()
    })
  }

  /** The service answered (anything but 429). */
  admitted() {
    const now = this.#clock.monotonic()
    this.#admitted.push(now)
    if (this.#admitted.length > 4096) this.#admitted.splice(0, 2048)
  }

  /** The service answered 429; `retryAfterMs` as it said, or undefined. */
  refused(retryAfterMs: number | undefined) {
    const now = this.#clock.monotonic()
    const second = now - this.#refusedAt < pairMs
    this.#refusedAt = now
    this.#blockedUntil = Math.max(this.#blockedUntil, now + (retryAfterMs ?? 1000))
    if (!second) return
    const recent = this.#admitted.filter((at) => now - at < pairMs).length
    this.#limited = true
    this.#rate = Math.max(lowestRate, Math.min(this.#rate, (0.95 * recent * 1000) / pairMs))
    this.#burst = 3
    this.#tokens = Math.min(this.#tokens, 0)
    this.#growth = 0.01
  }

  async #pump() {
    this.#pumping = true
    for (;;) {
      const next = purposes.find((purpose) => this.#waiting[purpose].length > 0)
      if (!next) break
      this.#refill()
      const now = this.#clock.monotonic()
      if (now < this.#blockedUntil) {
        await this.#clock.sleep(this.#blockedUntil - now)
      } else if (this.#tokens < 1) {
        this.#held = true
        await this.#clock.sleep(Math.max(1, ((1 - this.#tokens) / this.#rate) * 1000))
      } else {
        this.#tokens -= 1
        this.#waiting[next].shift()!()
      }
    }
    this.#pumping = false
  }

  #refill() {
    const now = this.#clock.monotonic()
    const seconds = (now - this.#filledAt) / 1000
    this.#filledAt = now
    if (this.#limited && now - this.#refusedAt > calmMs) this.#growth = Math.max(this.#growth, 0.1)
    if (this.#held && now - this.#refusedAt > pairMs) {
      this.#rate = Math.min(highestRate, this.#rate + this.#growth * seconds)
    }
    this.#tokens = Math.min(this.#burst, this.#tokens + this.#rate * seconds)
    if (this.#tokens >= this.#burst) this.#held = false
  }
}
