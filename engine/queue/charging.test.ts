import { describe, expect, it } from 'vitest'
import { cancelBatch } from '../batches/decisions.ts'
import { addRehearsalBatch, noSafetyFiles, rehearse } from './testing/rehearsal.ts'
import { capacities, settleBatch, shares } from './testing/lost-answers.ts'
import type { Fate } from './testing/simulated-service.ts'

/** The oracle is the service's own book: at most one charge for an image, exactly one for a delivered one. */
function chargesOf(rehearsal: ReturnType<typeof rehearse>): number[] {
  return [...rehearsal.service.charges().values()]
}

describe('lost answers', () => {
  it.each(shares.flatMap((share) => capacities.map((concurrency) => ({ share, concurrency }))))(
    'are settled without a second charge and without a person: $share of them lost, $concurrency at a time',
    async ({ share, concurrency }) => {
      const settled = await settleBatch(share < 0.5 ? 400 : 60, { share, concurrency, seed: 5 })
      expect(settled.lost).toBeGreaterThan(15)
      expect(settled).toMatchObject({ leftToAPerson: 0, undelivered: 0, chargedTwice: 0, mistaken: 0 })
    },
  )

  it('of a run that was never taken is sent again only after the waiting time', async () => {
    const rehearsal = rehearse(1, {
      concurrency: 1,
      seed: 1,
      fate: (n) => (n === 0 ? 'lost-before' : 'answered'),
      settings: { settleMs: 180_000 },
    })
    const sentAt: number[] = []
    const accept = rehearsal.service.accept.bind(rehearsal.service)
    rehearsal.service.accept = (source, ours) => {
      sentAt.push(rehearsal.clock.monotonic())
      return accept(source, ours)
    }
    await rehearsal.run()
    expect(sentAt).toHaveLength(1)
    expect(sentAt[0]).toBeGreaterThan(180_000)
  })

  it('hold the other presets of their picture until they are settled; other pictures go on', async () => {
    const rehearsal = rehearse(3, {
      concurrency: 9,
      seed: 1,
      variants: 3,
      fate: (n) => (n === 0 ? 'answered' : n === 1 ? 'lost-before' : 'answered'),
    })
    const accepted: { at: number; picture: string }[] = []
    const accept = rehearsal.service.accept.bind(rehearsal.service)
    rehearsal.service.accept = (source, ours) => {
      accepted.push({ at: rehearsal.clock.monotonic(), picture: source.slice(-5) })
      return accept(source, ours)
    }
    await rehearsal.run()
    const others = accepted.filter(({ picture }) => picture !== '0.jpg')
    const [first, ...same] = accepted.filter(({ picture }) => picture === '0.jpg')
    expect([others.length, same.length]).toEqual([6, 2])
    expect(first!.at).toBeLessThan(1000)
    expect(Math.max(...others.map(({ at }) => at))).toBeLessThan(60_000)
    // One of them is the lost one itself.
    expect(Math.min(...same.map(({ at }) => at))).toBeGreaterThan(180_000)
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq).delivered).toBe(9)
  })

  it('hold every other submission for a while, and their own for the whole waiting time', async () => {
    const rehearsal = rehearse(5, {
      concurrency: 5,
      seed: 1,
      fate: (n) => (n === 1 ? 'lost-before' : 'answered'),
    })
    const accepted: { at: number; source: string }[] = []
    const accept = rehearsal.service.accept.bind(rehearsal.service)
    rehearsal.service.accept = (source, ours) => {
      accepted.push({ at: rehearsal.clock.monotonic(), source })
      return accept(source, ours)
    }
    await rehearsal.run()
    expect(accepted).toHaveLength(5)
    const [first, ...others] = accepted
    expect(first!.at).toBeLessThan(1000)
    const last = others.pop()!
    expect(last.source).toMatch(/1\.jpg$/)
    expect(last.at).toBeGreaterThan(180_000)
    expect(others.every(({ at }) => at > 20_000 && at < 30_000)).toBe(true)
  })

  it.each([
    ['the account is used by others', true, {}],
    ['it is told to hold for the whole waiting time', false, { holdMs: 180_000 }],
    ['the list has no total', false, {}],
  ])('hold every other submission until they are settled where %s', async (why, shared, settings) => {
    const rehearsal = rehearse(5, {
      concurrency: 5,
      seed: 1,
      settings,
      fate: (n) => (n === 1 ? 'lost-before' : 'answered'),
      trouble: (request) => (request === 'list' && why.includes('total') ? 'no-total' : 'fine'),
    })
    if (shared) rehearsal.store.connections.markShared(1)
    const accepted: number[] = []
    const accept = rehearsal.service.accept.bind(rehearsal.service)
    rehearsal.service.accept = (source, ours) => {
      accepted.push(rehearsal.clock.monotonic())
      return accept(source, ours)
    }
    await rehearsal.run()
    expect(accepted.filter((at) => at > 10_000 && at < 180_000)).toEqual([])
    expect(accepted.length).toBeGreaterThanOrEqual(4)
  })

  it('are settled one beside the other: what is new belongs to the one in whose time it was made', async () => {
    // The second is never taken; the fourth is, while the second still waits; the fifth is not; the seventh is.
    const fates: Record<number, Fate> = {
      1: 'lost-before',
      3: 'lost-after',
      4: 'lost-before',
      6: 'lost-after',
    }
    const rehearsal = rehearse(12, { concurrency: 5, seed: 1, fate: (n) => fates[n] ?? 'answered' })
    expect((await rehearsal.run()).kind).toBe('done')
    const { store, batchSeq, service, clock } = rehearsal
    expect(store.batches.counts(batchSeq).delivered).toBe(12)
    expect(chargesOf(rehearsal)).toEqual(Array.from({ length: 12 }, () => 1))
    for (const image of store.images.page(batchSeq, -1, 20)) {
      expect(service.runs.find((run) => run.id === image.runId)?.source).toBe(image.source)
    }
    expect(clock.monotonic()).toBeLessThan(320_000)
  })

  it('are settled beside each other also where the list shows the earlier one late', async () => {
    const fates: Record<number, Fate> = { 1: 'lost-after', 3: 'lost-before' }
    const rehearsal = rehearse(8, { concurrency: 5, seed: 1, fate: (n) => fates[n] ?? 'answered' })
    const { service, store, clock, batchSeq } = rehearsal
    const list = service.list.bind(service)
    service.list = async (query) => {
      const answer = await list(query)
      if (answer.kind !== 'ok' || clock.monotonic() > 60_000 || service.runs.length < 2) return answer
      const runs = answer.value.runs.filter((run) => run.runId !== 'run-2')
      const total = query?.status === 'all' ? answer.value.total! - 1 : answer.value.total
      return { ...answer, value: { ...answer.value, runs, total } }
    }
    expect((await rehearsal.run()).kind).toBe('done')
    expect(store.batches.counts(batchSeq)).toMatchObject({ delivered: 8, review: 0 })
    expect(chargesOf(rehearsal)).toEqual(Array.from({ length: 8 }, () => 1))
    expect(store.ledger.byRun('run-2')?.state).toBe('adopted')
  })

  it('count under a cap of runs in flight while they are open', async () => {
    const rehearsal = rehearse(6, {
      concurrency: 5,
      seed: 1,
      settings: { inFlight: 2 },
      fate: (n) => (n === 1 ? 'lost-before' : 'answered'),
    })
    let most = 0
    const accept = rehearsal.service.accept.bind(rehearsal.service)
    rehearsal.service.accept = (source, ours) => {
      const run = accept(source, ours)
      const now = rehearsal.clock.monotonic()
      const under = rehearsal.service.runs.filter((one) => one.status !== 'SUCCESS').length
      if (now < 180_000) most = Math.max(most, under)
      return run
    }
    await rehearsal.run()
    expect(most).toBe(1)
  })

  it('are left to a person where the service has lost a run that it had acknowledged', async () => {
    const rehearsal = rehearse(2, {
      concurrency: 2,
      seed: 1,
      fate: (n) => (n === 1 ? 'lost-before' : 'answered'),
    })
    const { service, store, batchSeq } = rehearsal
    const read = service.run.bind(service)
    service.run = (runId) => read(runId === 'run-1' ? 'forgotten' : runId)
    await rehearsal.run()
    expect(store.batches.counts(batchSeq)).toMatchObject({ review: 2 })
    expect(store.ledger.byRun('run-1')?.runStatus).toBe('LOST')
    expect(service.requests.submit).toBe(2)
  })

  it('again and again end with a person after three resends', async () => {
    const rehearsal = rehearse(1, { concurrency: 1, seed: 1, fate: () => 'lost-before' })
    expect((await rehearsal.run()).kind).toBe('done')
    expect(rehearsal.service.requests.submit).toBe(4)
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq).review).toBe(1)
  })

  it('on an account that others use go to a person, with the candidates', async () => {
    const rehearsal = rehearse(3, {
      concurrency: 5,
      seed: 1,
      fate: (n) => (n === 2 ? 'lost-after' : 'answered'),
    })
    rehearsal.clock.after(1, () => rehearsal.service.accept('https://elsewhere.example/0.jpg', false))
    rehearsal.store.connections.markShared(1)
    await rehearsal.run()
    const counts = rehearsal.store.batches.counts(rehearsal.batchSeq)
    expect(counts).toMatchObject({ delivered: 2, review: 1 })
    const [image] = rehearsal.store.images.inState(rehearsal.batchSeq, 'review')
    const [attempt] = rehearsal.store.ledger.ofImage(image!.id)
    expect(rehearsal.store.ledger.candidates(attempt!.id).map((run) => run.runId)).toContain('run-4')
    expect(Math.max(...chargesOf(rehearsal))).toBe(1)
  })

  it('are not mistaken for a run that somebody else started at the same moment', async () => {
    const rehearsal = rehearse(4, {
      concurrency: 5,
      seed: 1,
      fate: (n) => {
        if (n !== 1) return 'answered'
        rehearsal.service.accept('https://elsewhere.example/a.jpg', false)
        rehearsal.service.accept('https://elsewhere.example/b.jpg', false)
        return 'lost-before'
      },
    })
    await rehearsal.run()
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq)).toMatchObject({ delivered: 3, review: 1 })
    expect(chargesOf(rehearsal)).toEqual([1, 1, 1])
  })

  it('are left to a person together with the run that the service names for another picture later', async () => {
    const rehearsal = rehearse(4, {
      concurrency: 5,
      seed: 1,
      fate: (n) => (n === 1 ? 'lost-after' : 'answered'),
    })
    const { service, store, batchSeq } = rehearsal
    store.connections.markShared(1)
    const submit = service.submit.bind(service)
    service.submit = async (...call) => {
      const answer = await submit(...call)
      // The third is told the run of the second, which was offered to a person.
      return answer.kind === 'acked' && answer.runId === 'run-3' ? { ...answer, runId: 'run-2' } : answer
    }
    await rehearsal.run()
    expect(store.batches.counts(batchSeq)).toMatchObject({ delivered: 2, review: 2 })
    expect(store.ledger.knows('run-2')).toBe(false)
    const [second, third] = store.images.inState(batchSeq, 'review').map(({ id }) => {
      const [attempt] = store.ledger.ofImage(id)
      return store.ledger.candidates(attempt!.id).map(({ runId }) => runId)
    })
    expect(second).toEqual(['run-2'])
    expect(third).toContain('run-3')
    expect(chargesOf(rehearsal)).toEqual([1, 1, 1, 1])
  })

  it('three in a row that need a person pause submitting', async () => {
    const rehearsal = rehearse(6, { concurrency: 5, seed: 1, fate: () => 'lost-after' })
    rehearsal.store.connections.markShared(1)
    const end = await rehearsal.run()
    expect(end.kind).toBe('paused')
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq)).toMatchObject({ review: 3, waiting: 3 })
  })
})

describe('strangers', () => {
  it('are noticed in the lists, and the account counts as shared from then on', async () => {
    const rehearsal = rehearse(30, { concurrency: 5, seed: 2 })
    rehearsal.clock.after(20_000, () => rehearsal.service.accept('https://elsewhere.example/x.jpg', false))
    await rehearsal.run()
    expect(rehearsal.store.connections.byId(1).solitary).toBe(false)
  })

  it('are noticed while a submission waits for a decision, but for the runs that were offered for it', async () => {
    for (const later of [false, true]) {
      const rehearsal = rehearse(40, {
        concurrency: 5,
        seed: 1,
        fate: (n) => (n === 1 ? 'lost-after' : 'answered'),
        trouble: (request, now) => (request === 'list' && now > 200 && now < 240_000 ? 'no-total' : 'fine'),
      })
      if (later) {
        rehearsal.clock.after(250_000, () =>
          rehearsal.service.accept('https://elsewhere.example/c.jpg', false),
        )
      }
      await rehearsal.run()
      const { store, batchSeq } = rehearsal
      expect(store.batches.counts(batchSeq)).toMatchObject({ delivered: 39, review: 1 })
      expect(store.connections.byId(1).solitary).toBe(!later)
    }
  })

  it('are noticed where a question has more answers than one', async () => {
    const rehearsal = rehearse(3, {
      concurrency: 5,
      seed: 1,
      fate: (n) => {
        if (n !== 1) return 'answered'
        rehearsal.service.accept('https://elsewhere.example/a.jpg', false)
        rehearsal.service.accept('https://elsewhere.example/b.jpg', false)
        return 'lost-before'
      },
    })
    await rehearsal.run()
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq).review).toBe(1)
    expect(rehearsal.store.connections.byId(1).solitary).toBe(false)
  })

  it('that show after something was sent again by itself end that: a person decides from then on', async () => {
    for (const lost of [false, true]) {
      const rehearsal = rehearse(60, {
        concurrency: 2,
        seed: 2,
        fate: (n) => (lost && n === 0 ? 'lost-before' : 'answered'),
      })
      rehearsal.clock.after(400_000, () => rehearsal.service.accept('https://elsewhere.example/x.jpg', false))
      await rehearsal.run()
      expect(rehearsal.store.batches.counts(rehearsal.batchSeq).delivered).toBe(60)
      expect(rehearsal.store.connections.byId(1)).toMatchObject({ solitary: false, resendAllowed: !lost })
    }
  })

  it('from before the first contact do not count', async () => {
    const rehearsal = rehearse(10, { concurrency: 5, seed: 2 })
    for (let n = 0; n < 60; n += 1) rehearsal.service.accept(`https://old.example/${n}.jpg`, false)
    await rehearsal.run()
    expect(rehearsal.store.connections.byId(1).solitary).toBe(true)
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq).delivered).toBe(10)
  })
})

describe('money', () => {
  it('stops asking when credits run out, and delivers what is paid for', async () => {
    const rehearsal = rehearse(10, { concurrency: 5, seed: 1, price: 6, credits: 25 })
    expect((await rehearsal.run()).kind).toBe('out-of-credits')
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq)).toMatchObject({ delivered: 4, waiting: 6 })
    expect(rehearsal.service.requests.submit).toBe(5)
  })

  it('never charges more than the budget, and lets the first run go alone while the price is unknown', async () => {
    const rehearsal = rehearse(20, { concurrency: 5, seed: 1, price: 6, budget: 40 })
    const inFlight: number[] = []
    const accept = rehearsal.service.accept.bind(rehearsal.service)
    rehearsal.service.accept = (source, ours) => {
      inFlight.push(rehearsal.service.runs.filter((run) => run.status !== 'SUCCESS').length)
      return accept(source, ours)
    }
    expect((await rehearsal.run()).kind).toBe('budget')
    expect(rehearsal.store.batches.bySeq(rehearsal.batchSeq).charged).toBe(36)
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq)).toMatchObject({ delivered: 6, waiting: 14 })
    expect(inFlight.slice(0, 2)).toEqual([0, 0])
  })

  it('keeps to the cap of runs in flight', async () => {
    const rehearsal = rehearse(30, { concurrency: 20, seed: 1, settings: { inFlight: 3 } })
    let most = 0
    const accept = rehearsal.service.accept.bind(rehearsal.service)
    rehearsal.service.accept = (source, ours) => {
      const run = accept(source, ours)
      most = Math.max(most, rehearsal.service.runs.filter((one) => one.status !== 'SUCCESS').length)
      return run
    }
    await rehearsal.run()
    expect(most).toBe(3)
  })
})

describe('people', () => {
  it('pausing a batch sends no more, and what is at the service is delivered', async () => {
    const rehearsal = rehearse(60, { concurrency: 5, seed: 1 })
    rehearsal.clock.after(30_000, () => rehearsal.store.batches.setState(rehearsal.batchSeq, 'paused'))
    rehearsal.clock.after(200_000, () => rehearsal.store.batches.setState(rehearsal.batchSeq, 'running'))
    const other = addRehearsalBatch(rehearsal.store, 1, 400, null, 'b2')
    await rehearsal.run()
    for (const seq of [rehearsal.batchSeq, other.seq]) {
      expect(rehearsal.store.batches.counts(seq).waiting).toBe(0)
    }
    expect(Math.max(...chargesOf(rehearsal))).toBe(1)
  })

  it.each([
    ['paused while its connection is opened', 'opening', 'pause'],
    ['cancelled while its connection is opened', 'opening', 'cancel'],
    ['cancelled by another process right before it is written down', 'intending', 'cancel'],
  ] as const)('an image whose batch is %s is not sent', async (_, moment, what) => {
    const rehearsal = rehearse(2, { concurrency: 1, seed: 1 })
    const { service, store, batchSeq } = rehearsal
    const act = () => {
      if (what === 'cancel') cancelBatch(store, store.batches.bySeq(batchSeq))
      else store.batches.setState(batchSeq, 'paused')
    }
    const open = service.openSubmission.bind(service)
    const transaction = store.transaction.bind(store)
    service.openSubmission = async () => {
      if (moment === 'opening') act()
      const opened = await open()
      // What comes next is the intent.
      if (moment === 'intending') {
        store.transaction = (work) => {
          store.transaction = transaction
          act()
          return transaction(work)
        }
      }
      return opened
    }
    await rehearsal.run()
    expect(service.requests.submit).toBe(0)
    expect(store.ledger.newest()).toBe(0)
  })

  it('a refused request of one image does not stop the others', async () => {
    const rehearsal = rehearse(5, {
      concurrency: 5,
      seed: 1,
      fate: (n) => (n === 2 ? { refuse: 400 } : 'answered'),
    })
    expect((await rehearsal.run()).kind).toBe('done')
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq)).toMatchObject({ delivered: 4, failed: 1 })
  })

  it('an interrupted queue goes on where it was, charging nothing twice', async () => {
    const rehearsal = rehearse(80, { concurrency: 10, seed: 5, price: 2 })
    const stop = new AbortController()
    rehearsal.clock.after(70_000, () => stop.abort())
    expect((await rehearsal.run(stop.signal)).kind).toBe('interrupted')
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq).delivered).toBeLessThan(80)
    expect((await rehearsal.run()).kind).toBe('done')
    expect(rehearsal.store.batches.counts(rehearsal.batchSeq).delivered).toBe(80)
    expect(chargesOf(rehearsal)).toEqual(Array.from({ length: 80 }, () => 1))
  })
})

it('the mark beside the queue stands at a submission before the service can have taken it, and never at one that is only intended', async () => {
  let mark = 0
  const safety = { ...noSafetyFiles(), raise: (attempt: number) => (mark = attempt) }
  const rehearsal = rehearse(3, { concurrency: 1, seed: 1, safety })
  const { store, service } = rehearsal
  const sent: { readonly mark: number; readonly newest: number }[] = []
  const accept = service.accept.bind(service)
  service.accept = (source, ours) => {
    sent.push({ mark, newest: store.ledger.newest() })
    return accept(source, ours)
  }
  const intend = store.ledger.intend.bind(store.ledger)
  store.ledger.intend = (about) => {
    const attempt = intend(about)
    expect(mark).toBeLessThan(attempt.id)
    return attempt
  }
  await rehearsal.run()
  expect(sent).toEqual([1, 2, 3].map((id) => ({ mark: id, newest: id })))
})
