import { describe, expect, it } from 'vitest'
import { Durations } from './durations.ts'
import { newFlight, type Flight } from './flights.ts'
import { planLooks, withoutGap, type Outlook } from './looks.ts'

const now = 100_000
const limits = { patience: 1, shortest: 1000, longest: 60_000 }

/** Runs in progress, the oldest first, begun one after the other up to now. */
function working(count: number, created = (n: number): number | undefined => n): Flight[] {
  return Array.from({ length: count }, (_, n) => {
    const ackedAt = now - 20_000 + Math.floor((20_000 * n) / count)
    const flight = newFlight({ runId: `run-${n}`, imageId: n, batchSeq: 1, ackedAt, order: n })
    return Object.assign(flight, {
      created: created(n),
      startedBetween: { from: ackedAt, to: ackedAt },
      aliveAt: now - 1000,
    })
  })
}

function plan(count: number, changes: Partial<Outlook> = {}) {
  return planLooks({
    working: working(count),
    strangers: 0,
    searching: false,
    steady: false,
    durations: new Durations(Array.from({ length: 40 }, (_, n) => 20_000 + 100 * n)),
    now,
    lastTick: now - 5000,
    readAt: { successes: now - 5000, oldest: now - 5000, all: now - 5000, pages: new Map() },
    horizon: -1,
    limits,
    ...changes,
  })
}

const asked = (looks: ReturnType<typeof plan>) => looks.map(({ status, pages }) => [status, pages])

describe('the lists that are asked for', () => {
  it('are the one page of runs in progress up to its fifty', () => {
    for (const count of [1, 50]) expect(asked(plan(count))).toEqual([['IN_PROGRESS', [1]]])
    expect(asked(plan(51))).not.toEqual([['IN_PROGRESS', [1]]])
  })

  it('are that one page too while only the number of runs matters', () => {
    expect(asked(plan(180, { searching: true }))).toEqual([['IN_PROGRESS', [1]]])
  })

  it('are each page by itself where the last one is well filled', () => {
    const byPage = [1, 2, 3].map((page) => ['IN_PROGRESS', [page]])
    expect(asked(plan(130))).toEqual(byPage)
    expect(asked(plan(129))).not.toEqual(byPage)
  })

  it('are the newest successes where the last page holds few, and all pages now and then', () => {
    const looks = plan(110)
    expect(asked(looks)).toEqual([
      ['SUCCESS', [1]],
      ['IN_PROGRESS', [1, 2, 3]],
    ])
    expect(looks[1]!.at).toBe(now - 5000 + 20_000)
  })

  it('are the last page as well where runs are too old for the successes', () => {
    expect(asked(plan(110, { horizon: 4 })).slice(2)).toEqual([['IN_PROGRESS', [3]]])
    // The oldest of all is created at 0; what was made at the horizon is not on the page of successes for certain.
    expect(asked(plan(110, { horizon: 0 }))).toHaveLength(3)
    // What has no time yet is new.
    expect(asked(plan(110, { working: working(110, () => undefined), horizon: 4 }))).toHaveLength(2)
  })

  it('count the runs of others, which take places too', () => {
    expect(asked(plan(40, { strangers: 11 }))).not.toEqual([['IN_PROGRESS', [1]]])
    expect(asked(plan(100, { strangers: 30 }))).toEqual([1, 2, 3].map((page) => ['IN_PROGRESS', [page]]))
  })
})

describe('the moments', () => {
  it('are never sooner after the last look than is allowed', () => {
    for (const count of [1, 50, 80, 110, 180]) {
      for (const shortest of [1000, 30_000]) {
        const looks = plan(count, { lastTick: now, horizon: 4, limits: { ...limits, shortest } })
        for (const { at } of looks) expect(at).toBeGreaterThanOrEqual(now + shortest)
      }
    }
  })

  it('leave time between looks at the successes by how many there will be', () => {
    const soon = { ...limits, patience: 1e-6, shortest: 100 }
    const readAt = { successes: now, oldest: 0, all: now, pages: new Map<number, number>() }
    const [first] = plan(110, { readAt, limits: soon, lastTick: now - 5000 })
    const durations = new Durations(Array.from({ length: 40 }, (_, n) => 20_000 + 100 * n))
    expect(first!.at).toBeCloseTo(now + durations.mean / (0.6 * 110), 3)
  })

  it('of runs that have waited long already come sooner than of as many others', () => {
    const often = { lastTick: now, limits: { ...limits, patience: 8, shortest: 1 } }
    const readAt = { successes: now, oldest: now, all: now, pages: new Map<number, number>() }
    const [, , older] = plan(110, { ...often, horizon: 200, readAt })
    const [others] = plan(110, { ...often, searching: true })
    expect(older!.at).toBeLessThan(others!.at)
  })

  it('in the middle of the work are no further apart than even ones, however little is expected', () => {
    const young = working(4).map((flight) =>
      Object.assign(flight, { startedBetween: { from: now, to: now }, aliveAt: now }),
    )
    const [usual] = plan(4, { working: young, lastTick: now, limits: { ...limits, patience: 4 } })
    const [even] = plan(4, {
      working: young,
      lastTick: now,
      limits: { ...limits, patience: 4 },
      steady: true,
    })
    expect(even!.at).toBeLessThan(usual!.at)
    const mean = new Durations(Array.from({ length: 40 }, (_, n) => 20_000 + 100 * n)).mean
    expect(even!.at - now).toBeLessThanOrEqual(0.9 * Math.sqrt((2000 * 4 * 1.37 * mean) / 4) + 1)
  })
})

it('pages that are read leave no gap', () => {
  expect(withoutGap([4, 2, 7])).toEqual([2, 3, 4, 5, 6, 7])
  expect(withoutGap([3])).toEqual([3])
})
