/** A source of numbers in [0, 1). */
export type Random = () => number

/** A repeatable source (mulberry32): the same seed gives the same numbers. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** How long a run takes, in seconds: fixed, evenly between two, or log-normal around a median. */
export type ProcessingTime =
  | number
  | readonly [min: number, max: number]
  | { readonly median: number; readonly sigma: number }

/** Draws one processing time in seconds. */
export function drawSeconds(time: ProcessingTime, random: Random): number {
  if (typeof time === 'number') return time
  if ('median' in time) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return time.median * Math.exp(time.sigma * normal)
  }
  return time[0] + (time[1] - time[0]) * random()
}
