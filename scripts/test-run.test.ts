import { describe, expect, test } from 'vitest'
import { closingLine, sum } from './tally.ts'
import { judge } from './test-run.ts'

function report(...files: readonly (readonly string[])[]): string {
  const testResults = files.map((statuses) => ({
    status: statuses.length === 0 || statuses.includes('failed') ? 'failed' : 'passed',
    assertionResults: statuses.map((status) => ({ status })),
  }))
  return JSON.stringify({ testResults })
}

describe('what a test run counts as', () => {
  test('passed, failed and skipped are counted over all files', () => {
    const text = report(['passed', 'passed', 'pending'], ['passed', 'failed', 'todo', 'skipped'])
    expect(judge(text, false)).toEqual({ tally: { passed: 3, failed: 1, skipped: 3 } })
  })

  test('all passed', () => {
    expect(judge(report(['passed']), true)).toEqual({ tally: { passed: 1, failed: 0, skipped: 0 } })
  })

  test('a file that could not be loaded is one failure', () => {
    expect(judge(report(['passed'], []), false).tally).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  test.each([
    ['no file', report()],
    ['only skipped ones', report(['skipped'])],
  ])('a run without a test fails: %s', (_name, text) => {
    const { tally, problem } = judge(text, true)
    expect(tally.failed).toBe(1)
    expect(problem).toBe('No test was run.')
  })

  test('an error outside the tests fails', () => {
    expect(judge(report(['passed']), false)).toMatchObject({ tally: { passed: 1, failed: 1 } })
  })

  test.each(['', '{', '{}', '[]'])('no report, or one that cannot be read, fails: %j', (text) => {
    expect(judge(text, true)).toMatchObject({ tally: { passed: 0, failed: 1 } })
  })
})

describe('the closing line', () => {
  test('names skipped tests only where there are any', () => {
    expect(closingLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
    expect(closingLine({ passed: 12, failed: 1, skipped: 2 })).toBe('12 passed, 1 failed, 2 skipped')
  })

  test('adds up', () => {
    expect(sum({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 })).toEqual({
      passed: 11,
      failed: 22,
      skipped: 33,
    })
  })
})
