import { useStore } from 'zustand'
import type { Preset } from '../../shared/presets.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import type { PresetBarProps } from '../settings/PresetBar.tsx'
import type { Recipe } from '../settings/recipe.ts'
import {
  choosePresetFiles,
  deletePreset,
  duplicatePreset,
  exportPreset,
  isSameRecipe,
  savePreset,
} from './preset-commands.ts'

export interface PresetBarParts {
  /** What is edited now. */
  readonly recipe: Recipe
  /** Name of the preset that it came from; null for none. */
  readonly current: string | null
  readonly isMixed?: boolean
  readonly reach?: string
  /** Takes a preset over: its app, its settings, its name. */
  readonly onApply: (preset: Preset) => Promise<void> | void
}

/** The preset bar over the engine's presets: what each of its buttons does. */
export function usePresetBar(parts: PresetBarParts): PresetBarProps {
  const workspace = useWorkspace()
  const presets = useStore(workspace.mirrors.presets, ({ value }) => value.presets)
  const { recipe, current, isMixed = false, reach, onApply } = parts
  const saved = presets.find(({ preset }) => preset.name === current)?.preset
  const now = (name: string): Preset => ({
    name,
    appId: recipe.appId,
    settings: recipe.settings,
    parameters: recipe.parameters,
  })
  const apply = (preset: Preset) => workspace.attempt(async () => onApply(preset))
  const applyNamed = (name: string) => {
    const found = presets.find(({ preset }) => preset.name === name)?.preset
    if (found) void apply(found)
  }
  return {
    presets: presets.map(({ preset, builtIn }) => ({
      name: preset.name,
      settings: preset.settings,
      isBuiltIn: builtIn,
    })),
    current: current ?? undefined,
    isMixed,
    isEdited: saved !== undefined && !isMixed && !isSameRecipe(saved, recipe),
    ...(reach === undefined ? {} : { reach }),
    onChoose: applyNamed,
    onSave: () => void (saved && savePreset(workspace, now(saved.name), true)),
    onSaveAs: (name) =>
      void savePreset(workspace, now(name), false).then((done) => (done ? apply(now(name)) : undefined)),
    onRevert: () => void (saved && apply(saved)),
    onRename: (to) =>
      void workspace.attempt(async () => {
        if (!saved) return
        await workspace.api.presets.rename({ name: saved.name, to })
        await onApply(now(to))
      }),
    onDuplicate: () => void (saved && duplicatePreset(workspace, saved.name)),
    onDelete: () => void (saved && deletePreset(workspace, saved)),
    onImport: () => choosePresetFiles(workspace),
    onExport: () => void (saved && exportPreset(workspace, saved.name)),
  }
}
