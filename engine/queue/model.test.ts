import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { play } from './testing/play.ts'
import { accounts, stories } from './testing/story.ts'

/**
 * The queue as a whole against a model of everything that can go wrong, in virtual time. A story that breaks a
 * promise is shrunk to a short one; `npm run model` tells many more of them.
 */
describe('stories of crashes, lost answers and people in between', () => {
  it.each(accounts)('break no promise on an account that is %s', { timeout: 300_000 }, async (account) => {
    await fc.assert(
      fc.asyncProperty(stories(account), async (story) => {
        expect((await play(story)).breaches).toEqual([])
      }),
      { numRuns: account === 'losing' ? 100 : 200, seed: 20261121 },
    )
  })
})
