import { expect, it } from 'vitest'
import type { Fate } from './testing/simulated-service.ts'
import { rehearse } from './testing/rehearsal.ts'

const picture = 'https://pictures.example/b1/0.jpg'

/**
 * The answer to the first submission is lost while the list has no total, so that it is left to a person
 * (docs/decisions/0035).
 * @param second what becomes of the second one, sent while the list has its total again
 * @param later the fates of those after it, by their turn
 * @param showsAfter for so long after the second was sent the list keeps the first run back, in ms
 */
function besideReview(
  images: number,
  variants: number,
  second: (accept: () => void) => Fate,
  { later = {}, showsAfter = 0 }: { later?: Record<number, Fate>; showsAfter?: number } = {},
) {
  let sentAt = Infinity
  const rehearsal = rehearse(images, {
    concurrency: 5,
    seed: 1,
    price: 5,
    variants,
    trouble: (request) => {
      const isAsked = rehearsal.store.ledger.open(1, 'unknown').length > 0
      const isDecided = rehearsal.store.ledger.open(1, 'review').length > 0
      return request === 'list' && isAsked && !isDecided ? 'no-total' : 'fine'
    },
    fate: (n) => {
      if (n === 0) return 'lost-before'
      if (n > 1) return later[n] ?? 'answered'
      sentAt = rehearsal.clock.monotonic()
      return second(() => rehearsal.service.accept(picture, true))
    },
  })
  const { service, clock } = rehearsal
  const list = service.list.bind(service)
  service.list = async (query) => {
    const answer = await list(query)
    const isShown = clock.monotonic() >= sentAt + showsAfter || service.runs.length === 0
    if (answer.kind !== 'ok' || isShown) return answer
    const runs = answer.value.runs.filter(({ runId }) => runId !== 'run-1')
    const total = answer.value.total === undefined ? undefined : answer.value.total - 1
    return { ...answer, value: { ...answer.value, runs, total } }
  }
  return rehearsal
}

/** The first one of its picture after all, which the service took late. */
const firstAfterAll = (accept: () => void): Fate => {
  accept()
  return 'lost-before'
}

it('beside a preset that waits for a person, no run is taken for another preset of its picture', async () => {
  const rehearsal = besideReview(1, 2, firstAfterAll)
  await rehearsal.run()
  const { store, batchSeq } = rehearsal
  const [first, second] = store.images.page(batchSeq, -1, 2)
  expect([first!.state, second!.state, second!.runId]).toEqual(['review', 'review', null])
  expect(second!.error).toContain('another one of the same picture')
  const [attempt] = store.ledger.ofImage(second!.id)
  expect(store.ledger.candidates(attempt!.id).map(({ runId }) => runId)).toEqual(['run-1'])
})

it('nor where another picture is in question too, and times would tell them apart', async () => {
  const rehearsal = besideReview(3, 2, firstAfterAll, { later: { 4: 'lost-before' }, showsAfter: 40_000 })
  await rehearsal.run()
  const { store, batchSeq } = rehearsal
  expect(store.ledger.byRun('run-1')).toBeUndefined()
  expect(store.batches.counts(batchSeq)).toMatchObject({ review: 3, delivered: 2 })
})

it('another picture’s run is taken for it there, without a person', async () => {
  const rehearsal = besideReview(2, 1, () => 'lost-after')
  await rehearsal.run()
  const { store, batchSeq } = rehearsal
  expect(store.batches.counts(batchSeq)).toMatchObject({ review: 1, delivered: 1 })
  expect(store.ledger.byRun('run-1')?.state).toBe('adopted')
})
