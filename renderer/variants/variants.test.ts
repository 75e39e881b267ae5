import { assert, constantFrom, double, property } from 'fast-check'
import { expect, test } from 'vitest'
import { checkSetting, settingRule } from '../../shared/settings.ts'
import {
  currentValue,
  stepRange,
  steppable,
  steppedKeys,
  stepValues,
  variantOf,
  type SteppedKey,
} from './variants.ts'

const key = constantFrom<SteppedKey>(...steppedKeys)
const number = double({ min: -5, max: 150, noNaN: true })

test('steps rise from the first to the last, whole and allowed, at most nine', () => {
  assert(
    property(key, number, number, (of, from, to) => {
      const values = stepValues({ of, from, to })
      expect(values.length).toBeGreaterThan(0)
      expect(values.length).toBeLessThanOrEqual(9)
      expect(values).toEqual([...new Set(values)].sort((a, b) => a - b))
      for (const value of values) {
        for (const [name, set] of Object.entries(variantOf(of, value))) {
          expect(checkSetting(settingRule(name)!, set)).toEqual({ ok: true, value })
        }
        expect(currentValue(of, variantOf(of, value))).toBe(value)
      }
    }),
  )
})

test('a whole range has nine steps, its ends among them', () => {
  for (const of of steppedKeys) {
    const { min, max } = stepRange(of)
    const values = stepValues({ of, from: max, to: min })
    expect([values.length, values[0], values.at(-1)]).toEqual([9, min, max])
  }
})

test('only what counts beside the settings can be stepped', () => {
  expect(steppable({})).toEqual([])
  expect(steppable({ framing_enabled: true })).toEqual(['pads'])
  expect(steppable({ bg_mode: 'solid', bg_shadow: true })).toEqual(steppedKeys.slice(0, 4))
  expect(currentValue('pads', { framing_pad_top: 3 })).toBeUndefined()
})
