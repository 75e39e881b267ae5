import type { Clock } from '../clock.ts'

/** What a request is for; earlier ones go first when requests have to wait. */
export type Purpose = 'get' | 'list' | 'submit'

const purposes: readonly Purpose[] = ['get', 'list', 'submit']

const start = { rate: 20, burst: 20 }
const highestRate = 40
const lowestRate = 0.5
/** Only overwhelming refusals go below this; a service that refuses at random would else talk it down for ever. */
const modestRate = 1.5
/** The time over which admissions and refusals are counted, and within which a second refusal follows a first. */
const memoryMs = 10_000
const calmMs = 30_000
const growthPerSecond = { free: 1, afterLimit: 0.002, calm: 0.008 }
const listShareWhenLimited = 0.12
/** Refused more than this share, nothing of what was admitted before is proof any more. */
const overwhelming = 0.25
/** A share of fewer refusals than this says nothing. */
const fewest = 5
/** Refusals well below a rate that was admitted before are bad luck, not a limit. */
const wellBelow = 0.8
/** Each refusal makes what was admitted long ago a weaker proof. */
const fading = 0.99

/**
 * One token bucket before all API requests of a connection (docs/decisions/0006). It finds the service's
 * undocumented limit by itself: it grows while it is what holds requests back, waits out a refusal, and takes what
 * was really admitted as the rate once refusals come at rates that were not admitted before. A service that refuses
 * at random slows it down but little. Nothing is given up because of a 429.
 */
export class Pacer {
  readonly #clock: Clock
  readonly #waiting: Record<Purpose, (() => void)[]> = { get: [], list: [], submit: [] }
  readonly #startedAt: number
  #rate = start.rate
  #burst = start.burst
  #tokens = start.burst
  #filledAt: number
  #blockedUntil = 0
  #held = false
  #pumping = false
  #refusedAt = -Infinity
  #limited = false
  /** Requests a second that were admitted over ten seconds at some time. */
  #proven = 0
  #admitted: number[] = []
  #refused: number[] = []

  constructor(clock: Clock) {
    this.#clock = clock
    this.#startedAt = clock.monotonic()
    this.#filledAt = this.#startedAt
  }

  /** Requests a second that it allows at present. */
  get rate(): number {
    return this.#rate
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
    if (this.#admitted.length % 64 === 0) {
      this.#forget(now)
      if (now - this.#startedAt >= 2 * memoryMs)
        this.#proven = Math.max(this.#proven, this.#perSecond(this.#admitted, now))
    }
  }

  /** The service answered 429; `retryAfterMs` as it said, or undefined. */
  refused(retryAfterMs: number | undefined) {
    const now = this.#clock.monotonic()
    const second = now - this.#refusedAt < memoryMs
    this.#refusedAt = now
    this.#blockedUntil = Math.max(this.#blockedUntil, now + (retryAfterMs ?? 1000))
    this.#refused.push(now)
    this.#forget(now)
    if (!second) return
    const admitted = this.#perSecond(this.#admitted, now)
    const refused = this.#perSecond(this.#refused, now)
    const share = this.#refused.length / (this.#refused.length + this.#admitted.length)
    // What was admitted in the first moments was mostly the bucket that the service had filled for us.
    const early = now - this.#startedAt < 2 * memoryMs
    const flooded = share > overwhelming && this.#refused.length >= fewest
    const disproved = early || flooded
    this.#proven = disproved ? admitted : Math.max(this.#proven, admitted)
    if (admitted + refused < wellBelow * this.#proven) {
      this.#proven *= fading
      return
    }
    // Near the limit a small step back is enough; far above it only what was admitted tells where it lies.
    const near = this.#limited && !flooded
    this.#limited = true
    this.#rate = near
      ? Math.max(Math.min(this.#rate, modestRate), 0.9 * this.#rate)
      : Math.max(lowestRate, 0.95 * Math.min(this.#rate, admitted))
    this.#burst = 1
    this.#tokens = Math.min(this.#tokens, 1)
  }

  #perSecond(times: readonly number[], now: number): number {
    return (times.length * 1000) / Math.min(memoryMs, Math.max(1000, now - this.#startedAt))
  }

  #forget(now: number) {
    this.#admitted = this.#admitted.filter((at) => now - at < memoryMs)
    this.#refused = this.#refused.filter((at) => now - at < memoryMs)
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
    // What was saved up while the service asked for a pause would be a burst right after it.
    const from = Math.max(this.#filledAt, Math.min(now, this.#blockedUntil))
    const seconds = (now - from) / 1000
    this.#filledAt = now
    if (this.#held) this.#grow(seconds, now - this.#refusedAt)
    this.#tokens = Math.min(this.#burst, this.#tokens + this.#rate * seconds)
    if (this.#tokens >= this.#burst && this.#burst > 1) this.#held = false
  }

  #grow(seconds: number, calm: number) {
    const { free, afterLimit, calm: patient } = growthPerSecond
    const growth = this.#limited
      ? this.#rate * (calm > calmMs ? patient : afterLimit)
      : calm > memoryMs
        ? free
        : 0
    this.#rate = Math.min(highestRate, this.#rate + growth * seconds)
  }
}
