/** Seeded random numbers in [0, 1) (mulberry32): the same seed gives the same run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Lognormal with the given median, clipped. */
export function lognormal(
  random: () => number,
  median: number,
  spread: number,
  low: number,
  high: number,
): number {
  const u = Math.max(1e-12, random())
  const z = Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * random())
  return Math.min(high, Math.max(low, median * Math.exp(spread * z)))
}
