import { t } from './language/text.ts'
import type { SettingKey } from './settings.ts'

/** What a retoucher setting is called; the table itself, which the practice service shares, speaks English. */
export function settingTitle(key: SettingKey): string {
  switch (key) {
    case 'bg_mode':
      return t`Background`
    case 'bg_color':
      return t`Colour`
    case 'bg_shadow':
      return t`Contact shadow`
    case 'shadow_intensity':
      return t`Intensity`
    case 'shadow_size':
      return t`Size`
    case 'shadow_softness':
      return t`Softness`
    case 'shadow_distance':
      return t`Distance`
    case 'framing_enabled':
      return t`Framing`
    case 'framing_pad_top':
      return t`Top padding`
    case 'framing_pad_right':
      return t`Right padding`
    case 'framing_pad_bottom':
      return t`Bottom padding`
    case 'framing_pad_left':
      return t`Left padding`
    case 'debanding':
      return t`De-banding`
  }
}
