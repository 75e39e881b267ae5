import { useState } from 'react'
import { presetTitle } from '../../shared/presets.ts'
import { extraCredits } from '../../shared/prices.ts'
import { range } from '../app/format.ts'
import type { SavedPreset } from '../app/mirrors.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { PresetBar } from '../settings/PresetBar.tsx'
import type { Recipe } from '../settings/recipe.ts'
import { Button } from '../ui/Button.tsx'
import { isSameRecipe, savePreset } from './preset-commands.ts'
import { RecipeForm } from './RecipeForm.tsx'
import { usePresetBar } from './use-preset-bar.ts'
import { t } from '../../shared/language/text.ts'

export interface PresetEditorProps {
  readonly saved: SavedPreset
  readonly onOpen: (name: string) => void
}

/** The settings of one preset, with what they add to the price; nothing is kept before Save. */
export function PresetEditor({ saved, onOpen }: PresetEditorProps) {
  const workspace = useWorkspace()
  const { preset, builtIn } = saved
  const [recipe, setRecipe] = useState<Recipe>(preset)
  const isEdited = !isSameRecipe(preset, recipe)
  const bar = usePresetBar({
    recipe,
    current: preset.name,
    reach: builtIn
      ? t`Built in: save a change under a name of your own.`
      : t`A change is kept when it is saved.`,
    onApply: (next) => {
      if (next.name === preset.name) setRecipe(next)
      else onOpen(next.name)
    },
  })
  const extras = extraCredits(recipe.settings)
  return (
    <aside className="insp" aria-label={t`Settings of the preset`} data-region="inspector">
      <div className="insp-top">
        <bdi className="m insp-title ell">{presetTitle(preset.name)}</bdi>
      </div>
      <div className="insp-body">
        <PresetBar {...bar} />
        <RecipeForm recipe={recipe} onChange={setRecipe} />
      </div>
      <div className="cost row g8">
        <div className="grow">
          <p className="big">{extras.max === 0 ? t`No extras` : t`Extras: ${range(extras)} credits`}</p>
          <p className="t12 f3">{t`on top of the app’s base price`}</p>
        </div>
        {isEdited && (
          <Button variant="ghost" onPress={() => setRecipe(preset)}>
            {t`Revert`}
          </Button>
        )}
        <Button
          variant="primary"
          isDisabled={!isEdited || builtIn}
          onPress={() => void savePreset(workspace, { ...preset, ...recipe }, true)}
        >
          {t`Save`}
        </Button>
      </div>
    </aside>
  )
}
