import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Attempt } from '../store/rows.ts'
import { judge, type Circumstances, type Reading, type StrangeRun } from './evidence.ts'

const settleMs = 180_000
const sent = Date.UTC(2026, 0, 1)

const attempt: Attempt = {
  id: 7,
  imageId: 1,
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
  sentTo: sent + 200,
  closedTo: sent + 1000,
  totalBefore: 40,
  watermarkCreated: sent - 60_000,
  httpStatus: null,
  detail: null,
  intentAt: sent,
  settledAt: null,
}

function run(changes: Partial<StrangeRun> = {}): StrangeRun {
  const createdMs = changes.createdMs ?? sent + 300
  return {
    runId: 'stranger',
    appId: 'rescue',
    status: 'IN_PROGRESS',
    created: new Date(createdMs).toISOString(),
    createdMs,
    credits: 5,
    ...changes,
  }
}

function reading(at: number, strange: readonly StrangeRun[] = [], changes: Partial<Reading> = {}): Reading {
  return {
    appeared: strange.length,
    strange,
    complete: true,
    time: { from: sent + at, to: sent + at + 300 },
    ...changes,
  }
}

const alone: Circumstances = {
  settleMs,
  holdMs: settleMs,
  others: false,
  solitary: true,
  firstSeen: -Infinity,
  mayResend: true,
  waited: 1,
  ownInDoubt: false,
}
const late = [1_000, 60_000, settleMs + 2_000]

describe('one new run on an account used by nobody else', () => {
  it('is adopted once two readings agree', () => {
    expect(judge(attempt, [reading(1000, [run()])], alone)).toEqual({ kind: 'wait' })
    const twice = [reading(1000, [run()]), reading(2000, [run()])]
    expect(judge(attempt, twice, alone)).toEqual({ kind: 'adopt', runId: 'stranger' })
  })

  it.each([
    ['others use the account', [run()], {}, { solitary: false }],
    ['another preset of the picture waits for a person', [run()], {}, { twin: true }],
    ['the total does not move with it', [run()], { appeared: 0 }, {}],
    ['the total has moved by two', [run()], { appeared: 2 }, {}],
    ['the list has no total', [run()], { appeared: undefined }, {}],
    ['the list ends too early', [run()], { complete: false }, {}],
    ['the clock of the service is unknown', [run()], { time: undefined }, {}],
    ['it runs another app', [run({ appId: 'precision' })], {}, {}],
    ['it is older than the submission', [run({ createdMs: sent - 5000 })], {}, {}],
    ['it costs another price', [run({ credits: 9 })], {}, {}],
    ['a person was offered it for another picture', [run({ offered: true })], {}, {}],
    ['there are two', [run(), run({ runId: 'other' })], {}, {}],
  ] as const)('but not when %s: then it is for a person', (_, strange, changes, circumstances) => {
    const readings = late.map((at) => reading(at, strange, changes))
    const verdict = judge(attempt, readings, { ...alone, ...circumstances })
    expect(verdict.kind).toBe('review')
    expect(verdict).toHaveProperty('why', expect.stringMatching(/\.$/))
  })
})

describe('nothing new', () => {
  it('is absence only after the waiting time, by the clock of the service', () => {
    const early = [1000, 60_000, settleMs].map((at) => reading(at))
    expect(judge(attempt, early, alone)).toEqual({ kind: 'wait' })
    expect(
      judge(
        attempt,
        late.map((at) => reading(at)),
        alone,
      ),
    ).toEqual({ kind: 'absent' })
  })

  it('is not absence while our own monotonic clock has not waited as long, wherever the service sets its clock', () => {
    const readings = late.map((at) => reading(at + 7_200_000))
    expect(judge(attempt, readings, { ...alone, waited: 0.2 })).toEqual({ kind: 'wait' })
  })

  it('is left to a person when the clock of the service goes back and never gets there', () => {
    const readings = [1000, 2000, -7_200_000].map((at) => reading(at))
    expect(judge(attempt, readings, { ...alone, waited: 1.5 })).toEqual({ kind: 'wait' })
    expect(judge(attempt, readings, { ...alone, waited: 2 }).kind).toBe('review')
  })

  it('is not absence while a run that counts as ours was never seen: the total may not hold it', () => {
    const readings = late.map((at) => reading(at))
    expect(judge(attempt, readings, { ...alone, ownInDoubt: true })).toEqual({ kind: 'wait' })
    expect(judge(attempt, readings, { ...alone, waited: 2, ownInDoubt: true }).kind).toBe('review')
  })

  it('is not absence while an unknown run stands below: `Date` and `created` may be of two clocks', () => {
    const earlier = [run({ createdMs: sent - 5000 })]
    const readings = late.map((at) => reading(at, [], { earlier }))
    const verdict = judge(attempt, readings, { ...alone, solitary: false })
    expect(verdict.kind).toBe('review')
    const long = late.map((at) => reading(at, [], { earlier: [run({ createdMs: sent - 600_000 })] }))
    expect(judge(attempt, long, alone).kind).toBe('review')
    expect(judge(attempt, long, { ...alone, solitary: false }).kind).toBe('absent')
  })

  it('needs three readings', () => {
    expect(judge(attempt, [reading(1000), reading(settleMs + 2000)], alone)).toEqual({ kind: 'wait' })
  })

  it('is not absence when the total says otherwise, or resends are used up', () => {
    const grown = late.map((at) => reading(at, [], { appeared: 1 }))
    expect(judge(attempt, grown, alone).kind).toBe('review')
    const used = judge(
      attempt,
      late.map((at) => reading(at)),
      { ...alone, mayResend: false },
    )
    expect(used.kind).toBe('review')
  })

  // Where `Date` and `created` are hours apart, the run itself seems to be from long before.
  it('shows a person who is asked instead of a resend what seems to be from before, too', () => {
    const earlier = [run({ createdMs: sent - 7_200_000 })]
    const readings = [0, 90_000, settleMs + 1500].map((at) => reading(at, [], { earlier }))
    const shared = { ...alone, solitary: false, mayResend: false, waited: 1.1 }
    expect(judge(attempt, readings, shared)).toMatchObject({
      kind: 'review',
      why: 'It was sent again as often as is safe.',
      candidates: earlier,
    })
  })
})

it('never says absent while a reading shows anything new', () => {
  const anyReading = fc.record({
    at: fc.integer({ min: 0, max: 3 * settleMs }),
    appeared: fc.option(fc.integer({ min: -2, max: 4 }), { nil: undefined }),
    complete: fc.boolean(),
    strange: fc.array(
      fc.record({
        runId: fc.constantFrom('a', 'b', 'c'),
        appId: fc.constantFrom('rescue', 'precision'),
        createdMs: fc.integer({ min: sent - 9000, max: sent + settleMs }),
        credits: fc.integer({ min: 0, max: 9 }),
      }),
      { maxLength: 3 },
    ),
  })
  fc.assert(
    fc.property(
      fc.array(anyReading, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      fc.constantFrom(0, 0.5, 1, 2),
      (raw, solitary, waited) => {
        const readings = raw.map((one) =>
          reading(
            one.at,
            one.strange.map((stranger) => run(stranger)),
            { appeared: one.appeared, complete: one.complete },
          ),
        )
        const verdict = judge(attempt, readings, { ...alone, solitary, waited })
        const quiet = readings.every(
          (one) => one.strange.length === 0 && one.appeared === 0 && one.complete && one.time!.from > 0,
        )
        if (verdict.kind === 'absent') expect(quiet).toBe(true)
        if (verdict.kind === 'adopt') expect(solitary).toBe(true)
      },
    ),
  )
})
