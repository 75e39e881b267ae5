import { describe, expect, it } from 'vitest'
import type { RequestTrouble } from './testing/simulated-service.ts'
import { idealMakespan, processingTimes, rehearse } from './testing/rehearsal.ts'

const minute = 60_000

/** Lists come to this while everything else works. */
function lists(trouble: RequestTrouble, until = Infinity) {
  return (request: string, now: number) => (request === 'list' && now < until ? trouble : 'fine')
}

function states(rehearsal: ReturnType<typeof rehearse>): string[] {
  return rehearsal.events.flatMap((event) => (event.kind === 'queue' ? [event.state] : []))
}

describe('a list that never answers', () => {
  it.each(['fault', 'page', 'refused', 'slow'] as const)('(%s) holds up nothing', async (trouble) => {
    const rehearsal = rehearse(60, { concurrency: 10, seed: 1, price: 2, trouble: lists(trouble) })
    expect((await rehearsal.run()).kind).toBe('done')
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq).delivered).toBe(60)
    expect([...rehearsal.service.charges().values()]).toEqual(Array.from({ length: 60 }, () => 1))
    const { requests, runs } = rehearsal.service
    const took = Math.max(...runs.map((run) => run.knownAt!)) - rehearsal.clock.wallOffset
    expect(took / idealMakespan(processingTimes(220, 1).slice(0, 60), 10)).toBeLessThan(1.3)
    const lags = runs.map((run) => run.knownAt! - run.completed!)
    expect(lags.reduce((sum, lag) => sum + lag, 0) / 60).toBeLessThan(5000)
    expect(requests.run / 60).toBeLessThan(9)
    expect(requests.list).toBeLessThan(30)
    expect(states(rehearsal)).toEqual([])
  })

  it('is told of once', async () => {
    const rehearsal = rehearse(60, { concurrency: 10, seed: 1, trouble: lists('fault') })
    await rehearsal.run()
    const told = rehearsal.events.filter((event) => event.kind === 'notice')
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ message: expect.stringContaining('asked for by itself') as string })
  })

  it('leaves a lost answer to a person after the waiting time, and sends it never again', async () => {
    const rehearsal = rehearse(3, {
      concurrency: 5,
      seed: 1,
      fate: (n) => (n === 1 ? 'lost-after' : 'answered'),
      trouble: lists('fault'),
      settings: { settleMs: 180_000 },
    })
    expect((await rehearsal.run()).kind).toBe('done')
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq)).toMatchObject({ delivered: 2, review: 1 })
    expect(rehearsal.service.requests.submit).toBe(3)
    expect([...rehearsal.service.charges().values()]).toEqual([1, 1, 1])
    const [image] = rehearsal.store.images.inState(rehearsal.batchSeq, 'review')
    expect(image!.error).toMatch(/list of runs cannot be read/)
    // Held for the waiting time: by then an accepted run is in whatever list comes later.
    expect(rehearsal.service.runs.at(-1)!.created - rehearsal.service.runs[1]!.created).toBeGreaterThan(
      180_000,
    )
  })

  it('also where the answer was lost before the service took it', async () => {
    const rehearsal = rehearse(2, {
      concurrency: 5,
      seed: 1,
      fate: (n) => (n === 0 ? 'lost-before' : 'answered'),
      trouble: lists('fault'),
    })
    await rehearsal.run()
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq)).toMatchObject({ delivered: 1, review: 1 })
    expect(rehearsal.service.requests.submit).toBe(2)
  })
})

describe('a list that answers again', () => {
  it('is polled again', async () => {
    const rehearsal = rehearse(300, { concurrency: 10, seed: 2, trouble: lists('fault', 2 * minute) })
    await rehearsal.run()
    const { requests } = rehearsal.service
    expect(requests.list).toBeGreaterThan(150)
    expect(requests.run / 300).toBeLessThan(3)
  })

  it('shows a person the run of a submission that was left without candidates, and settles no later one by it', async () => {
    const rehearsal = rehearse(8, {
      concurrency: 1,
      seed: 1,
      fate: (n) => (n === 1 || n === 5 ? 'lost-after' : 'answered'),
      trouble: lists('fault', 100_000),
      settings: { settleMs: 60_000 },
    })
    await rehearsal.run()
    const { store } = rehearsal
    const counts = store.batches.counts(rehearsal.batchSeq)
    expect(counts.review + counts.delivered).toBe(8)
    const [image] = store.images.inState(rehearsal.batchSeq, 'review')
    const [attempt] = store.ledger.ofImage(image!.id)
    expect(store.ledger.candidates(attempt!.id).map((run) => run.runId)).toContain('run-2')
    expect(Math.max(...rehearsal.service.charges().values())).toBe(1)
    for (const one of store.images.inState(rehearsal.batchSeq, 'delivered')) {
      expect(rehearsal.service.runs.find((run) => run.id === one.runId)!.source).toBe(one.source)
    }
  })
})

it('a service that is away as a whole is sent nothing, and is waited for', async () => {
  const away = (_: string, now: number): RequestTrouble => (now < 5 * minute ? 'fault' : 'fine')
  const rehearsal = rehearse(5, { concurrency: 5, seed: 1, trouble: away })
  expect((await rehearsal.run()).kind).toBe('done')
  expect(Math.min(...rehearsal.service.runs.map((run) => run.created))).toBeGreaterThan(
    rehearsal.clock.wallOffset + 5 * minute,
  )
  expect(states(rehearsal)).toEqual(['offline', 'running'])
})

it('another server at the address makes no run count as lost', async () => {
  const elsewhere = (_: string, now: number): RequestTrouble =>
    now > 30_000 && now < 10 * minute ? 'elsewhere' : 'fine'
  const rehearsal = rehearse(20, { concurrency: 20, seed: 1, trouble: elsewhere })
  expect((await rehearsal.run()).kind).toBe('done')
  expect(rehearsal.store.batches.counts(rehearsal.batchSeq).delivered).toBe(20)
})
