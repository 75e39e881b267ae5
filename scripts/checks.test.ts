import { expect, test } from 'vitest'
import { runChecks } from './checks.ts'

async function run(...oks: readonly boolean[]) {
  let printed = ''
  const checks = oks.map((ok, index) => ({
    title: `check ${index + 1}`,
    run: () => Promise.resolve({ ok, output: `all about ${index + 1}`, seconds: 1.25 }),
  }))
  const { tally, problem } = await runChecks((text) => (printed += text), checks)
  return { tally, problem, printed }
}

test('a line for each check, and what a failing one said in full; the next ones run all the same', async () => {
  expect(await run(true, false, true)).toEqual({
    tally: { passed: 2, failed: 1, skipped: 0 },
    problem: 'Failed above: check 2.',
    printed: '✓ check 1 (1.3 s)\n✗ check 2 (1.3 s)\nall about 2\n\n✓ check 3 (1.3 s)\n',
  })
})

test('nothing failed', async () => {
  expect(await run(true, true)).toMatchObject({
    tally: { passed: 2, failed: 0, skipped: 0 },
    problem: undefined,
  })
})
