import { RecipeForm } from '../presets/RecipeForm.tsx'
import { usePresetBar } from '../presets/use-preset-bar.ts'
import { PresetBar } from '../settings/PresetBar.tsx'
import type { Recipe } from '../settings/recipe.ts'
import { Button } from '../ui/Button.tsx'
import type { ColumnProps } from './FoundColumn.tsx'
import { t } from '../../shared/language/text.ts'

export interface DraftSettingsProps extends ColumnProps {
  readonly onDone: () => void
}

function kept({ appId, settings, parameters }: Recipe) {
  return { appId, settings, parameters: { ...parameters } }
}

/** The settings of a batch that has not begun, in place of what was found. */
export function DraftSettings({ choice, onChoose, onDone }: DraftSettingsProps) {
  const presets = usePresetBar({
    recipe: choice.recipe,
    current: choice.preset,
    onApply: (preset) => onChoose({ preset: preset.name, recipe: kept(preset) }),
  })
  return (
    <div className="draft-settings">
      <div className="row draft-settings-head">
        <h3>{t`Settings`}</h3>
        <span className="sp" />
        <Button size="s" onPress={onDone}>
          {t`Done`}
        </Button>
      </div>
      <PresetBar {...presets} />
      <RecipeForm recipe={choice.recipe} onChange={(recipe) => onChoose({ recipe: kept(recipe) })} />
    </div>
  )
}
