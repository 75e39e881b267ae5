import {
  settingRules,
  type RetoucherSettings,
  type SettingKey,
  type SettingValue,
} from '../../shared/settings.ts'
import { t } from '../../shared/language/text.ts'

/** What is sent beside a picture's address; the same three things as a preset and the engine's recipe hold. */
export interface Recipe {
  readonly appId: string
  readonly settings: RetoucherSettings
  /** Values for apps that are no retouchers. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A change that a person made; what it does not name stays as it is, image by image. */
export interface RecipeChange {
  readonly appId?: string
  readonly set?: RetoucherSettings
  /** Keys that are left to the account again. */
  readonly unset?: readonly SettingKey[]
  /** Undefined values take a parameter away. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** Applies a change to one recipe. */
export function changedRecipe(recipe: Recipe, change: RecipeChange): Recipe {
  const { unset = [], set = {} } = change
  const kept = Object.entries(recipe.settings).filter(([key]) => !unset.includes(key as SettingKey))
  const parameters = { ...recipe.parameters, ...change.parameters }
  return {
    appId: change.appId ?? recipe.appId,
    settings: { ...Object.fromEntries(kept), ...set },
    parameters: Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined)),
  }
}

/** For each key whose values differ between images: the different values, undefined where an image leaves it to the account. */
export type MixedSettings = ReadonlyMap<SettingKey, readonly (SettingValue | undefined)[]>

/** Several recipes seen as one: what all share, and what differs. */
export interface SharedRecipe {
  /** The first one's app and parameters, and the settings that all have in common. */
  readonly recipe: Recipe
  readonly mixed: MixedSettings
  /** The different apps; one alone where all are the same. */
  readonly apps: readonly string[]
}

/** Puts the recipes of several images together for one form. @throws RangeError when there is none. */
export function sharedRecipe(recipes: readonly Recipe[]): SharedRecipe {
  const first = recipes[0]
  if (first === undefined) throw new RangeError('There is no recipe to show.')
  const settings: Partial<Record<SettingKey, SettingValue>> = {}
  const mixed = new Map<SettingKey, readonly (SettingValue | undefined)[]>()
  for (const { key } of settingRules) {
    const values = [...new Set(recipes.map((recipe) => recipe.settings[key]))]
    if (values.length > 1) mixed.set(key, values)
    else if (values[0] !== undefined) settings[key] = values[0]
  }
  const apps = [...new Set(recipes.map((recipe) => recipe.appId))]
  return { recipe: { ...first, settings: settings as RetoucherSettings }, mixed, apps }
}

/**
 * Why a key would be ignored with these settings, in a sentence's beginning; undefined where it counts. Where what
 * decides is mixed, it counts as soon as it does for one of the images.
 */
export function whyIgnored(
  key: SettingKey,
  settings: RetoucherSettings,
  mixed: MixedSettings,
): string | undefined {
  const rule = settingRules.find((one) => one.key === key)
  if (rule?.condition === undefined) return undefined
  const hopeful: RetoucherSettings = {
    ...settings,
    ...(mixed.get('bg_mode')?.includes('solid') ? { bg_mode: 'solid' } : {}),
    ...(mixed.get('bg_shadow')?.includes(true) ? { bg_shadow: true } : {}),
    ...(mixed.get('framing_enabled')?.includes(true) ? { framing_enabled: true } : {}),
  }
  if (rule.condition.applies(hopeful)) return undefined
  if (rule.group === 'framing') return t`Only with framing on`
  return hopeful.bg_mode === 'solid' ? t`Only with the contact shadow on` : t`Only with a solid background`
}

/** How a key stands: sent, left to the account, or different between the images. */
export type KeyState = 'sent' | 'account' | 'mixed'

export function keyState(key: SettingKey, settings: RetoucherSettings, mixed: MixedSettings): KeyState {
  if (mixed.has(key)) return 'mixed'
  return settings[key] === undefined ? 'account' : 'sent'
}
