import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { newRun, Runs, runStatuses } from './runs.ts'
import type { Run } from './runs.ts'

function run(sequence: number, account: string): Run {
  const accepted = {
    runId: `run_${sequence}`,
    account,
    appId: 'rescue',
    appTitle: 'Rescue',
    parameters: {},
    webhookUrl: 'https://hook.invalid/',
    stranger: false,
    createdMs: sequence,
    price: 2,
    paid: { subscription: 2, other: 0 },
  }
  return newRun(accepted, sequence)
}

test('pages are those of a plain filter over all listed runs, whatever happened to them', () => {
  const step = fc.record({
    act: fc.constantFrom('add', 'list', 'status'),
    which: fc.nat(40),
    account: fc.constantFrom('a', 'b'),
    status: fc.constantFrom(...runStatuses),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 7 }), (steps, limit) => {
      const runs = new Runs()
      const made: Run[] = []
      const listed = new Set<Run>()
      for (const { act, which, account, status } of steps) {
        const chosen = made[which % Math.max(1, made.length)]
        if (act === 'add') {
          const added = run(made.length + 1, account)
          made.push(added)
          runs.add(added)
        } else if (chosen && act === 'list' && !listed.has(chosen)) {
          listed.add(chosen)
          runs.list(chosen)
        } else if (chosen && act === 'status') runs.setStatus(chosen, status)
      }
      for (const account of ['a', 'b']) {
        for (const status of [...runStatuses, 'all'] as const) {
          const right = made
            .filter((each) => listed.has(each) && each.account === account)
            .filter((each) => status === 'all' || each.status === status)
            .reverse()
          for (let page = 1; page <= Math.ceil(right.length / limit) + 1; page += 1) {
            const got = runs.page(account, status, page, limit)
            expect(got.total).toBe(right.length)
            expect(got.runs).toEqual(right.slice((page - 1) * limit, page * limit))
          }
        }
      }
    }),
    { numRuns: 150 },
  )
})
