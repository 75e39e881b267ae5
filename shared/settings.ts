import { z } from 'zod'
import { t } from './language/text.ts'

/**
 * The retoucher output settings of the service interface, section 4.7: one table that the form, the command line,
 * the clamp, the practice service and the tests read. A key that is absent means "account default": it is not sent.
 */

/** Values of one picture's settings; an absent key is left to the account (not the same as sending the default). */
export interface RetoucherSettings {
  readonly bg_mode?: 'off' | 'solid' | 'transparent'
  readonly bg_color?: string
  readonly bg_shadow?: boolean
  readonly shadow_intensity?: number
  readonly shadow_size?: number
  readonly shadow_softness?: number
  readonly shadow_distance?: number
  readonly framing_enabled?: boolean
  readonly framing_pad_top?: number
  readonly framing_pad_right?: number
  readonly framing_pad_bottom?: number
  readonly framing_pad_left?: number
  readonly debanding?: boolean
}

export type SettingKey = keyof RetoucherSettings
export type SettingValue = string | number | boolean

interface CommonRule {
  readonly key: SettingKey
  readonly title: string
  readonly group: 'background' | 'shadow' | 'framing' | 'debanding'
  /** One sentence for the form and `--help`. */
  readonly help: string
  /** Present where the key only counts beside others; `applies` decides, `unless` says it in words. */
  readonly condition?: { readonly applies: (values: RetoucherSettings) => boolean; readonly unless: string }
}
export interface ChoiceRule extends CommonRule {
  readonly kind: 'choice'
  readonly choices: readonly string[]
  readonly default: string
}
export interface ColorRule extends CommonRule {
  readonly kind: 'color'
}
export interface SwitchRule extends CommonRule {
  readonly kind: 'switch'
}
export interface NumberRule extends CommonRule {
  readonly kind: 'number'
  readonly min: number
  readonly max: number
  /** Step of the slider; finer values are allowed. */
  readonly step: number
  /** The documented default (the account's saved value may differ for shadows, 4.7 rule 3). */
  readonly default: number
  readonly unit: 'factor' | 'fraction' | 'percent'
}
export type SettingRule = ChoiceRule | ColorRule | SwitchRule | NumberRule

const solid = {
  applies: (values: RetoucherSettings) => values.bg_mode === 'solid',
  get unless() {
    return t`bg_mode is "solid"`
  },
}
const shadow = {
  applies: (values: RetoucherSettings) => values.bg_mode === 'solid' && values.bg_shadow === true,
  get unless() {
    return t`bg_mode is "solid" and bg_shadow is true`
  },
}
const framing = {
  applies: (values: RetoucherSettings) => values.framing_enabled === true,
  get unless() {
    return t`framing_enabled is true`
  },
}

function pad(side: 'top' | 'right' | 'bottom' | 'left'): NumberRule {
  return {
    key: `framing_pad_${side}`,
    kind: 'number',
    title: `${side[0]!.toUpperCase()}${side.slice(1)} padding`,
    group: 'framing',
    help: `Space ${side === 'left' || side === 'right' ? `to the ${side} of` : side === 'top' ? 'above' : 'below'} the item, in percent of its longest side.`,
    min: 0,
    max: 100,
    step: 1,
    default: 15,
    unit: 'percent',
    condition: framing,
  }
}

/** Every retoucher key in the order in which it is shown; ranges, defaults and conditions are those of 4.7. */
export const settingRules: readonly SettingRule[] = [
  {
    key: 'bg_mode',
    kind: 'choice',
    title: 'Background',
    group: 'background',
    help: 'Keep the background, replace it by a colour, or cut the item out (PNG with alpha).',
    choices: ['off', 'solid', 'transparent'],
    default: 'off',
  },
  {
    key: 'bg_color',
    kind: 'color',
    title: 'Colour',
    group: 'background',
    help: 'Background colour, #RRGGBB.',
    condition: solid,
  },
  {
    key: 'bg_shadow',
    kind: 'switch',
    title: 'Contact shadow',
    group: 'shadow',
    help: 'A soft contact shadow under the item.',
    condition: solid,
  },
  {
    key: 'shadow_intensity',
    kind: 'number',
    title: 'Intensity',
    group: 'shadow',
    help: 'Darkness of the shadow.',
    min: 0.1,
    max: 3,
    step: 0.05,
    default: 1,
    unit: 'factor',
    condition: shadow,
  },
  {
    key: 'shadow_size',
    kind: 'number',
    title: 'Size',
    group: 'shadow',
    help: 'Footprint of the shadow.',
    min: 0.2,
    max: 3,
    step: 0.05,
    default: 1,
    unit: 'factor',
    condition: shadow,
  },
  {
    key: 'shadow_softness',
    kind: 'number',
    title: 'Softness',
    group: 'shadow',
    help: 'Blur of the edge of the shadow.',
    min: 0.2,
    max: 3,
    step: 0.05,
    default: 1,
    unit: 'factor',
    condition: shadow,
  },
  {
    key: 'shadow_distance',
    kind: 'number',
    title: 'Distance',
    group: 'shadow',
    help: 'Offset of the shadow from the item, as a fraction of its size.',
    min: 0,
    max: 0.2,
    step: 0.005,
    default: 0,
    unit: 'fraction',
    condition: shadow,
  },
  {
    key: 'framing_enabled',
    kind: 'switch',
    title: 'Framing',
    group: 'framing',
    help: 'Crop to the item and give it the same padding in every picture; the item is never scaled.',
  },
  pad('top'),
  pad('right'),
  pad('bottom'),
  pad('left'),
  {
    key: 'debanding',
    kind: 'switch',
    title: 'De-banding',
    group: 'debanding',
    help: 'Remove wave-like banding; the run yields two outputs, De-Banded and Original.',
  },
]

const ruleByKey: ReadonlyMap<string, SettingRule> = new Map(settingRules.map((rule) => [rule.key, rule]))

/** The rule of a retoucher key, or undefined for any other parameter name. */
export function settingRule(key: string): SettingRule | undefined {
  return ruleByKey.get(key)
}

export type CheckedValue =
  | { readonly ok: true; readonly value: SettingValue; readonly clampedFrom?: number }
  | { readonly ok: false; readonly problem: string }

/**
 * Judges one value against its rule. Out-of-range numbers are clamped, as the service would (4.7 rule 1), and the
 * typed value is reported; a value of the wrong kind is a problem, told in words that name what would be right.
 */
export function checkSetting(rule: SettingRule, value: unknown): CheckedValue {
  switch (rule.kind) {
    case 'choice':
      return typeof value === 'string' && rule.choices.includes(value)
        ? { ok: true, value }
        : wrong(rule, value, `one of ${rule.choices.join(', ')}`)
    case 'color':
      return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)
        ? { ok: true, value }
        : wrong(rule, value, 'a colour of the form #RRGGBB, such as #FFFFFF')
    case 'switch':
      return typeof value === 'boolean' ? { ok: true, value } : wrong(rule, value, 'true or false')
    case 'number': {
      if (typeof value === 'number' && !Number.isFinite(value)) {
        return { ok: false, problem: `${rule.key} must be a finite number, from ${rule.min} to ${rule.max}.` }
      }
      if (typeof value !== 'number') {
        return wrong(rule, value, `a number from ${rule.min} to ${rule.max}`)
      }
      const clamped = Math.min(rule.max, Math.max(rule.min, value))
      return clamped === value ? { ok: true, value } : { ok: true, value: clamped, clampedFrom: value }
    }
  }
}

function wrong(rule: SettingRule, value: unknown, right: string): CheckedValue {
  const shown = JSON.stringify(value) ?? String(value)
  return { ok: false, problem: `${rule.key} must be ${right}, not ${shown.slice(0, 60)}.` }
}

export interface IgnoredSetting {
  readonly key: SettingKey
  /** In words, what would make the key count: "bg_mode is \"solid\"". */
  readonly unless: string
}

/**
 * Splits settings into those that count and those the service would ignore (4.7: shadow without solid, a colour
 * without solid, pads without framing). Ignored keys are kept in presets but never sent.
 */
export function effectiveSettings(values: RetoucherSettings): {
  readonly sent: RetoucherSettings
  readonly ignored: readonly IgnoredSetting[]
} {
  const sent: Record<string, SettingValue> = {}
  const ignored: IgnoredSetting[] = []
  for (const rule of settingRules) {
    const value = values[rule.key]
    if (value === undefined) continue
    if (rule.condition && !rule.condition.applies(values)) {
      ignored.push({ key: rule.key, unless: rule.condition.unless })
    } else {
      sent[rule.key] = value
    }
  }
  return { sent, ignored }
}

function schemaOf(rule: SettingRule): z.ZodType {
  switch (rule.kind) {
    case 'choice':
      return z.enum(rule.choices as [string, ...string[]])
    case 'color':
      return z.string().regex(/^#[0-9a-f]{6}$/i)
    case 'switch':
      return z.boolean()
    case 'number':
      return z.number().min(rule.min).max(rule.max)
  }
}

/** Strict schema of the settings object: known keys, right kinds, in range; what is stored and sent passes it. */
export const retoucherSettingsSchema = z.strictObject(
  Object.fromEntries(settingRules.map((rule) => [rule.key, schemaOf(rule).optional()])),
) as unknown as z.ZodType<RetoucherSettings>

/** True when an app is one of the retouchers that take these settings (1: named Rescue and Precision). */
export function isRetoucher(app: { readonly id: string; readonly title?: string | undefined }): boolean {
  return /rescue|precision/i.test(`${app.id} ${app.title ?? ''}`)
}
