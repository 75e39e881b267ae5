import { say } from '../../shared/language/say.ts'
import type { SettingKey } from '../../shared/settings.ts'

/** What a setting is called in the engine's sentences: as in the table of settings (shared/settings.ts). */
export const settingNames: Readonly<Record<SettingKey, string>> = {
  bg_mode: say`Background`,
  bg_color: say`Colour`,
  bg_shadow: say`Contact shadow`,
  shadow_intensity: say`Intensity`,
  shadow_size: say`Size`,
  shadow_softness: say`Softness`,
  shadow_distance: say`Distance`,
  framing_enabled: say`Framing`,
  framing_pad_top: say`Top padding`,
  framing_pad_right: say`Right padding`,
  framing_pad_bottom: say`Bottom padding`,
  framing_pad_left: say`Left padding`,
  debanding: say`De-banding`,
}

/** That a setting is left out, and beside what it would count. @param unless the table's own words for that */
export function notSentSentence(key: SettingKey, unless: string): string {
  const name = settingNames[key]
  switch (unless) {
    case 'bg_mode is "solid"':
      return say`${name} is not sent: it only counts where bg_mode is "solid".`
    case 'bg_mode is "solid" and bg_shadow is true':
      return say`${name} is not sent: it only counts where bg_mode is "solid" and bg_shadow is true.`
    case 'framing_enabled is true':
      return say`${name} is not sent: it only counts where framing_enabled is true.`
    default:
      return `${name} is not sent: it only counts where ${unless}.`
  }
}
