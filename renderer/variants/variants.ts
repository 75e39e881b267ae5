import { settingTitle } from '../../shared/setting-words.ts'
import type { RetoucherSettings, SettingKey } from '../../shared/settings.ts'
import { numberRule, rangeOf } from '../settings/number-rules.ts'
import type { NumberRange } from '../ui/number-entry.ts'
import { t } from '../../shared/language/text.ts'

/** One setting stepped over a range. */
export interface Steps {
  readonly of: SteppedKey
  readonly from: number
  readonly to: number
}

/** What can be stepped: a setting of numbers, or all four pads together. */
export const steppedKeys = [
  'shadow_intensity',
  'shadow_size',
  'shadow_softness',
  'shadow_distance',
  'pads',
] as const
export type SteppedKey = (typeof steppedKeys)[number]

/** Pictures in the grid. */
const variantCount = 9

const padKeys = ['framing_pad_top', 'framing_pad_right', 'framing_pad_bottom', 'framing_pad_left'] as const

/** The settings that a step changes. */
function keysOf(key: SteppedKey): readonly SettingKey[] {
  return key === 'pads' ? padKeys : [key]
}

export interface StepRange extends NumberRange {
  readonly title: string
  readonly isPercent: boolean
}

export function stepRange(key: SteppedKey): StepRange {
  const rule = numberRule(ruleOf(key))
  const title = key === 'pads' ? t`Pads, all four` : settingTitle(rule.key)
  return { ...rangeOf(rule), title, isPercent: rule.unit === 'percent' }
}

/** The key whose rule holds for a step. */
function ruleOf(key: SteppedKey): SettingKey {
  return key === 'pads' ? 'framing_pad_top' : key
}

/** The keys that count beside these settings; the others would change nothing. */
export function steppable(settings: RetoucherSettings): readonly SteppedKey[] {
  return steppedKeys.filter((key) => numberRule(ruleOf(key)).condition?.applies(settings) ?? true)
}

/** The values of a grid, from the first to the last, each a whole step; fewer where there are not so many. */
export function stepValues({ of, from, to }: Steps): readonly number[] {
  const { min, max, step } = stepRange(of)
  const within = (value: number) => Math.min(max, Math.max(min, value))
  const [first, last] = [within(Math.min(from, to)), within(Math.max(from, to))]
  const values = Array.from({ length: variantCount }, (_, index) => {
    const value = first + ((last - first) * index) / (variantCount - 1)
    return Number(within(Math.round(value / step) * step).toFixed(4))
  })
  return [...new Set(values)]
}

/** What taking a value sets. */
export function variantOf(key: SteppedKey, value: number): RetoucherSettings {
  return Object.fromEntries(keysOf(key).map((one) => [one, value]))
}

/** The value that the settings have; undefined where they have none, or the pads differ. */
export function currentValue(key: SteppedKey, settings: RetoucherSettings): number | undefined {
  const values = new Set(keysOf(key).map((one) => settings[one]))
  const [value] = values
  return values.size === 1 && typeof value === 'number' ? value : undefined
}
