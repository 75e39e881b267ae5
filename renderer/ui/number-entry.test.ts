import { assert, constantFrom, boolean, double, integer, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { speak } from '../../shared/language/text.ts'
import { formatNumber, judgeEntry, parseNumber, stepped } from './number-entry.ts'

const factor = { min: 0.2, max: 3, step: 0.05, decimals: 2 }
const percent = { min: 0, max: 100, step: 1, decimals: 0 }
const fraction = { min: 0, max: 0.2, step: 0.005, decimals: 3 }
const anyRange = constantFrom(factor, percent, fraction)
const plainKeys = { shiftKey: false, altKey: false }

describe('what a person types', () => {
  test.each([
    ['1.2', 1.2],
    ['1,2', 1.2],
    [' 15 % ', 15],
    ['.5', 0.5],
    ['−3', -3],
    ['007', 7],
  ])('%j is a number', (typed, value) => expect(parseNumber(typed)).toBe(value))

  test.each(['', 'abc', '1.2.3', '1e9', '0x10', '1,234.5', 'Infinity', '%', '--1'])('%j is none', (typed) =>
    expect(parseNumber(typed)).toBeUndefined(),
  )

  test('what is shown can be typed again and means the same', () => {
    assert(
      property(
        integer({ min: -2_000_000, max: 2_000_000 }),
        constantFrom(0, 1, 2, 3),
        (tenThousandths, decimals) => {
          const value = tenThousandths / 10_000
          expect(parseNumber(formatNumber(value, decimals))).toBe(value + 0)
        },
      ),
    )
  })

  test('German has a comma, and reads it', () => {
    speak('de', {})
    try {
      expect([formatNumber(1.2, 2), formatNumber(0.005, 2), formatNumber(15, 0)]).toEqual([
        '1,20',
        '0,005',
        '15',
      ])
      expect(parseNumber(formatNumber(0.005, 2))).toBe(0.005)
    } finally {
      speak('en', {})
    }
  })

  test('whatever is typed ends in the range, is told to be no number, or is nothing', () => {
    assert(
      property(string(), anyRange, (typed, range) => {
        const entry = judgeEntry(typed, range)
        if (entry.kind !== 'value') return
        expect(entry.value).toBeGreaterThanOrEqual(range.min)
        expect(entry.value).toBeLessThanOrEqual(range.max)
        expect(entry.word === undefined).toBe(entry.value === parseNumber(typed))
      }),
    )
  })

  test('a value outside the range is moved there, with a word', () => {
    expect(judgeEntry('7', factor)).toEqual({
      kind: 'value',
      value: 3,
      word: 'Set to 3, the most that is allowed.',
    })
    expect(judgeEntry('-1', percent, ' %')).toMatchObject({ word: 'Set to 0 %, the least that is allowed.' })
    expect(judgeEntry('much', percent, ' %')).toEqual({
      kind: 'wrong',
      word: 'Type a number from 0 to 100 %.',
    })
    expect(judgeEntry('  ', percent)).toEqual({ kind: 'empty' })
  })
})

describe('arrow keys', () => {
  test('one step, ten with Shift, a tenth with Alt', () => {
    expect(stepped(1, 1, factor)).toBe(1.05)
    expect(stepped(1, 1, factor, { shiftKey: true, altKey: false })).toBe(1.5)
    expect(stepped(1, -1, factor, { shiftKey: false, altKey: true })).toBe(0.995)
    expect(stepped(0.1, 1, fraction)).toBe(0.105)
  })

  test('stay in the range, move in their direction unless at its end, and lead back to round values', () => {
    assert(
      property(
        anyRange,
        double({ min: 0, max: 1, noNaN: true }),
        constantFrom(1, -1),
        boolean(),
        boolean(),
        (range, at, direction, shiftKey, altKey) => {
          const value = Number((range.min + at * (range.max - range.min)).toFixed(4))
          const next = stepped(value, direction, range, { shiftKey, altKey })
          expect(next).toBeGreaterThanOrEqual(range.min)
          expect(next).toBeLessThanOrEqual(range.max)
          // A tenth of a step may be less than half the grid away from a typed value; a whole step never is.
          if (!altKey && value > range.min && value < range.max)
            expect(Math.sign(next - value)).toBe(direction)
          const isEnd = next === range.min || next === range.max
          if (!altKey && !isEnd)
            expect(Math.abs(next / range.step - Math.round(next / range.step))).toBeLessThan(1e-6)
        },
      ),
    )
  })

  test('up and down again leads back', () => {
    assert(
      property(integer({ min: 5, max: 59 }), (steps) => {
        const value = Number((steps * 0.05).toFixed(2))
        expect(stepped(stepped(value, 1, factor, plainKeys), -1, factor, plainKeys)).toBe(value)
      }),
    )
  })
})
