import { settingRule, type NumberRule, type SettingKey } from '../../shared/settings.ts'
import type { NumberRange } from '../ui/number-entry.ts'

/** The rule of a key that holds a number. @throws TypeError for any other key. */
export function numberRule(key: SettingKey): NumberRule {
  const rule = settingRule(key)
  if (rule?.kind !== 'number') throw new TypeError(`${key} is no number.`)
  return rule
}

/** The range of a rule as fields and sliders take it. */
export function rangeOf({ min, max, step, unit }: NumberRule): NumberRange {
  return { min, max, step, decimals: unit === 'percent' ? 0 : unit === 'fraction' ? 3 : 2 }
}
