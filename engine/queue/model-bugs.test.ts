import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Store } from '../store/store.ts'
import { play, type Bug } from './testing/play.ts'
import { stories } from './testing/story.ts'

/** The store with a mistake in it: what `ledger` gives back is not what it should be. */
function mistaken(changes: Partial<Store['ledger']>): Bug {
  return {
    store(store) {
      Object.assign(store.ledger, changes)
      return store
    },
  }
}

/** A harness that finds nothing is believed only when it finds what was put there. */
it.each([
  ['a repeated run id is accepted', mistaken({ knows: () => false })],
  [
    'budgets ignore what is reserved',
    mistaken({ pending: () => ({ runs: 0, undecided: 0, unpriced: 0, reserved: 0 }) }),
  ],
  ['a waiting time that is no time', { settings: { settleMs: 300 } }],
] satisfies [string, Bug][])('finds a planted bug: %s', { timeout: 60_000 }, async (_, bug) => {
  const result = await fc.check(
    fc.asyncProperty(stories('solitary'), async (story) => (await play(story, bug)).breaches.length === 0),
    { numRuns: 400, seed: 7, endOnFailure: true },
  )
  expect(result.failed).toBe(true)
})
