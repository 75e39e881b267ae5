import { useStore } from 'zustand'
import { isRetoucher } from '../../shared/settings.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { AppSection } from '../settings/AppSection.tsx'
import { ParametersForm } from '../settings/ParametersForm.tsx'
import { changedRecipe, type Recipe, type RecipeChange } from '../settings/recipe.ts'
import { RetoucherSections } from '../settings/RetoucherSections.tsx'
import { rememberColor } from './remember-color.ts'
import { useApps } from './use-apps.ts'

export interface RecipeFormProps {
  readonly recipe: Recipe
  readonly onChange: (recipe: Recipe) => void
}

/** App and settings of one recipe: of a preset, or of a batch that has not begun. */
export function RecipeForm({ recipe, onChange }: RecipeFormProps) {
  const workspace = useWorkspace()
  const apps = useApps()
  const recent = useStore(workspace.mirrors.preferences, ({ value }) => value?.recentColors)
  const change = (next: RecipeChange) => onChange(changedRecipe(recipe, next))
  const app = apps.find(({ id }) => id === recipe.appId)
  return (
    <>
      <AppSection
        apps={apps}
        appId={recipe.appId}
        mixedApps={[recipe.appId]}
        onChange={(appId) => change({ appId })}
        isDisabled={false}
      />
      {isRetoucher(app ?? { id: recipe.appId }) ? (
        <RetoucherSections
          settings={recipe.settings}
          mixed={new Map()}
          onChange={change}
          recentColors={recent ?? []}
          onColorPicked={(color) => rememberColor(workspace, color)}
          isDisabled={false}
        />
      ) : (
        <ParametersForm
          key={recipe.appId}
          parameters={app?.parameters}
          values={recipe.parameters}
          onChange={(parameters) => change({ parameters })}
          isDisabled={false}
        />
      )}
    </>
  )
}
