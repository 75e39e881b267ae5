import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLookedAt, isUnfinishedName } from './listing.ts'
import { Settling } from './settling.ts'

test('a file settles at the second of two looks that agree and are apart', () => {
  const settling = new Settling(2000)
  const file = { path: 'list.txt', size: 10, modified: 5 }
  expect(settling.look([file], 0)).toEqual({ settled: [], unsettled: 1 })
  expect(settling.look([file], 1999)).toEqual({ settled: [], unsettled: 1 })
  expect(settling.look([file], 2000)).toEqual({ settled: [file], unsettled: 0 })
})

test('whatever is written, and whenever it is looked: what settles was the same for the whole time', () => {
  const step = fc.record({ wait: fc.nat(3000), grows: fc.boolean(), isThere: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const settling = new Settling(2000)
      let now = 0
      let size = 1
      let sameSince: number | undefined
      for (const { wait, grows, isThere } of steps) {
        now += wait
        if (grows) size += 1
        if (grows || !isThere) sameSince = undefined
        const { settled } = settling.look(isThere ? [{ path: 'a', size, modified: 1 }] : [], now)
        if (isThere) sameSince ??= now
        expect(settled.length).toBe(
          isThere && sameSince !== undefined && now > sameSince - 1 && now - sameSince >= 2000 ? 1 : 0,
        )
      }
    }),
  )
})

test.each([
  ['list.txt', false],
  ['Ring ~ front.csv', false],
  ['list.txt.part', true],
  ['list.txt.filepart', true],
  ['Unconfirmed 12345.crdownload', true],
  ['~$list.csv', true],
  ['list.csv~', true],
  ['.list.txt.Xy12', true],
  ['list.tmp42', true],
])('%s: written by a program that is not done yet: %s', (name, unfinished) => {
  expect(isUnfinishedName(name)).toBe(unfinished)
})

test('what is done, hidden or unfinished on the way to a file is not looked at', () => {
  expect(isLookedAt('Rings/list.txt')).toBe(true)
  expect(isLookedAt('Done/list.txt')).toBe(false)
  expect(isLookedAt('Rings/Done/list.txt')).toBe(true)
  expect(isLookedAt('.sync/list.txt')).toBe(false)
})
