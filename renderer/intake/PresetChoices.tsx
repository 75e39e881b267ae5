import { ChevronDown, Plus, X } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import { useStore } from 'zustand'
import { mostPresets } from '../../shared/contract/intake-records.ts'
import { presetTitle, type Preset } from '../../shared/presets.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { isSameRecipe } from '../presets/preset-commands.ts'
import { accountWords, recipeTags } from '../presets/recipe-words.ts'
import { IconButton } from '../ui/Button.tsx'
import { MenuButton } from '../ui/Menu.tsx'
import { Select } from '../ui/Select.tsx'
import { Tag } from '../ui/Tag.tsx'
import type { Choice } from './first-choice.ts'
import type { ColumnProps } from './FoundColumn.tsx'
import { t } from '../../shared/language/text.ts'

export interface PresetChoicesProps extends ColumnProps {
  readonly onEditSettings: () => void
}

type Other = Choice['others'][number]

function otherOf({ name, appId, settings, parameters }: Preset): Other {
  return { preset: name, recipe: { appId, settings, parameters: { ...parameters } } }
}

function Tags({ recipe }: { readonly recipe: Other['recipe'] }) {
  const account = accountWords(recipe)
  return (
    <div className="row g6 wrap tags">
      <Tag>{recipe.appId}</Tag>
      {recipeTags(recipe).map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
      {account !== undefined && <span className="t12 f3">{account}</span>}
    </div>
  )
}

/** The presets of the batch: the first, whose settings can be edited here, and others with which each picture is made too. */
export function PresetChoices({ choice, onChoose, onEditSettings }: PresetChoicesProps) {
  const { mirrors } = useWorkspace()
  const presets = useStore(mirrors.presets, ({ value }) => value.presets)
  const saved = presets.find(({ preset }) => preset.name === choice.preset)?.preset
  const isEdited = saved !== undefined && !isSameRecipe(saved, choice.recipe)
  return (
    <div className="preset-choice">
      <AriaButton className="link t12 edit-settings" onPress={onEditSettings}>
        {t`Edit settings`}
      </AriaButton>
      <Select
        label={t`Preset`}
        size="l"
        value={choice.preset ?? undefined}
        options={presets.map(({ preset }) => ({ id: preset.name, label: presetTitle(preset.name) }))}
        badge={isEdited ? <Tag>{t`edited`}</Tag> : undefined}
        onChange={(name) => {
          const preset = presets.find((one) => one.preset.name === name)?.preset
          if (!preset) return
          const { appId, settings, parameters } = preset
          onChoose({
            preset: name,
            recipe: { appId, settings, parameters: { ...parameters } },
            others: choice.others.filter((other) => other.preset !== name),
          })
        }}
      />
      <Tags recipe={choice.recipe} />
      <Others choice={choice} onChoose={onChoose} presets={presets.map(({ preset }) => preset)} />
    </div>
  )
}

interface OthersProps extends Pick<ColumnProps, 'choice' | 'onChoose'> {
  readonly presets: readonly Preset[]
}

function Others({ choice, onChoose, presets }: OthersProps) {
  const { others } = choice
  return (
    <>
      {others.length > 0 && (
        <ul className="other-presets" aria-label={t`Further presets`}>
          {others.map(({ preset, recipe }) => (
            <li key={preset} className="other-preset">
              <div className="grow">
                <bdi className="ell">{presetTitle(preset)}</bdi>
                <Tags recipe={recipe} />
              </div>
              <IconButton
                icon={<X size={14} />}
                label={t`Leave out ${presetTitle(preset)}`}
                onPress={() => onChoose({ others: others.filter((other) => other.preset !== preset) })}
              />
            </li>
          ))}
        </ul>
      )}
      <AddPresets choice={choice} onChoose={onChoose} presets={presets} />
    </>
  )
}

function AddPresets({ choice, onChoose, presets }: OthersProps) {
  const { others } = choice
  const possible = presets.filter(({ name }) => name !== choice.preset)
  if (possible.length === 0) return null
  const choose = (names: ReadonlySet<string>) => {
    // What was chosen before keeps its place and its settings; what is new comes behind it.
    const kept = others.filter(({ preset }) => names.has(preset))
    const added = presets.filter(({ name }) => names.has(name) && kept.every(({ preset }) => preset !== name))
    onChoose({ others: [...kept, ...added.map(otherOf)].slice(0, mostPresets - 1) })
  }
  const checks = possible.map(({ name }) => ({
    id: name,
    label: presetTitle(name),
    isChecked: others.some(({ preset }) => preset === name),
  }))
  return (
    <div className="row g8">
      <MenuButton
        label={t`Further presets`}
        placement="bottom start"
        entries={[{ kind: 'checks', id: 'presets', label: t`Further presets`, checks, onChange: choose }]}
      >
        <AriaButton className="inline-b t12">
          <Plus size={13} aria-hidden="true" />
          {t`Add a preset`}
          <ChevronDown size={12} aria-hidden="true" />
        </AriaButton>
      </MenuButton>
      {others.length > 0 && (
        <span className="t12 f3">
          {others.length < mostPresets - 1
            ? t`Each picture is made, and charged, once with each.`
            : t`${mostPresets} presets are the most.`}
        </span>
      )}
    </div>
  )
}
