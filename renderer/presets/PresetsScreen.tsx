import { Copy, Download, Ellipsis, Pencil, SlidersHorizontal, Star, Trash2, Upload } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { presetFileEnding, presetTitle, type Preset } from '../../shared/presets.ts'
import type { SavedPreset } from '../app/mirrors.ts'
import type { Workspace } from '../app/workspace.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/class-names.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { MenuButton, type MenuEntry } from '../ui/Menu.tsx'
import { Tag } from '../ui/Tag.tsx'
import { choosePresetFiles, deletePreset, duplicatePreset, exportPreset } from './preset-commands.ts'
import { PresetEditor } from './PresetEditor.tsx'
import { RenamePreset } from './RenamePreset.tsx'
import { accountWords, recipeTags } from './recipe-words.ts'
import { t } from '../../shared/language/text.ts'

function Swatch({ preset }: { readonly preset: Preset }) {
  const { bg_mode: mode, bg_color: color } = preset.settings
  if (mode === 'transparent') return <span className="sw checker" aria-hidden="true" />
  if (mode !== 'solid') return <span className="sw none" aria-hidden="true" />
  return <span className="sw" aria-hidden="true" style={color === undefined ? {} : { background: color }} />
}

interface MenuParts {
  readonly workspace: Workspace
  readonly saved: SavedPreset
  readonly isDefault: boolean
  readonly onRename: () => void
  readonly onOpen: (name: string) => void
}

function presetMenu({ workspace, saved, isDefault, onRename, onOpen }: MenuParts): readonly MenuEntry[] {
  const { preset, builtIn } = saved
  const size = 14
  return [
    {
      kind: 'action',
      id: 'default',
      label: isDefault ? t`No default` : t`Use as default`,
      icon: <Star size={size} />,
      onAction: () =>
        void workspace.attempt(() =>
          workspace.api.presets.setDefault({ name: isDefault ? null : preset.name }),
        ),
    },
    {
      kind: 'action',
      id: 'duplicate',
      label: t`Duplicate`,
      icon: <Copy size={size} />,
      onAction: () =>
        void duplicatePreset(workspace, preset.name).then((name) => name !== undefined && onOpen(name)),
    },
    {
      kind: 'action',
      id: 'rename',
      label: t`Rename`,
      icon: <Pencil size={size} />,
      isDisabled: builtIn,
      onAction: onRename,
    },
    {
      kind: 'action',
      id: 'export',
      label: t`Export`,
      icon: <Upload size={size} />,
      onAction: () => void exportPreset(workspace, preset.name),
    },
    { kind: 'line', id: 'line' },
    {
      kind: 'action',
      id: 'delete',
      label: t`Delete`,
      icon: <Trash2 size={size} />,
      tone: 'red',
      isDisabled: builtIn,
      onAction: () => void deletePreset(workspace, preset),
    },
  ]
}

interface CardProps {
  readonly saved: SavedPreset
  readonly isDefault: boolean
  readonly isOpen: boolean
  readonly onOpen: (name: string) => void
}

function PresetCard({ saved, isDefault, isOpen, onOpen }: CardProps) {
  const workspace = useWorkspace()
  const [isRenaming, setRenaming] = useState(false)
  const { preset, builtIn } = saved
  const tags = recipeTags(preset)
  const title = presetTitle(preset.name)
  return (
    <li className={classes('preset-card', isOpen && 'on')}>
      <button type="button" className="preset-open" aria-pressed={isOpen} onClick={() => onOpen(preset.name)}>
        <span className="row g8">
          <Swatch preset={preset} />
          <bdi className="m ell" title={title}>
            {title}
          </bdi>
          {builtIn && <Tag tone="line">{t`built in`}</Tag>}
          {isDefault && <Tag tone="accent">{t`default`}</Tag>}
        </span>
        <span className="row g6 wrap">
          <Tag>{preset.appId}</Tag>
          {tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
          <span className="t11 f3">{accountWords(preset)}</span>
        </span>
      </button>
      <MenuButton
        label={title}
        placement="bottom end"
        entries={presetMenu({ workspace, saved, isDefault, onOpen, onRename: () => setRenaming(true) })}
      >
        <IconButton icon={<Ellipsis size={16} />} label={t`More about ${title}`} />
      </MenuButton>
      {isRenaming && (
        <RenamePreset
          name={preset.name}
          onDone={(to) => {
            setRenaming(false)
            if (to !== undefined && isOpen) onOpen(to)
          }}
        />
      )}
    </li>
  )
}

/** Every preset: to look at, change, rename, share. Files may be dropped anywhere on the page. */
export function PresetsScreen() {
  const workspace = useWorkspace()
  const { known, value } = useStore(workspace.mirrors.presets)
  const [open, setOpen] = useState<string>()
  const chosen = value.presets.find(({ preset }) => preset.name === open) ?? value.presets[0]
  return (
    <>
      <main className="main" aria-label={t`Presets`}>
        <header className="head" data-region="header">
          <h1>{t`Presets`}</h1>
          <span className="sp" />
          <Button icon={<Download size={14} />} onPress={() => choosePresetFiles(workspace)}>
            {t`Import`}
          </Button>
        </header>
        <div className="presets" data-region="presets">
          {known && value.presets.length === 0 ? (
            <EmptyState
              art={<SlidersHorizontal size={28} aria-hidden="true" />}
              title={t`No presets`}
              actions={<Button onPress={() => choosePresetFiles(workspace)}>{t`Import`}</Button>}
            >
              {t`Settings that you save under a name appear here.`}
            </EmptyState>
          ) : (
            <>
              <ul className="preset-list">
                {value.presets.map((saved) => (
                  <PresetCard
                    key={saved.preset.name}
                    saved={saved}
                    isDefault={value.default === saved.preset.name}
                    isOpen={chosen === saved}
                    onOpen={setOpen}
                  />
                ))}
              </ul>
              <p className="t12 f3">
                {t`Drop ${presetFileEnding} files anywhere to import them. A change of a preset reaches no batch that has already begun.`}
              </p>
            </>
          )}
        </div>
      </main>
      {chosen && <PresetEditor key={chosen.preset.name} saved={chosen} onOpen={setOpen} />}
    </>
  )
}
