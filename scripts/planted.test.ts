import { access, readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { plantedBugs } from './planted/bugs.ts'
import { slipped } from './planted/planted-bug.ts'
import { readVerdict } from './planted/verdict.ts'
import { root } from './tool.ts'

describe('the list of planted mistakes', () => {
  test('is long, names each once, and breaks every promise', () => {
    const names = plantedBugs.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThanOrEqual(22)
    expect(new Set(plantedBugs.map(({ promise }) => promise))).toEqual(new Set([1, 2, 3, 4, 5]))
  })

  test.each(plantedBugs)(
    '$name: can be planted, and its test is there',
    async ({ slips, test: { file } }) => {
      for (const path of new Set(slips.map((slip) => slip.file))) {
        const source = await readFile(join(root, path), 'utf8')
        const own = slips.filter((slip) => slip.file === path)
        const planted = slipped(source, own)
        expect(planted).not.toBe(source)
        // What is planted is a mistake of somebody's, but it is a program.
        expect(() => stripTypeScriptTypes(planted)).not.toThrow()
      }
      expect(file).toMatch(/\.test\.ts$/)
      await access(join(root, file))
    },
  )

  test('a text that is missing, or stands there twice, is told', () => {
    const slip = { file: 'a.ts', found: 'b', planted: 'c' }
    expect(slipped('abd', [slip])).toBe('acd')
    for (const source of ['ad', 'abbd', '']) expect(() => slipped(source, [slip])).toThrow(/a\.ts .*: b/)
  })
})

describe('what a test run says of a planted mistake', () => {
  const report = (...tests: readonly (readonly [string, string, string?])[]) =>
    JSON.stringify({
      testResults: [
        {
          message: tests.length === 0 ? 'Cannot find module' : '',
          assertionResults: tests.map(([status, fullName, message]) => ({
            status,
            fullName,
            failureMessages: message === undefined ? [] : [message],
          })),
        },
      ],
    })

  test('a test that found something wrong has found it', () => {
    const text = report(
      ['passed', 'a'],
      ['failed', 'b', 'AssertionError: expected 2 to be 1'],
      ['skipped', 'c'],
    )
    expect(readVerdict(text)).toEqual({ passed: ['a'], failed: ['b'], skipped: ['c'], why: '' })
  })

  test.each([
    'SyntaxError: Unexpected token',
    'ReferenceError: runs is not defined',
    'Error: Property failed\nCause: ReferenceError: runs is not defined',
    'Error: Cannot find module ./gone.ts',
    'Error: Test timed out in 300000ms.',
  ])('one that failed by accident has found nothing: %s', (message) => {
    const verdict = readVerdict(report(['failed', 'a', message]))
    expect(verdict.failed).toEqual([])
    expect(verdict.why).toMatch(/by accident: \w/)
  })

  test.each(['', '{', report(), report(['skipped', 'a'])])(
    'nothing was run, so nothing was found: %s',
    (text) => {
      const { passed, failed, why } = readVerdict(text)
      expect([passed, failed]).toEqual([[], []])
      expect(why).toMatch(/\w/)
    },
  )
})
