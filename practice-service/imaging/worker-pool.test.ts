import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { createImageWorkers } from './worker-pool.ts'

const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#999' } })
  .jpeg()
  .toBuffer()

describe('createImageWorkers', () => {
  test('more jobs than threads are all done, and one that fails harms no other', async () => {
    const workers = createImageWorkers({ size: 2 })
    const jobs = [picture, Buffer.from('no'), picture, picture].map((input) =>
      workers.process({ input, app: 'rescue', settings: {} }),
    )
    const done = await Promise.allSettled(jobs)
    expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    const [one] = done
    expect(one!.status === 'fulfilled' && Buffer.isBuffer(one!.value.outputs[0]!.data)).toBe(true)
    await workers.close()
  })

  test('closing rejects what waits and what runs, and new jobs', async () => {
    const workers = createImageWorkers({ size: 1 })
    const waiting = [1, 2, 3].map(() => workers.process({ input: picture, app: 'precision', settings: {} }))
    const ended = Promise.allSettled(waiting)
    await workers.close()
    expect((await ended).every(({ status }) => status === 'rejected')).toBe(true)
    await expect(workers.process({ input: picture, app: 'rescue', settings: {} })).rejects.toThrow('closed')
  })
})
