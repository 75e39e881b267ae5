import type { RetoucherSettings } from './settings.ts'

/** Credits on top of an app's base price (service interface, 4.7 and 8). Shadow and framing add nothing. */
const extraPrices = { background: 3, debanding: 1 } as const

export interface CreditRange {
  /** Credits, whole numbers; `min` equals `max` where the price is certain. */
  readonly min: number
  readonly max: number
}

/** From the least to the most of several ranges; of none it has no bounds that mean anything. */
export function widestRange(ranges: readonly CreditRange[]): CreditRange {
  return { min: Math.min(...ranges.map(({ min }) => min)), max: Math.max(...ranges.map(({ max }) => max)) }
}

/**
 * What a run's settings add to the base price. The default of `debanding` is not documented, so leaving it to the
 * account may cost one credit, unless every key is left to the account: then the output is unchanged (4.7).
 */
export function extraCredits(settings: RetoucherSettings): CreditRange {
  const background =
    settings.bg_mode === 'solid' || settings.bg_mode === 'transparent' ? extraPrices.background : 0
  if (settings.debanding !== undefined || Object.keys(settings).length === 0) {
    const certain = background + (settings.debanding ? extraPrices.debanding : 0)
    return { min: certain, max: certain }
  }
  return { min: background, max: background + extraPrices.debanding }
}
