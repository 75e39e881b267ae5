import Database from 'better-sqlite3'
import { afterEach, expect, it, vi } from 'vitest'
import { addRehearsalBatch } from '../engine/queue/testing/rehearsal.ts'
import { rehearsed } from '../engine/queue/testing/figures.ts'
import { perRunPoller } from './rivals/per-run-poller.ts'
import { rivalRehearsed } from './rivals/rival-rehearsal.ts'
import { tenAtATime } from './rivals/ten-at-a-time.ts'
import { Store } from '../engine/store/store.ts'

/** What the bench measures and is exact: counts, never times. */
afterEach(() => vi.restoreAllMocks())

/** Statements that a piece of work runs. */
function statementsOf(work: () => void): number {
  const prototype = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1')) as Database.Statement
  const run = [vi.spyOn(prototype, 'run'), vi.spyOn(prototype, 'get'), vi.spyOn(prototype, 'all')]
  work()
  return run.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
}

it.each([10, 5000])(
  'a change of state costs as many statements with %d images as with any number',
  (images) => {
    const store = new Store(':memory:')
    store.connections.add('http://127.0.0.1/api/v1', 'key')
    addRehearsalBatch(store, 1, images, null)
    const move = () => store.images.move(5, 'waiting', 'submitting')
    expect(statementsOf(move)).toBeLessThanOrEqual(4)
    store.close()
  },
)

it('rivals behave as they are known to: many requests, or long waits', { timeout: 60_000 }, async () => {
  const [ours, script, poller] = [
    await rehearsed(100, 20, 1),
    await rivalRehearsed(tenAtATime, 100, 20, 1),
    await rivalRehearsed(perRunPoller, 100, 20, 1),
  ]
  expect(script.makespan).toBeGreaterThan(1.7)
  expect(script.apiPerRun).toBeGreaterThan(11)
  expect(poller.apiPerRun).toBeGreaterThan(65)
  expect(poller.lagP95).toBeLessThan(700)
  expect(ours.apiPerRun).toBeLessThan(3.6)
  expect([script.lostShare, poller.lostShare]).toEqual([0, 0])
})

it('a rival sends a picture again when its connection dies; this program does not', async () => {
  const fate = () => 'lost-after' as const
  expect((await rivalRehearsed(perRunPoller, 2, 5, 1, { fate })).posts).toBe(4)
  expect((await rivalRehearsed(tenAtATime, 2, 5, 1, { fate })).posts).toBe(1)
})
