import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Store } from '../store/store.ts'
import { play, type Bug } from './testing/play.ts'
import { stories, type Account } from './testing/story.ts'

/** The store with a mistake in it: what `ledger` gives back is not what it should be. */
function mistaken(changes: Partial<Store['ledger']>): Bug {
  return {
    store(store) {
      Object.assign(store.ledger, changes)
      return store
    },
  }
}

const bugs: readonly [string, Bug, Account][] = [
  ['a repeated run id is accepted', mistaken({ knows: () => false }), 'solitary'],
  [
    'budgets ignore what is reserved',
    mistaken({ pending: () => ({ runs: 0, undecided: 0, unpriced: 0, reserved: 0 }) }),
    'solitary',
  ],
  ['a waiting time that is no time', { settings: { settleMs: 300 } }, 'solitary'],
  [
    'presets of one picture are in question at the same time',
    {
      store(store) {
        const next = store.images.nextWaiting.bind(store.images)
        store.images.nextWaiting = (batchSeq) => next(batchSeq)
        return store
      },
    },
    'losing, with several presets',
  ],
  ['sent again as soon as others are', { settings: { settleMs: 8000, holdMs: 4000 } }, 'losing'],
]

/** A harness that finds nothing is believed only when it finds what was put there. */
it.each(bugs)('finds a planted bug: %s', { timeout: 60_000 }, async (_, bug, account) => {
  const result = await fc.check(
    fc.asyncProperty(stories(account), async (story) => (await play(story, bug)).breaches.length === 0),
    { numRuns: 400, seed: 7, endOnFailure: true },
  )
  expect(result.failed).toBe(true)
})
