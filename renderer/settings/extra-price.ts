import { extraCredits, type CreditRange } from '../../shared/prices.ts'
import type { RetoucherSettings } from '../../shared/settings.ts'
import type { MixedSettings } from './recipe.ts'
import { t } from '../../shared/language/text.ts'

/** What the background adds to a run, over the images that are shown. */
export function backgroundExtra(settings: RetoucherSettings, mixed: MixedSettings): CreditRange {
  const modes = mixed.get('bg_mode') ?? [settings.bg_mode]
  const prices = modes.map(
    // De-banding is named as off, so that what is left is the background's part.
    (mode) =>
      extraCredits({ debanding: false, ...(mode === undefined ? {} : { bg_mode: mode as 'solid' }) }).min,
  )
  return { min: Math.min(...prices), max: Math.max(...prices) }
}

/** What de-banding adds: certain where it is set, open where it is left to the account beside other settings. */
export function debandingExtra(settings: RetoucherSettings, mixed: MixedSettings): CreditRange {
  const values = mixed.get('debanding') ?? [settings.debanding]
  const { bg_mode: _mode, debanding: _debanding, ...rest } = settings
  const others: RetoucherSettings = { ...rest, ...(settings.bg_mode === undefined ? {} : { bg_mode: 'off' }) }
  // A mixed key is set for at least one image, which then is not left to the account entirely.
  const base: RetoucherSettings = mixed.size > 0 ? { bg_mode: 'off', ...others } : others
  const prices = values.map((value) =>
    extraCredits(value === undefined ? base : { ...base, debanding: value === true }),
  )
  return {
    min: Math.min(...prices.map((price) => price.min)),
    max: Math.max(...prices.map((price) => price.max)),
  }
}

/** "+3 cr", "+0 or 1 cr"; undefined where nothing is added. */
export function extraWords({ min, max }: CreditRange): string | undefined {
  if (max === 0) return undefined
  return min === max ? t`+${max} cr` : t`+${min} or ${max} cr`
}
