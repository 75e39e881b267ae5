import { builtInPresets, type Preset } from '../../shared/presets.ts'
import { samePresetName } from './preferences.ts'

export interface ListedPreset {
  readonly preset: Preset
  readonly builtIn: boolean
}

/** Own presets first, then the built-in ones that none of them replaces by name. */
export function allPresets(own: readonly Preset[]): ListedPreset[] {
  const others = builtInPresets.filter(
    (built) => !own.some((preset) => samePresetName(preset.name, built.name)),
  )
  return [
    ...own.map((preset) => ({ preset, builtIn: false })),
    ...others.map((preset) => ({ preset, builtIn: true })),
  ]
}

/** The preset of this name, whatever its case: an own one before a built-in one. */
export function findPreset(own: readonly Preset[], name: string): ListedPreset | undefined {
  return allPresets(own).find(({ preset }) => samePresetName(preset.name, name))
}
