import { describe, expect, it, onTestFinished } from 'vitest'
import { Store } from '../store/store.ts'
import { hashInPath, secretAddress } from '../webhook/secret-address.ts'
import { Announcements } from './announcements.ts'
import { Bell } from './bell.ts'
import { Durations } from './durations.ts'
import { newFlight, type Flight } from './flights.ts'
import type { WebhookHost, WebhookPart } from './parts.ts'
import { rehearsed } from './testing/figures.ts'
import { VirtualClock } from './testing/virtual-clock.ts'
import { rehearse, type Notices, type Rehearsal } from './testing/rehearsal.ts'

/**
 * What notices do for the queue, in virtual time: figures by seed, as in polling-goals.test.ts. `docs/performance.md`
 * has the table.
 */
const soon = 300
const all: Notices = () => [soon]

const withoutNotices = new Map<number, ReturnType<typeof rehearsed>>()

/** The same batch without any notice, played once for each concurrency. */
async function onlyAsked(concurrency: number) {
  const figures = withoutNotices.get(concurrency) ?? rehearsed(1000, concurrency, 1)
  withoutNotices.set(concurrency, figures)
  return figures
}

describe('requests per image, 1,000 images', () => {
  it.each([
    { concurrency: 5, without: 3.5, heard: 2.35 },
    { concurrency: 20, without: 2.7, heard: 2.15 },
    { concurrency: 100, without: 2.4, heard: 2.15 },
  ])('at $concurrency at a time', { timeout: 120_000 }, async ({ concurrency, without, heard }) => {
    const asked = await onlyAsked(concurrency)
    const told = await rehearsed(1000, concurrency, 1, { notices: all })
    expect(asked.apiPerRun).toBeGreaterThan(without)
    expect(told.apiPerRun).toBeLessThan(heard)
    expect(told.lagP95).toBeLessThan(500)
    expect(told.makespan).toBeLessThanOrEqual(asked.makespan + 0.002)
    expect(told.delivered).toBe(1000)
  })
})

describe('when notices fail', () => {
  it(
    'all stop at half: the lists take over, and nothing is late for long',
    { timeout: 120_000 },
    async () => {
      const asked = await onlyAsked(20)
      const figures = await rehearsed(1000, 20, 1, { notices: (n) => (n < 500 ? [soon] : []) })
      expect(figures.delivered).toBe(1000)
      expect(figures.lagMax).toBeLessThan(8000)
      expect(figures.lagP95).toBeLessThan(asked.lagP95 + 200)
      expect(figures.apiPerRun).toBeLessThan(asked.apiPerRun)
    },
  )

  it(
    'every tenth is lost: found all the same, for fewer requests than without',
    { timeout: 120_000 },
    async () => {
      const asked = await onlyAsked(20)
      const figures = await rehearsed(1000, 20, 1, { notices: (n) => (n % 10 === 0 ? [] : [soon]) })
      expect(figures.delivered).toBe(1000)
      expect(figures.apiPerRun).toBeLessThan(asked.apiPerRun)
      expect(figures.lagMax).toBeLessThan(40_000)
    },
  )

  it(
    'they come twice, late and out of order: nothing is asked for in vain',
    { timeout: 120_000 },
    async () => {
      const once = await rehearsed(300, 20, 1, { notices: all })
      const often = await rehearsed(300, 20, 1, { notices: (n) => [soon, 400, 2000 + ((n * 7919) % 9000)] })
      expect(often.delivered).toBe(300)
      expect(often.apiPerRun).toBeCloseTo(once.apiPerRun, 2)
    },
  )
})

const address = 'https://vitrine.invalid/'

/** A receiver by hand: a test says what comes back, and when. */
function byHand() {
  let host: WebhookHost | undefined
  let secrets = 0
  const urls: string[] = []
  const part: WebhookPart = {
    addressFor(url) {
      secrets += 1
      const made = secretAddress(url, new Uint8Array(24).fill(secrets))
      urls.push(made.url)
      return made
    },
    async run(given, signal) {
      host = given
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    },
  }
  const say = (n: number, runId: string) => {
    host!.announced(hashInPath(new URL(urls[n]!).pathname), runId)
  }
  return { part, urls, say }
}

const processing = 20_000

function question(
  options: Partial<Parameters<typeof rehearse>[1]> & { hand: ReturnType<typeof byHand> },
): Rehearsal {
  const { hand, ...more } = options
  const rehearsal = rehearse(1, {
    seed: 1,
    concurrency: 2,
    durations: [processing],
    webhook: hand.part,
    fate: (n) => (n === 0 ? 'lost-after' : 'answered'),
    ...more,
  })
  onTestFinished(() => rehearsal.store.close())
  return rehearsal
}

describe('a submission whose answer was lost', () => {
  it('is settled by its secret on an account that others use, where a person would be asked', async () => {
    const told = async (say: boolean) => {
      const hand = byHand()
      const rehearsal = question({ hand })
      const { service, clock } = rehearsal
      clock.after(100, () => void service.accept('of-another', false))
      clock.after(400, () => void service.accept('of-another-too', false))
      const ours = () => service.runs.find((run) => run.ours)!
      if (say) clock.after(processing + 2000, () => hand.say(0, ours().id))
      await rehearsal.run()
      expect([...service.charges().values()]).toEqual([1])
      return rehearsal.store.batches.counts(rehearsal.batchSeq)
    }
    expect(await told(false)).toMatchObject({ review: 1, delivered: 0 })
    expect(await told(true)).toMatchObject({ review: 0, delivered: 1 })
  })

  it('is settled while it already waits for a person', async () => {
    const hand = byHand()
    const rehearsal = question({ hand, settings: { whenStopped: 'wait' } })
    const { service, clock, store, batchSeq } = rehearsal
    clock.after(100, () => void service.accept('of-another', false))
    clock.after(400, () => void service.accept('of-another-too', false))
    const ended = new AbortController()
    const late = 800_000
    clock.after(late - 1, () => expect(store.batches.counts(batchSeq).review).toBe(1))
    clock.after(late, () => hand.say(0, service.runs.find((run) => run.ours)!.id))
    clock.after(late + 60_000, () => ended.abort())
    await rehearsal.run(ended.signal)
    expect(store.batches.counts(batchSeq)).toMatchObject({ review: 0, delivered: 1 })
  })

  it('is settled sooner than by the list', async () => {
    const hand = byHand()
    const rehearsal = question({ hand, durations: [100] })
    const { clock, service } = rehearsal
    let settledAt = Infinity
    clock.after(250, () => hand.say(0, service.runs[0]!.id))
    const watch = () => {
      if (rehearsal.store.ledger.knows(service.runs[0]?.id ?? ''))
        settledAt = Math.min(settledAt, clock.monotonic())
      else clock.after(20, watch)
    }
    clock.after(0, watch)
    await rehearsal.run()
    expect(settledAt).toBeLessThan(500)
  })

  it.each([
    ['a run that there is not', () => 'run-999'],
    ["somebody else's run of another time", (service: Rehearsal['service']) => service.runs[0]!.id],
    ['a path of the API', () => '../balance?x='],
  ])('is not settled by a forged notice that names %s', async (_, forged) => {
    const hand = byHand()
    const rehearsal = question({ hand })
    const { service, clock, store, batchSeq } = rehearsal
    const old = service.accept('of-another', false)
    Object.assign(old, { created: clock.now() - 3_600_000 })
    clock.after(1000, () => hand.say(0, forged(service)))
    await rehearsal.run()
    // As without it: the list shows the one new run.
    expect(store.batches.counts(batchSeq)).toMatchObject({ delivered: 1 })
    const image = store.images.inState(batchSeq, 'delivered')[0]!
    expect(image.runId).toBe(service.runs.find((run) => run.ours)!.id)
    expect([...service.charges().values()]).toEqual([1])
  })

  it('that the service does not have is not held for taken on a notice’s word', async () => {
    const hand = byHand()
    const rehearsal = question({ hand, fate: (n) => (n === 0 ? 'lost-before' : 'answered') })
    rehearsal.clock.after(1000, () => hand.say(0, 'run-1'))
    await rehearsal.run()
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq)).toMatchObject({ delivered: 1 })
    expect([...rehearsal.service.charges().values()]).toEqual([1])
    // A second submission has a secret of its own.
    expect(new Set(hand.urls).size).toBe(2)
    expect(hand.urls.every((url) => url.startsWith(address) && url.length > address.length + 30)).toBe(true)
  })
})

it('false news of a run that is still at work costs a few requests, however often it comes', async () => {
  const hand = byHand()
  const quiet = question({ hand: byHand(), fate: () => 'answered' })
  await quiet.run()
  const rehearsal = question({ hand, fate: () => 'answered' })
  for (let ms = 200; ms < processing; ms += 50) rehearsal.clock.after(ms, () => hand.say(0, 'run-1'))
  await rehearsal.run()
  expect(rehearsal.store.batches.counts(rehearsal.batchSeq)).toMatchObject({ delivered: 1 })
  expect(rehearsal.service.requests.run).toBeLessThanOrEqual(quiet.service.requests.run + 5)
})

it('silence counts for nothing as long as a run is in flight that nobody will announce', () => {
  const clock = new VirtualClock()
  const store = new Store(':memory:')
  onTestFinished(() => store.close())
  const flights = new Map<string, Flight>()
  const announcements = new Announcements({
    clock,
    store,
    connectionId: 1,
    flights,
    durations: new Durations(),
    collectBell: new Bell(clock),
    laneBell: new Bell(clock),
  })
  const fly = (n: number, hooked: boolean) => {
    const flight = newFlight({ runId: `run-${n}`, imageId: n, batchSeq: 1, ackedAt: 0, order: n })
    if (hooked) announcements.expect(n)
    announcements.acknowledged(n, flight)
    flights.set(flight.runId, flight)
    return flight
  }
  for (const n of [1, 2, 3]) {
    expect(announcements.trusted).toBe(false)
    const flight = fly(n, true)
    flight.announcedAt = 0
    flights.delete(flight.runId)
    announcements.landed(flight)
  }
  fly(4, true)
  expect(announcements.trusted).toBe(true)
  fly(5, false)
  expect(announcements.trusted).toBe(false)
})
