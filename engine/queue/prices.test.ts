import { expect, it } from 'vitest'
import { Store } from '../store/store.ts'
import { estimate, withinBudget } from './prices.ts'
import { addRehearsalBatch } from './testing/rehearsal.ts'

const price = { min: 6, max: 6 }

/** A batch of two with a budget for one run; the run of the first was lost by the service before its charge was read. */
function afterLostRun() {
  const store = new Store(':memory:')
  const { id: connectionId } = store.connections.add('https://service.example/api/v1', 'key')
  const batch = addRehearsalBatch(store, connectionId, 2, 10)
  const [first] = store.images.page(batch.seq, -1, 1)
  store.images.move(first!.id, 'waiting', 'submitting')
  const about = { totalBefore: 0, watermarkCreated: null, intentAt: 0, priceMin: 6, priceMax: 6 }
  const { id } = store.ledger.intend({
    imageId: first!.id,
    batchSeq: batch.seq,
    connectionId,
    appId: 'rescue',
    ...about,
  })
  store.ledger.move(id, 'sending')
  store.ledger.move(id, 'acked', { runId: 'run_1' })
  store.images.move(first!.id, 'submitting', 'running', { runId: 'run_1', serviceStatus: 'IN_QUEUE' })
  expect(withinBudget(store, batch, price)).toBe('wait')
  store.ledger.close(id, 'LOST')
  store.images.move(first!.id, 'running', 'review', { error: 'The service no longer knows this run (404).' })
  return { store, batch, image: first!.id }
}

it('a run that the service lost may have been charged: nothing else is sent for its credits', () => {
  const { store, batch } = afterLostRun()
  // "spent", not "wait": nothing that is under way will tell.
  expect(withinBudget(store, batch, price)).toBe('spent')
  expect(withinBudget(store, batch, { min: 4, max: 4 })).toBe('go')
})

it('until a person has decided', () => {
  const { store, batch, image } = afterLostRun()
  store.images.move(image, 'review', 'cancelled')
  expect(withinBudget(store, batch, price)).toBe('go')
})

it('a budget reckons with the highest price that was seen, not with the last', () => {
  const store = new Store(':memory:')
  const { id } = store.connections.add('https://service.example/api/v1', 'key')
  const batch = addRehearsalBatch(store, id, 2, 10)
  const recipe = { appId: 'rescue', settings: {}, parameters: {} }
  expect(estimate(store, id, recipe)).toBeUndefined()
  for (const charged of [8, 12, 4]) store.connections.learnBasePrice(id, 'rescue', charged)
  expect(estimate(store, id, recipe)).toEqual({ min: 4, max: 12 })
  expect(withinBudget(store, batch, estimate(store, id, recipe))).toBe('spent')
})
