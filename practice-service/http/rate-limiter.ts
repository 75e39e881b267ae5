/** A bucket that fills at a steady rate; a request takes one token or is refused. */
export class RateLimiter {
  #tokens = Number.POSITIVE_INFINITY
  #filledMs = 0

  /** True when the request at `nowMs` is one too many; never without a limit. */
  refuses(limit: { readonly perSecond: number; readonly burst: number } | null, nowMs: number): boolean {
    if (!limit) return false
    const gained = (Math.max(0, nowMs - this.#filledMs) / 1000) * limit.perSecond
    this.#tokens = Math.min(limit.burst, this.#tokens + gained)
    this.#filledMs = nowMs
    if (this.#tokens < 1) return true
    this.#tokens -= 1
    return false
  }
}
