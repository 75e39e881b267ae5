/** Time as the engine sees it; passed in, so that tests can move it. */
export interface Clock {
  /** Wall clock in milliseconds since the epoch; may jump. For records and people, never for durations. */
  now(): number
  /** Monotonic clock in milliseconds; only differences mean something. */
  monotonic(): number
  /** Resolves after `ms` of monotonic time; at once, without an error, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The machine's own clocks. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) {
        resolve()
        return
      }
      const timer = setTimeout(done, ms)
      function done() {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      signal?.addEventListener('abort', done, { once: true })
    }),
}
