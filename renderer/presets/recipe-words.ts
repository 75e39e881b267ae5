import { effectiveSettings, settingRules } from '../../shared/settings.ts'
import type { Recipe } from '../settings/recipe.ts'
import { t } from '../../shared/language/text.ts'

/** What a recipe does, in a few tags: "Solid #FFFFFF", "Shadow 1.2", "Framing 15 %", "De-banding". */
export function recipeTags({ settings }: Pick<Recipe, 'settings'>): readonly string[] {
  const { sent } = effectiveSettings(settings)
  const pads = [sent.framing_pad_top, sent.framing_pad_right, sent.framing_pad_bottom, sent.framing_pad_left]
  const isSamePad = pads.every((pad) => pad !== undefined && pad === pads[0])
  return [
    sent.bg_mode === 'solid' && `Solid${sent.bg_color === undefined ? '' : ` ${sent.bg_color}`}`,
    sent.bg_mode === 'transparent' && t`Transparent`,
    sent.bg_mode === 'off' && t`Background off`,
    sent.bg_shadow === true &&
      `Shadow${sent.shadow_intensity === undefined ? '' : ` ${sent.shadow_intensity}`}`,
    sent.framing_enabled === true && `Framing${isSamePad ? ` ${pads[0]} %` : ''}`,
    sent.debanding === true && 'De-banding',
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
