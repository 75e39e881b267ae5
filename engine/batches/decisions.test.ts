import { expect, it } from 'vitest'
import { rehearse } from '../queue/testing/rehearsal.ts'
import { adoptRun } from './decisions.ts'

it('an earlier run of the same picture is not taken as the answer to a later submission', async () => {
  const rehearsal = rehearse(1, {
    concurrency: 1,
    seed: 1,
    fate: (n) => (n === 1 ? 'lost-after' : 'answered'),
  })
  await rehearsal.run()
  const { store } = rehearsal
  const [image] = store.images.inState(rehearsal.batchSeq, 'delivered')
  store.images.move(image!.id, 'delivered', 'waiting', { runId: null })
  store.connections.markShared(1)
  await rehearsal.run()
  const [asked] = store.images.inState(rehearsal.batchSeq, 'review')
  expect(() => adoptRun(store, asked!, 'run-1', rehearsal.clock)).toThrow(/earlier run of this picture/)
})
