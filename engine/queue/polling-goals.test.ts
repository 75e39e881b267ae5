import { describe, expect, it } from 'vitest'
import { frugalPatience } from './parts.ts'
import { rehearsed, type Conditions, type Figures } from './testing/figures.ts'
import { processingTimes } from './testing/rehearsal.ts'

/**
 * The goals of docs/performance.md, in virtual time: the real queue on a real store, a simulated service whose
 * concurrency and limits it does not know. Deterministic by seed, so a change of these figures is a change of code.
 * `npm run bench` has more seeds, 10,000 images and the rivals.
 */
async function measure(
  images: number,
  concurrency: number,
  more: Conditions = {},
  seeds: readonly number[] = [1],
): Promise<Figures> {
  const all: Figures[] = []
  for (const seed of seeds) all.push(await rehearsed(images, concurrency, seed, more))
  const mean = (of: (figures: Figures) => number) => all.reduce((sum, one) => sum + of(one), 0) / all.length
  return {
    makespan: mean((one) => one.makespan),
    apiPerRun: mean((one) => one.apiPerRun),
    lagP95: mean((one) => one.lagP95),
    lagMean: mean((one) => one.lagMean),
    lagMax: Math.max(...all.map((one) => one.lagMax)),
    pollsPerRun: mean((one) => one.pollsPerRun),
    refusedShare: mean((one) => one.refusedShare),
    delivered: Math.min(...all.map((one) => one.delivered)),
    review: Math.max(...all.map((one) => one.review)),
    doubleCharges: Math.max(...all.map((one) => one.doubleCharges)),
  }
}

/** Polls per run, times mean extra lag, times twice the completion rate: 1 is what any poller can reach. */
function efficiency(figures: Figures, concurrency: number): number {
  const meanDuration = processingTimes(5000, 1).reduce((sum, time) => sum + time, 0) / 5000
  return figures.pollsPerRun * (figures.lagMean - 120) * 2 * (concurrency / meanDuration)
}

describe('1,000 images, concurrency unknown', () => {
  it.each([
    { concurrency: 5, makespan: 1.005, api: 3.62, lag: 3100, efficiency: 1.08 },
    { concurrency: 20, makespan: 1.005, api: 2.82, lag: 1650, efficiency: 1.08 },
    { concurrency: 100, makespan: 1.03, api: 2.6, lag: 950, efficiency: 1.7 },
  ])('at $concurrency at a time', { timeout: 600_000 }, async (goal) => {
    const figures = await measure(1000, goal.concurrency)
    expect(figures.delivered).toBe(1000)
    expect(figures.makespan).toBeLessThanOrEqual(goal.makespan)
    expect(figures.apiPerRun).toBeLessThanOrEqual(goal.api)
    expect(figures.lagP95).toBeLessThanOrEqual(goal.lag)
    expect(efficiency(figures, goal.concurrency)).toBeLessThanOrEqual(goal.efficiency)
  })

  it.each([
    { concurrency: 20, withDownload: 3.5 },
    { concurrency: 100, withDownload: 3.4 },
  ])('frugal at $concurrency at a time', { timeout: 600_000 }, async ({ concurrency, withDownload }) => {
    const figures = await measure(1000, concurrency, { settings: { patience: frugalPatience } })
    expect(figures.apiPerRun + 1).toBeLessThanOrEqual(withDownload)
  })
})

describe('100 images', () => {
  it.each([
    { concurrency: 5, makespan: 1.01 },
    { concurrency: 20, makespan: 1.01 },
    { concurrency: 100, makespan: 1.12 },
  ])('at $concurrency at a time', async ({ concurrency, makespan }) => {
    expect((await measure(100, concurrency, {}, [1, 2, 3, 4, 5])).makespan).toBeLessThanOrEqual(makespan)
  })
})

it('2,000 images in seconds, deterministic by seed', { timeout: 600_000 }, async () => {
  const figures = await rehearsed(2000, 100, 1)
  expect(figures.makespan).toBeLessThanOrEqual(1.01)
  expect(figures.delivered).toBe(2000)
  expect(await rehearsed(300, 20, 4)).toEqual(await rehearsed(300, 20, 4))
})

describe('an undocumented limit', () => {
  it.each([2, 10, 50])('of %d requests a second', { timeout: 600_000 }, async (rateLimit) => {
    const figures = await measure(1000, 20, { rateLimit })
    expect(figures.delivered).toBe(1000)
    expect(figures.refusedShare).toBeLessThanOrEqual(0.03)
    expect(figures.makespan).toBeLessThanOrEqual(1.1)
  })
})

it(
  '1 % of the answers lost: no double charge, nobody asked, and little time lost',
  { timeout: 600_000 },
  async () => {
    const figures = await measure(1000, 20, { lost: 0.01 })
    expect(figures).toMatchObject({ delivered: 1000, review: 0, doubleCharges: 0 })
    expect(figures.makespan).toBeLessThanOrEqual(1.15)
  },
)
