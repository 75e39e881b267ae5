import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { play } from './testing/play.ts'
import { accounts, stories, type ServicePlan } from './testing/story.ts'

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
      { numRuns: 300, seed: 20261121 },
    )
  })
})

describe('the same stories with notices that come, come twice, late, not at all, or lie', () => {
  it.each(accounts)('break no promise on an account that is %s', { timeout: 300_000 }, async (account) => {
    const seen: Record<string, number> = {}
    await fc.assert(
      fc.asyncProperty(stories(account), async (story) => {
        const played = await play(story, undefined, true)
        for (const [what, n] of Object.entries(played.seen)) seen[what] = (seen[what] ?? 0) + n
        expect(played.breaches).toEqual([])
      }),
      { numRuns: 200, seed: 20261122 },
    )
    expect(seen['notices']).toBeGreaterThan(100)
    expect(seen['adopted from unknown after its secret came back']).toBeGreaterThan(5)
    expect(seen['adopted from review after its secret came back']).toBeGreaterThan(2)
  })
})

/** Nothing goes wrong but what a story says. */
const sound: ServicePlan = {
  seed: 0,
  concurrency: 1,
  durations: [500],
  outcomes: [],
  price: 1,
  credits: 1000,
  chargedAtEnd: false,
  coarse: false,
  skewMs: 0,
  dateSkewMs: 0,
  fates: [],
  troubles: [],
  foreign: [],
}

it('what a list that names runs twice offers to a person, once it can be read again, is offered once', async () => {
  const played = await play({
    settleMs: 20_000,
    holdMs: 8000,
    whenStopped: 'end',
    images: 1,
    budget: null,
    service: {
      ...sound,
      fates: [{ kind: 'lost-after', answerMs: 10, acceptMs: 0, visibleMs: 0 }],
      troubles: [
        { kind: 'list-unreadable', at: 0, forMs: 21_324 },
        { kind: 'list-doubled', at: 0, forMs: 21_413 },
      ],
      foreign: [0],
    },
    steps: [
      {
        afterMs: 11_413,
        step: { kind: 'deed', deed: { kind: 'add', images: 1, budget: null, held: false } },
      },
    ],
  })
  expect(played.breaches).toEqual([])
})

it('a run that the service no longer knows counts against the budget until a person has decided', async () => {
  const played = await play({
    settleMs: 20_000,
    holdMs: 8000,
    whenStopped: 'end',
    images: 2,
    budget: 1,
    service: { ...sound, credits: 2, troubles: [{ kind: 'get-404', at: 0, forMs: 21_747 }] },
    steps: [
      { afterMs: 6971, step: { kind: 'deed', deed: { kind: 'wall-jump', ms: -7_200_000 } } },
      { afterMs: 14_888, step: { kind: 'deed', deed: { kind: 'decide', pick: 0, how: 'adopt' } } },
    ],
  })
  expect(played.breaches).toEqual([])
})
