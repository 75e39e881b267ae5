import type { ReactNode } from 'react'
import { isRetoucher } from '../../shared/settings.ts'
import { AppSection, type AppChoice } from './AppSection.tsx'
import { CostLine, type CostLineProps } from './CostLine.tsx'
import { ParametersForm } from './ParametersForm.tsx'
import { PresetBar, type PresetBarProps } from './PresetBar.tsx'
import type { RecipeChange, SharedRecipe } from './recipe.ts'
import { RetoucherSections } from './RetoucherSections.tsx'

export interface SettingsInspectorProps {
  /** Which batch or selection it is: with another one, what was being typed and the link between pads start anew. */
  readonly subject?: string
  /** What is edited: one recipe, or what several images share (`sharedRecipe`). */
  readonly shared: SharedRecipe
  /** One change at a time; apply it to every image's recipe (`changedRecipe`). */
  readonly onChange: (change: RecipeChange) => void
  /** The catalogue; retouchers first stand side by side, the rest under More. */
  readonly apps: readonly AppChoice[]
  readonly presets: PresetBarProps
  readonly cost: CostLineProps
  /** Above the settings: the preview, or how many images are selected. */
  readonly preview?: ReactNode
  readonly recentColors?: readonly string[]
  readonly onColorPicked?: (color: string) => void
  /** Nothing that is shown can be changed any more. */
  readonly isDisabled?: boolean
}

const ignorePick = () => undefined

/** The settings of a batch or a selection: preset, app, every key, and what it costs. It keeps nothing itself. */
export function SettingsInspector(props: SettingsInspectorProps) {
  const { shared, onChange, apps, isDisabled = false } = props
  const { recipe, mixed } = shared
  const app = apps.find(({ id }) => id === recipe.appId) ?? { id: recipe.appId, title: recipe.appId }
  return (
    <>
      <div className="insp-body">
        {props.preview}
        <PresetBar {...props.presets} />
        <AppSection
          apps={apps}
          appId={recipe.appId}
          mixedApps={shared.apps}
          onChange={(appId) => onChange({ appId })}
          isDisabled={isDisabled}
        />
        {isRetoucher(app) ? (
          <RetoucherSections
            key={props.subject ?? ''}
            settings={recipe.settings}
            mixed={mixed}
            onChange={onChange}
            recentColors={props.recentColors ?? []}
            onColorPicked={props.onColorPicked ?? ignorePick}
            isDisabled={isDisabled}
          />
        ) : (
          <ParametersForm
            key={`${props.subject ?? ''} ${app.id}`}
            parameters={app.parameters}
            values={recipe.parameters}
            onChange={(parameters) => onChange({ parameters })}
            isDisabled={isDisabled}
          />
        )}
      </div>
      <CostLine {...props.cost} />
    </>
  )
}
