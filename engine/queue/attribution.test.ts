import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Attempt } from '../store/rows.ts'
import { attribute, type AccountReading, type OwnRun } from './attribution.ts'
import type { StrangeRun } from './evidence.ts'

const holdMs = 20_000
const start = Date.UTC(2026, 0, 1)

/** A question that was sent so long after `start`; its answer was lost half a second later. */
function question(id: number, at: number, changes: Partial<Attempt> = {}): Attempt {
  const sent = start + at
  return {
    id,
    imageId: id,
    batchSeq: 1,
    connectionId: 1,
    appId: 'rescue',
    priceMin: 5,
    priceMax: 6,
    state: 'unknown',
    runId: null,
    runStatus: null,
    credits: 0,
    sentFrom: sent,
    sentTo: sent + 500,
    closedTo: sent + 1000,
    totalBefore: 40,
    watermarkCreated: null,
    httpStatus: null,
    detail: null,
    intentAt: sent,
    settledAt: null,
    ...changes,
  }
}

function run(runId: string, at: number, changes: Partial<StrangeRun> = {}): StrangeRun {
  const createdMs = start + at
  const created = new Date(createdMs).toISOString()
  return { runId, appId: 'rescue', status: 'IN_QUEUE', created, createdMs, credits: 5, ...changes }
}

function own(attemptId: number, at: number, late = 100): OwnRun {
  return { attemptId, createdMs: start + at + late, sentFrom: start + at, sentTo: start + at + 500 }
}

function readings(unknown: readonly StrangeRun[], changes: Partial<AccountReading> = {}): AccountReading[] {
  return [0, 1000, 6000].map((at) => ({
    at: 100_000 + at,
    appeared: unknown.length,
    unknown,
    complete: true,
    time: { from: start + 100_000 + at, to: start + 100_500 + at },
    doubtful: false,
    own: [own(1, -5000), own(11, 24_000)],
    newest: undefined,
    ...changes,
  }))
}

const first = question(10, 0)
const second = question(12, 60_000)
const both = [first, second]
const found = (unknown: readonly StrangeRun[], changes: Partial<AccountReading> = {}) =>
  attribute(both, readings(unknown, changes), holdMs).map((one) => [one.attempt.id, one.runId])

describe('two questions', () => {
  it('each have the run that was made in their time', () => {
    expect(found([run('a', 300)])).toEqual([[10, 'a']])
    expect(found([run('b', 60_300)])).toEqual([[12, 'b']])
    expect(found([run('b', 60_300), run('a', 300)])).toEqual([
      [10, 'a'],
      [12, 'b'],
    ])
    expect(found([])).toEqual([])
  })

  it.each([
    ['two in the time of one', [run('a', 60_300), run('b', 60_500)], {}],
    ['one between them', [run('a', 30_000)], {}],
    ['one long after the second', [run('b', 75_000)], {}],
    ['a second one that is neither’s', [run('a', 300), run('c', 30_000)], {}],
    ['one from before', [run('a', -8000)], {}],
    ['one of another app', [run('a', 300, { appId: 'precision' })], {}],
    ['one of another price', [run('a', 300, { credits: 9 })], {}],
    ['one that was offered for an earlier question', [run('a', 300, { offered: true })], {}],
    ['one more in the total', [run('a', 300)], { appeared: 2 }],
    ['no total', [run('a', 300)], { appeared: undefined }],
    ['a list that ends too early', [run('a', 300)], { complete: false }],
    ['a run of ours that does not show', [run('a', 300)], { doubtful: true }],
    ['no run of ours to compare clocks by', [run('a', 300)], { own: [] }],
    [
      'a run of ours from before it was sent',
      [run('a', 300)],
      { own: [own(1, -5000), own(11, 24_000, -3000)] },
    ],
    ['runs of ours that all come late', [run('a', 300)], { own: [own(1, -5000, 20_000)] }],
    ['one older than a run of ours before it', [run('b', 60_300)], { own: [own(1, -5000), own(11, 60_400)] }],
    ['no clock', [run('a', 300)], { time: undefined }],
  ] satisfies [string, StrangeRun[], Partial<AccountReading>][])(
    'have nothing where there is %s',
    (...given) => {
      expect(found(given[1], given[2])).toEqual([])
    },
  )

  it('have nothing while readings differ, or agree only for a moment', () => {
    const [early, middle, late] = readings([run('a', 300)])
    const empty = { ...early!, unknown: [], appeared: 0 }
    expect(attribute(both, [middle!, late!], holdMs)).toHaveLength(1)
    expect(attribute(both, [empty, middle!, { ...late!, at: middle!.at + 1000 }], holdMs)).toEqual([])
    expect(attribute(both, [early!, { ...empty, at: middle!.at }, late!], holdMs)).toEqual([])
    expect(attribute(both, [late!], holdMs)).toEqual([])
  })

  it('have nothing when they were sent too close together', () => {
    const alike = readings([run('b', 8300)], { own: [own(1, -5000)] })
    expect(attribute([first, question(12, 8000)], alike, holdMs)).toEqual([])
    const apart = readings([run('b', 15_300)], { own: [own(1, -5000)] })
    expect(attribute([first, question(12, 15_000)], apart, holdMs)).toHaveLength(1)
  })
})

it('never gives a run to a question that was sent after it, nor one run or one question twice', () => {
  const at = fc.integer({ min: -10_000, max: 200_000 })
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { minLength: 2, maxLength: 4 }),
      fc.array(at, { maxLength: 4 }),
      (places, times) => {
        const questions = places
          .toSorted((a, b) => a - b)
          .map((place) => question(20 + place, place * 21_000))
        const runs = times.map((time, n) => run(`run-${n}`, time))
        const pairs = attribute(questions, readings(runs, { own: [own(1, -15_000)] }), holdMs)
        expect(new Set(pairs.map((one) => one.runId)).size).toBe(pairs.length)
        expect(new Set(pairs.map((one) => one.attempt.id)).size).toBe(pairs.length)
        expect([0, runs.length]).toContain(pairs.length)
        for (const { attempt, runId } of pairs) {
          const { createdMs } = runs.find((one) => one.runId === runId)!
          expect(createdMs).toBeGreaterThanOrEqual(attempt.sentFrom! - 1000)
          const next = questions.find((one) => one.id > attempt.id)
          if (next) expect(createdMs).toBeLessThan(next.sentFrom! - 1000)
        }
      },
    ),
  )
})
