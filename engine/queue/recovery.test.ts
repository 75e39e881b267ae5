import { expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { Store } from '../store/store.ts'
import type { Desk } from './desk.ts'
import { recover } from './recovery.ts'
import { addRehearsalBatch } from './testing/rehearsal.ts'

/** A queue whose first image was about to be sent, with the mark that stands beside it; what a start makes of it. */
function restarted(mark: number) {
  const store = new Store(':memory:')
  const { id: connectionId } = store.connections.add('https://service.example/api/v1', 'key')
  const { seq } = addRehearsalBatch(store, connectionId, 2, null)
  const [image] = store.images.page(seq, -1, 1)
  store.images.move(image!.id, 'waiting', 'submitting')
  const about = { totalBefore: 0, watermarkCreated: null, intentAt: 0, priceMin: null, priceMax: null }
  store.ledger.intend({ imageId: image!.id, batchSeq: seq, connectionId, appId: 'rescue', ...about })
  const raised: number[] = []
  const safety = {
    highWater: () => mark,
    raise: (attempt: number) => void raised.push(attempt),
    rescued: () => new Map<number, string>(),
    clear: () => undefined,
  }
  const parts = { store, safety, connectionId, clock: systemClock, report: () => undefined }
  recover({ parts } as unknown as Desk)
  return { counts: store.batches.counts(seq), raised }
}

it('what was only intended is sent, where nothing says that it was more', () => {
  expect(restarted(0).counts).toMatchObject({ waiting: 2, review: 0 })
})

it('a ledger whose end was cut off calls intended what was sent: a person decides, and nothing is sent again', () => {
  const { counts, raised } = restarted(1)
  expect(counts).toMatchObject({ waiting: 0, review: 2 })
  expect(raised).toEqual([1])
})

it('a ledger that is older than the mark: the same', () => {
  expect(restarted(7).counts).toMatchObject({ waiting: 0, review: 2 })
})
