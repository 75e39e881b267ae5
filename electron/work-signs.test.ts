import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BatchRecord } from '../shared/contract/records.ts'
import { imageStates, queueStates } from '../shared/states.ts'
import { batchStates } from '../shared/contract/records.ts'
import type { Standing } from './engine-mirror.ts'
import { batchRecord, counts, preferencesRecord, queueRecord } from './testing/records.ts'
import { iconProgress, keepsAwake, noticesBetween, quitQuestion } from './work-signs.ts'

const standing = (batches: readonly BatchRecord[], fields: Partial<Standing> = {}): Standing => ({
  batches: new Map(batches.map((batch) => [batch.id, batch])),
  queue: queueRecord(),
  preferences: preferencesRecord(),
  ...fields,
})
const nothing: Standing = { batches: undefined, queue: undefined, preferences: undefined }

describe('progress on the icon', () => {
  test('counts settled images of the batches at work, held ones apart', () => {
    const running = batchRecord({
      total: 12,
      counts: counts({ delivered: 3, failed: 1, waiting: 6, held: 2 }),
    })
    const done = batchRecord({ id: 'b2', state: 'finished', total: 90, counts: counts({ delivered: 90 }) })
    expect(iconProgress(standing([running, done]))).toEqual({ fraction: 0.4, mode: 'normal' })
    expect(iconProgress(standing([done]))).toBeNull()
    expect(iconProgress(nothing)).toBeNull()
  })

  test.each([
    ['running', 'normal'],
    ['paused', 'paused'],
    ['offline', 'paused'],
    ['out-of-credits', 'paused'],
    ['key-rejected', 'error'],
  ] as const)('a queue that is %s is %s', (state, mode) => {
    const batch = batchRecord({ total: 2, counts: counts({ waiting: 2 }) })
    expect(iconProgress(standing([batch], { queue: queueRecord({ state }) }))?.mode).toBe(mode)
  })
})

describe('the machine', () => {
  test.each([
    ['stays awake while runs are at the service, even when paused', 'paused', 1, 'paused', true],
    ['stays awake while a batch runs', 'running', 0, 'running', true],
    ['may sleep when nothing runs', 'running', 0, 'finished', false],
    ['may sleep while credits are awaited', 'out-of-credits', 0, 'running', false],
    ['may sleep while it is offline and nothing is out', 'offline', 0, 'running', false],
  ] as const)('%s', (_, queue, inFlight, batch, awake) => {
    const at = standing([batchRecord({ state: batch })], { queue: queueRecord({ state: queue, inFlight }) })
    expect(keepsAwake(at)).toBe(awake)
  })
})

describe('notices', () => {
  const running = batchRecord({ total: 212 })
  const finished = batchRecord({
    state: 'finished',
    total: 212,
    charged: 1254,
    counts: counts({ delivered: 200, skipped: 7, failed: 3, review: 2 }),
  })

  test('a batch that ends is told with its figures', () => {
    expect(noticesBetween(standing([running]), standing([finished]))).toEqual([
      {
        title: 'Rings is finished',
        body: '207 of 212 done, 3 failed, 2 need review. 1,254 credits charged.',
        batch: 'b1',
      },
    ])
  })

  test('a batch that stops is told with its reason', () => {
    const stopped = batchRecord({ state: 'stopped', stopReason: 'The budget of 100 credits is used up.' })
    expect(noticesBetween(standing([running]), standing([stopped]))).toEqual([
      { title: 'Rings has stopped', body: 'The budget of 100 credits is used up.', batch: 'b1' },
    ])
  })

  test('a queue that needs a person is told; one that pauses or waits for the network is not', () => {
    const waiting = batchRecord({ counts: counts({ waiting: 31 }) })
    const at = (state: (typeof queueStates)[number]) => standing([waiting], { queue: queueRecord({ state }) })
    const titles = queueStates.map((state) =>
      noticesBetween(at('running'), at(state)).map(({ title }) => title),
    )
    expect(titles).toEqual([
      [],
      [],
      [],
      ['Out of credits: 31 images are waiting'],
      ['The service rejected the key'],
    ])
    const other = standing([waiting], { queue: queueRecord({ state: 'out-of-credits', connectionId: 'c2' }) })
    expect(noticesBetween(at('running'), other)).toEqual([])
  })

  test('nothing is told that was so at the start, that did not change, or that a person turned off', () => {
    expect(noticesBetween(nothing, standing([finished]))).toEqual([])
    expect(noticesBetween(standing([finished]), standing([finished]))).toEqual([])
    const off = { preferences: preferencesRecord({ notifyFinished: false, notifyStopped: false }) }
    expect(noticesBetween(standing([running]), standing([finished], off))).toEqual([])
    const rejected = { ...off, queue: queueRecord({ state: 'key-rejected' }) }
    expect(noticesBetween(standing([running]), standing([running], rejected))).toEqual([])
  })
})

describe('the question before the program ends', () => {
  test('names runs at the service', () => {
    expect(quitQuestion(standing([], { queue: queueRecord({ inFlight: 9 }) }))).toEqual({
      message: '9 runs are at the service.',
      detail: 'They finish there; Vitrine fetches them next time.',
    })
    expect(quitQuestion(standing([], { queue: queueRecord({ inFlight: 1 }) }))?.message).toBe(
      '1 run is at the service.',
    )
  })

  test('names what waits where nothing is at the service', () => {
    const batch = batchRecord({ counts: counts({ waiting: 1200, delivered: 4 }) })
    expect(quitQuestion(standing([batch]))).toEqual({
      message: '1,200 images are waiting.',
      detail: 'Nothing is lost; Vitrine goes on with them next time.',
    })
  })

  test('is not asked when nothing is under way', () => {
    const paused = batchRecord({ state: 'paused', counts: counts({ waiting: 5 }) })
    expect(quitQuestion(standing([paused]))).toBeUndefined()
    expect(quitQuestion(nothing)).toBeUndefined()
  })
})

test('whatever the engine says, a fraction is one and a notice has words', () => {
  const some = fc.record({
    state: fc.constantFrom(...batchStates),
    counts: fc.record(
      Object.fromEntries(imageStates.map((state) => [state, fc.nat(1000)])) as Record<
        (typeof imageStates)[number],
        fc.Arbitrary<number>
      >,
    ),
    total: fc.nat(1000),
  })
  fc.assert(
    fc.property(some, some, fc.constantFrom(...queueStates), (one, two, state) => {
      const before = standing([batchRecord(one)])
      const now = standing([batchRecord(two)], { queue: queueRecord({ state }) })
      const fraction = iconProgress(now)?.fraction ?? 0
      expect(fraction >= 0 && fraction <= 1).toBe(true)
      for (const { title, body } of noticesBetween(before, now))
        expect(`${title}${body}`).not.toMatch(/undefined|NaN/)
    }),
  )
})
