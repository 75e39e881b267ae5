import { expect, it, onTestFinished } from 'vitest'
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

/** A queue that was ended while it sent its two images one after the other: what a start makes of the second. */
function endedWhileSending(rescued: ReadonlyMap<number, string>) {
  const store = new Store(':memory:')
  onTestFinished(() => store.close())
  const { id: connectionId } = store.connections.add('https://service.example/api/v1', 'key')
  const { seq } = addRehearsalBatch(store, connectionId, 2, null)
  const about = { totalBefore: 0, watermarkCreated: null, intentAt: 0, priceMin: null, priceMax: null }
  for (const image of store.images.page(seq, -1, 2)) {
    store.images.move(image.id, 'waiting', 'submitting')
    const { id } = store.ledger.intend({
      imageId: image.id,
      batchSeq: seq,
      connectionId,
      appId: 'rescue',
      ...about,
    })
    store.ledger.move(id, 'sending')
    if (id === 1) store.ledger.move(id, 'acked', { runId: 'run-1' })
  }
  const safety = {
    highWater: () => 2,
    raise: () => undefined,
    rescued: () => rescued,
    clear: () => undefined,
  }
  const parts = { store, safety, connectionId, clock: systemClock, report: () => undefined }
  recover({ parts } as unknown as Desk)
  return { attempt: store.ledger.byId(2), counts: store.batches.counts(seq) }
}

it('a run id that was kept beside a queue that could not be written answers its submission', () => {
  const { attempt, counts } = endedWhileSending(new Map([[2, 'run-2']]))
  expect(attempt).toMatchObject({ state: 'acked', runId: 'run-2' })
  expect(counts).toMatchObject({ running: 1 })
})

it.each([
  ['nothing was kept', new Map<number, string>()],
  ['what was kept is of another submission', new Map([[1, 'run-2']])],
  ['what was kept is the run of another picture', new Map([[2, 'run-1']])],
])('a submission that was being sent is in question where %s', (_, rescued) => {
  expect(endedWhileSending(rescued).attempt).toMatchObject({ state: 'unknown', runId: null })
})

it('a ledger that is older than the mark: the same', () => {
  expect(restarted(7).counts).toMatchObject({ waiting: 0, review: 2 })
})
