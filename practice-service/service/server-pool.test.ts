import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newRun } from './runs.ts'
import type { Run } from './runs.ts'
import { ServerPool } from './server-pool.ts'
import { VirtualClock } from './testing/virtual-clock.ts'

function runNumber(sequence: number): Run {
  const accepted = {
    runId: `run_${sequence}`,
    account: 'a',
    appId: 'rescue',
    appTitle: 'Rescue',
    parameters: {},
    webhookUrl: 'https://hook.invalid/',
    stranger: false,
    createdMs: 0,
    price: 2,
    paid: { subscription: 2, other: 0 },
  }
  return newRun(accepted, sequence)
}

describe('the pool of servers', () => {
  test('begins runs first in, first out, and never more at once than it has servers', async () => {
    const times = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 6 }), async (durations, concurrency) => {
        const clock = new VirtualClock()
        const begun: number[] = []
        let busy = 0
        let most = 0
        const pool = new ServerPool(concurrency, async (run) => {
          begun.push(run.sequence)
          busy += 1
          most = Math.max(most, busy)
          await clock.sleep(durations[run.sequence]!)
          busy -= 1
        })
        durations.forEach((_duration, sequence) => pool.enqueue(runNumber(sequence)))
        const idle = pool.idle()
        await clock.advance(50 * durations.length)
        await idle
        expect(begun).toEqual([...durations.keys()])
        expect(most).toBe(Math.min(concurrency, durations.length))
      }),
      { numRuns: 60 },
    )
  })

  test('takes thousands of runs in order', async () => {
    const begun: number[] = []
    const pool = new ServerPool(3, (run) => {
      begun.push(run.sequence)
      return Promise.resolve()
    })
    for (let sequence = 0; sequence < 5_000; sequence += 1) pool.enqueue(runNumber(sequence))
    await pool.idle()
    expect(begun).toEqual(Array.from({ length: 5_000 }, (_none, sequence) => sequence))
  })

  test('begins nothing while it is held, and more when it is given more servers', async () => {
    const clock = new VirtualClock()
    const pool = new ServerPool(1, () => clock.sleep(10))
    pool.hold()
    for (const sequence of [1, 2, 3]) pool.enqueue(runNumber(sequence))
    expect([pool.queued, pool.busy]).toEqual([3, 0])
    pool.release()
    expect([pool.queued, pool.busy]).toEqual([2, 1])
    pool.setConcurrency(3)
    expect([pool.queued, pool.busy]).toEqual([0, 3])
    await clock.advance(10)
    expect([pool.queued, pool.busy]).toEqual([0, 0])
  })
})
