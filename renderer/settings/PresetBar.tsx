import { Copy, Download, Ellipsis, Pencil, Save, Trash2, Undo2, Upload } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { presetSchema, presetTitle } from '../../shared/presets.ts'
import type { RetoucherSettings } from '../../shared/settings.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { MenuButton, type MenuEntry } from '../ui/Menu.tsx'
import { Select } from '../ui/Select.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Tag } from '../ui/Tag.tsx'
import { TextField } from '../ui/TextField.tsx'
import { t } from '../../shared/language/text.ts'

export interface PresetChoice {
  readonly name: string
  readonly settings: RetoucherSettings
  /** One that comes with the program: it can be duplicated, not changed. */
  readonly isBuiltIn: boolean
}

export interface PresetBarProps {
  readonly presets: readonly PresetChoice[]
  /** The preset that the settings come from; undefined where none, "mixed" where several. */
  readonly current: string | undefined
  readonly isMixed?: boolean
  /** The settings differ from the preset's. */
  readonly isEdited: boolean
  /** What a change reaches: "Changes apply to the 79 images still waiting." */
  readonly reach?: string
  readonly onChoose: (name: string) => void
  readonly onSave: () => void
  readonly onSaveAs: (name: string) => void
  readonly onRevert: () => void
  readonly onRename: (name: string) => void
  readonly onDuplicate: () => void
  readonly onDelete: () => void
  readonly onImport: () => void
  readonly onExport: () => void
}

/** What a preset does to the background, as a swatch. */
function PresetSwatch({ settings }: { readonly settings: RetoucherSettings }) {
  if (settings.bg_mode === 'transparent') return <span className="sw checker" aria-hidden="true" />
  if (settings.bg_mode !== 'solid') return <span className="sw none" aria-hidden="true" />
  const color = settings.bg_color
  return <span className="sw" aria-hidden="true" style={color === undefined ? {} : { background: color }} />
}

/** Why a name cannot be taken; undefined where it can. */
function nameProblem(name: string, taken: readonly string[]): string | undefined {
  const isName = presetSchema.safeParse({ name, appId: 'any', settings: {}, parameters: {} }).success
  if (!isName) return name.trim() === '' ? t`Type a name.` : t`A name has up to 80 characters, on one line.`
  return taken.includes(name.trim()) ? t`There is a preset of this name. Choose another.` : undefined
}

interface NameSheetProps {
  readonly title: string
  readonly action: string
  readonly initial: string
  readonly taken: readonly string[]
  readonly onName: (name: string) => void
  readonly onClose: () => void
}

function NameSheet({ title, action, initial, taken, onName, onClose }: NameSheetProps) {
  const [name, setName] = useState(initial)
  const [isTried, setTried] = useState(false)
  const problem = nameProblem(name, taken)
  const take = () => {
    setTried(true)
    if (problem !== undefined) return
    onName(name.trim())
    onClose()
  }
  return (
    <Sheet
      title={title}
      isOpen
      isDismissable
      onClose={onClose}
      width={400}
      footer={
        <>
          <span className="sp" />
          <Button variant="ghost" onPress={onClose}>
            {t`Cancel`}
          </Button>
          <Button variant="primary" size="l" onPress={take}>
            {action}
          </Button>
        </>
      }
    >
      <TextField
        label={t`Name`}
        value={name}
        onChange={setName}
        onEnter={take}
        autoFocus
        error={isTried ? problem : undefined}
      />
    </Sheet>
  )
}

type Naming = 'save-as' | 'rename'

function actionsOf(props: PresetBarProps, name: (naming: Naming) => void): readonly MenuEntry[] {
  const chosen = props.presets.find((preset) => preset.name === props.current)
  const isOwn = chosen !== undefined && !chosen.isBuiltIn
  const entry = (id: string, label: string, icon: ReactNode, isPossible: boolean, onAction: () => void) =>
    ({ kind: 'action', id, label, icon, isDisabled: !isPossible, onAction }) as const
  return [
    entry('save', t`Save`, <Save size={14} />, isOwn && props.isEdited, props.onSave),
    entry('save-as', t`Save as …`, <Save size={14} />, props.isMixed !== true, () => name('save-as')),
    entry('revert', t`Revert`, <Undo2 size={14} />, chosen !== undefined && props.isEdited, props.onRevert),
    { kind: 'line', id: 'line-1' },
    entry('rename', t`Rename …`, <Pencil size={14} />, isOwn, () => name('rename')),
    entry('duplicate', t`Duplicate`, <Copy size={14} />, chosen !== undefined, props.onDuplicate),
    { ...entry('delete', t`Delete`, <Trash2 size={14} />, isOwn, props.onDelete), tone: 'red' },
    { kind: 'line', id: 'line-2' },
    entry('import', t`Import …`, <Download size={14} />, true, props.onImport),
    entry('export', t`Export …`, <Upload size={14} />, chosen !== undefined, props.onExport),
  ]
}

/** The preset in use, whether it was edited, and all that can be done with presets. */
export function PresetBar(props: PresetBarProps) {
  const { presets, current, isEdited, isMixed = false, reach } = props
  const [naming, setNaming] = useState<Naming>()
  const names = presets.map((preset) => preset.name)
  // What is shown as the name of another would be taken for it.
  const titles = names.map(presetTitle)
  return (
    <div className="sect preset">
      <div className="row g8">
        <Select
          label={t`Preset`}
          hideLabel
          value={isMixed ? undefined : current}
          placeholder={isMixed ? t`Mixed presets` : t`No preset`}
          options={presets.map((preset) => ({
            id: preset.name,
            label: presetTitle(preset.name),
            icon: <PresetSwatch settings={preset.settings} />,
          }))}
          onChange={props.onChoose}
          badge={isEdited && !isMixed ? <Tag>{t`edited`}</Tag> : undefined}
        />
        <MenuButton label={t`Preset`} entries={actionsOf(props, setNaming)} placement="bottom end">
          <IconButton icon={<Ellipsis size={16} />} label={t`Preset actions`} />
        </MenuButton>
      </div>
      {reach !== undefined && <p className="reach">{reach}</p>}
      {naming !== undefined && (
        <NameSheet
          title={naming === 'rename' ? t`Rename preset` : t`Save as preset`}
          action={naming === 'rename' ? t`Rename` : t`Save`}
          initial={naming === 'rename' ? (current ?? '') : presetTitle(current ?? '')}
          taken={naming === 'rename' ? names.filter((name) => name !== current) : [...names, ...titles]}
          onName={naming === 'rename' ? props.onRename : props.onSaveAs}
          onClose={() => setNaming(undefined)}
        />
      )}
    </div>
  )
}
