import { effectiveSettings, settingRules } from '../../shared/settings.ts'
import type { Recipe } from '../settings/recipe.ts'
import { formatNumber } from '../ui/number-entry.ts'
import { t } from '../../shared/language/text.ts'

/** What a recipe does, in a few tags: "Solid #FFFFFF", "Shadow 1.2", "Framing 15 %", "De-banding". */
export function recipeTags({ settings }: Pick<Recipe, 'settings'>): readonly string[] {
  const { sent } = effectiveSettings(settings)
  const pads = [sent.framing_pad_top, sent.framing_pad_right, sent.framing_pad_bottom, sent.framing_pad_left]
  const isSamePad = pads.every((pad) => pad !== undefined && pad === pads[0])
  return [
    sent.bg_mode === 'solid' && (sent.bg_color === undefined ? t`Solid` : t`Solid ${sent.bg_color}`),
    sent.bg_mode === 'transparent' && t`Transparent`,
    sent.bg_mode === 'off' && t`Background off`,
    sent.bg_shadow === true &&
      (sent.shadow_intensity === undefined ? t`Shadow` : t`Shadow ${formatNumber(sent.shadow_intensity, 0)}`),
    sent.framing_enabled === true && (isSamePad ? t`Framing ${pads[0] ?? ''} %` : t`Framing`),
    sent.debanding === true && t`De-banding`,
    sent.debanding === false && t`No de-banding`,
  ].filter((tag) => tag !== false)
}

/** "+ 2 from your account": how many keys are not sent. */
export function accountWords({ settings }: Pick<Recipe, 'settings'>): string | undefined {
  const { sent } = effectiveSettings(settings)
  // Keys that would be ignored are no account defaults either.
  const open = settingRules.filter(
    (rule) => sent[rule.key] === undefined && (rule.condition?.applies(settings) ?? true),
  ).length
  if (open === 0) return undefined
  return Object.keys(sent).length === 0 ? t`Everything from your account` : t`+ ${open} from your account`
}
