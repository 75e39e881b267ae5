import { useStore } from 'zustand'
import { useWorkspace } from '../app/workspace-context.ts'
import { useApps } from '../presets/use-apps.ts'
import { usePresetBar } from '../presets/use-preset-bar.ts'
import { AppSection } from '../settings/AppSection.tsx'
import { ParametersForm } from '../settings/ParametersForm.tsx'
import { PresetBar } from '../settings/PresetBar.tsx'
import { changedRecipe, type RecipeChange } from '../settings/recipe.ts'
import { RetoucherSections } from '../settings/RetoucherSections.tsx'
import { isRetoucher } from '../../shared/settings.ts'
import { Button } from '../ui/Button.tsx'
import type { ColumnProps } from './FoundColumn.tsx'

export interface DraftSettingsProps extends ColumnProps {
  readonly onDone: () => void
}

/** The settings of a batch that has not begun, in place of what was found. */
export function DraftSettings({ choice, onChoose, onDone }: DraftSettingsProps) {
  const workspace = useWorkspace()
  const apps = useApps()
  const recent = useStore(workspace.mirrors.preferences, ({ value }) => value?.recentColors)
  const recipe = { ...choice.recipe }
  const change = (next: RecipeChange) => {
    const { appId, settings, parameters } = changedRecipe(recipe, next)
    onChoose({ recipe: { appId, settings, parameters: { ...parameters } } })
  }
  const presets = usePresetBar({
    recipe,
    current: choice.preset,
    onApply: ({ name, appId, settings, parameters }) =>
      onChoose({ preset: name, recipe: { appId, settings, parameters: { ...parameters } } }),
  })
  const app = apps.find(({ id }) => id === recipe.appId) ?? { id: recipe.appId, title: recipe.appId }
  return (
    <div className="draft-settings">
      <div className="row draft-settings-head">
        <h3>Settings</h3>
        <span className="sp" />
        <Button size="s" onPress={onDone}>
          Done
        </Button>
      </div>
      <PresetBar {...presets} />
      <AppSection
        apps={apps}
        appId={recipe.appId}
        mixedApps={[recipe.appId]}
        onChange={(appId) => change({ appId })}
        isDisabled={false}
      />
      {isRetoucher(app) ? (
        <RetoucherSections
          settings={recipe.settings}
          mixed={new Map()}
          onChange={change}
          recentColors={recent ?? []}
          onColorPicked={() => undefined}
          isDisabled={false}
        />
      ) : (
        <ParametersForm
          key={app.id}
          parameters={'parameters' in app ? app.parameters : undefined}
          values={recipe.parameters}
          onChange={(parameters) => change({ parameters })}
          isDisabled={false}
        />
      )}
    </div>
  )
}
