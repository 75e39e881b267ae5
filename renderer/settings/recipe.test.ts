import { array, assert, constantFrom, property, record, type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { extraCredits } from '../../shared/prices.ts'
import { effectiveSettings, settingRules, type RetoucherSettings } from '../../shared/settings.ts'
import { backgroundExtra, debandingExtra, extraWords } from './extra-price.ts'
import { numberRule, rangeOf } from './number-rules.ts'
import { changedRecipe, keyState, sharedRecipe, whyIgnored, type Recipe } from './recipe.ts'

const settings = record(
  {
    bg_mode: constantFrom('off', 'solid', 'transparent'),
    bg_color: constantFrom('#FFFFFF', '#ECECEC'),
    bg_shadow: constantFrom(true, false),
    shadow_size: constantFrom(0.8, 1.6),
    framing_enabled: constantFrom(true, false),
    framing_pad_top: constantFrom(0, 15),
    debanding: constantFrom(true, false),
  },
  { requiredKeys: [] },
) as Arbitrary<RetoucherSettings>
const recipe = (values: RetoucherSettings): Recipe => ({ appId: 'rescue', settings: values, parameters: {} })
const none = new Map()

describe('several images as one', () => {
  test('a key is common, or mixed with exactly the values there are', () => {
    assert(
      property(array(settings, { minLength: 1, maxLength: 4 }), (some) => {
        const shared = sharedRecipe(some.map(recipe))
        for (const { key } of settingRules) {
          const values = new Set(some.map((one) => one[key]))
          expect(shared.mixed.has(key)).toBe(values.size > 1)
          if (values.size === 1) expect(shared.recipe.settings[key]).toBe([...values][0])
          else expect(new Set(shared.mixed.get(key))).toEqual(values)
        }
      }),
    )
  })

  test('after a change of a key it is common, and the rest is as it was', () => {
    assert(
      property(array(settings, { minLength: 1, maxLength: 4 }), (some) => {
        const changed = some.map((one) =>
          changedRecipe(recipe(one), { set: { bg_mode: 'solid' }, unset: ['debanding'] }),
        )
        const shared = sharedRecipe(changed)
        expect(keyState('bg_mode', shared.recipe.settings, shared.mixed)).toBe('sent')
        expect(keyState('debanding', shared.recipe.settings, shared.mixed)).toBe('account')
        expect(changed.map(({ settings }) => settings.shadow_size)).toEqual(
          some.map((one) => one.shadow_size),
        )
        expect(changed.every(({ settings }) => !('debanding' in settings))).toBe(true)
      }),
    )
  })

  test('none at all is refused; different apps are told', () => {
    expect(() => sharedRecipe([])).toThrow(RangeError)
    expect(sharedRecipe([recipe({}), { ...recipe({}), appId: 'precision' }]).apps).toEqual([
      'rescue',
      'precision',
    ])
  })

  test('a parameter that is taken away is gone', () => {
    const before = { appId: 'upscale', settings: {}, parameters: { factor: 2, mode: 'fine' } }
    expect(changedRecipe(before, { parameters: { factor: 3, mode: undefined } }).parameters).toEqual({
      factor: 3,
    })
  })
})

describe('what would be ignored', () => {
  test('the form dims exactly what is not sent', () => {
    assert(
      property(settings, (some) => {
        const ignored = new Set(effectiveSettings(some).ignored.map(({ key }) => key))
        for (const { key } of settingRules) {
          if (some[key] !== undefined)
            expect(whyIgnored(key, some, none) !== undefined).toBe(ignored.has(key))
        }
      }),
    )
  })

  test('a mixed condition counts as soon as it does for one image', () => {
    const mixed = new Map([['bg_mode', ['solid', 'transparent']] as const])
    expect(whyIgnored('bg_color', {}, mixed)).toBeUndefined()
    expect(whyIgnored('shadow_size', {}, mixed)).toBe('Only with the contact shadow on')
    expect(whyIgnored('shadow_size', {}, none)).toBe('Only with a solid background')
    expect(whyIgnored('framing_pad_left', {}, none)).toBe('Only with framing on')
  })
})

describe('what extras cost', () => {
  test('the two parts are the whole, for any settings', () => {
    assert(
      property(settings, (some) => {
        const [background, debanding] = [backgroundExtra(some, none), debandingExtra(some, none)]
        expect({ min: background.min + debanding.min, max: background.max + debanding.max }).toEqual(
          extraCredits(some),
        )
      }),
    )
  })

  test('in words, also where images differ', () => {
    expect(extraWords({ min: 3, max: 3 })).toBe('+3 cr')
    expect(extraWords({ min: 0, max: 1 })).toBe('+0 or 1 cr')
    expect(extraWords({ min: 0, max: 0 })).toBeUndefined()
    expect(backgroundExtra({}, new Map([['bg_mode', ['solid', undefined]] as const]))).toEqual({
      min: 0,
      max: 3,
    })
    expect(debandingExtra({}, new Map([['debanding', [true, false]] as const]))).toEqual({ min: 0, max: 1 })
  })
})

test('ranges come from the one table', () => {
  expect(rangeOf(numberRule('shadow_distance'))).toEqual({ min: 0, max: 0.2, step: 0.005, decimals: 3 })
  expect(rangeOf(numberRule('framing_pad_top'))).toEqual({ min: 0, max: 100, step: 1, decimals: 0 })
  expect(() => numberRule('bg_mode')).toThrow(TypeError)
})
