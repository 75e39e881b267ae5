import { assert, double, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { dragged, fractionOf } from './slider-value.ts'

const factor = { min: 0.2, max: 3, step: 0.05, decimals: 2 }

test('the track runs from the least to the greatest value', () => {
  expect([0.2, 3].map((value) => fractionOf(value, factor))).toEqual([0, 1])
  expect(fractionOf(1.6, factor)).toBeCloseTo(0.5, 9)
  expect(fractionOf(9, factor)).toBe(1)
  expect(fractionOf(1, { min: 1, max: 1 })).toBe(0)
})

test('a drag lands on a step in the range, within one step of the pointer', () => {
  assert(
    property(double({ min: 0.2, max: 3, noNaN: true }), (raw) => {
      const value = dragged(raw, factor, 1)
      expect(value).toBeGreaterThanOrEqual(factor.min)
      expect(value).toBeLessThanOrEqual(factor.max)
      expect(Math.abs(value - raw)).toBeLessThan(factor.step)
      expect(Math.abs(value / factor.step - Math.round(value / factor.step))).toBeLessThan(1e-6)
    }),
  )
})

test('the detent holds a little, and every step can still be reached', () => {
  expect(dragged(1.039, factor, 1)).toBe(1)
  expect(dragged(1.039, factor)).toBe(1.05)
  assert(
    property(integer({ min: 4, max: 60 }), (steps) => {
      const value = Number((steps * 0.05).toFixed(2))
      expect(dragged(value, factor, 1)).toBe(value)
    }),
  )
})
