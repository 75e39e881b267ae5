/** Typical processing takes 10 to 60 s (interface, section 1); what is believed until runs have shown otherwise. */
const prior = { logMean: Math.log(22_000), logSpread: 0.6, weight: 2 }
const kept = 256
/** Below this spread one strange run would make the model certain of nonsense. */
const leastSpread = 0.1

/**
 * What is known of a service's processing times: a lognormal distribution learned from the last runs, on top of a
 * wide prior. All times in milliseconds.
 */
export class Durations {
  readonly #samples: number[]
  #logMean = prior.logMean
  #logSpread = prior.logSpread
  #mean = 0

  constructor(samples: readonly number[] = []) {
    this.#samples = samples.filter((sample) => sample > 0).slice(-kept)
    this.#fit()
  }

  get count(): number {
    return this.#samples.length
  }

  get samples(): readonly number[] {
    return this.#samples
  }

  get median(): number {
    return Math.exp(this.#logMean)
  }

  get mean(): number {
    return this.#mean
  }

  /** Spread of the logarithm; about the coefficient of variation where it is small. */
  get spread(): number {
    return this.#logSpread
  }

  add(duration: number) {
    if (!(duration > 0)) return
    this.#samples.push(Math.max(1, duration))
    if (this.#samples.length > kept) this.#samples.shift()
    this.#fit()
  }

  /** Chance that a run that is alive at `age` is finished `ahead` later. */
  finishedWithin(age: number, ahead: number): number {
    const z = this.#z(Math.max(1, age))
    if (z > 4.5) {
      // Far in the tail the ratio of two tiny numbers is noise; the hazard there is z / (spread * age).
      return 1 - Math.exp((-z / (this.#logSpread * age)) * ahead)
    }
    const alive = survival(z)
    return 1 - survival(this.#z(Math.max(1, age + ahead))) / alive
  }

  #z(age: number): number {
    return (Math.log(age) - this.#logMean) / this.#logSpread
  }

  #fit() {
    const logs = this.#samples.map(Math.log)
    const weight = prior.weight / (1 + logs.length / 8)
    const total = logs.length + weight
    const mean = (logs.reduce((sum, log) => sum + log, 0) + weight * prior.logMean) / total
    const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0)
    const variance = (squares + weight * (prior.logSpread ** 2 + (prior.logMean - mean) ** 2)) / total
    this.#logMean = mean
    this.#logSpread = Math.max(leastSpread, Math.sqrt(variance))
    this.#mean = Math.exp(mean + Math.min(this.#logSpread, 1) ** 2 / 2)
  }
}

/** Upper tail of the standard normal distribution (Abramowitz and Stegun 7.1.26; error under 1.5e-7). */
function survival(z: number): number {
  const x = Math.abs(z) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const poly = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
  const tail = 0.5 * poly * Math.exp(-x * x)
  return z >= 0 ? Math.max(tail, 1e-9) : 1 - tail
}
