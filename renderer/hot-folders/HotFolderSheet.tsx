import { Folder, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { presetTitle } from '../../shared/presets.ts'
import type { HotFolderRecord } from '../../shared/contract/hot-folder-records.ts'
import { plural } from '../app/format.ts'
import { PickFolder } from '../app/PickFolder.tsx'
import { useWorkspace } from '../app/workspace-context.ts'
import type { Workspace } from '../app/workspace.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Select } from '../ui/Select.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextField } from '../ui/TextField.tsx'
import { removeHotFolder, setPaused } from './hot-folder-menu.tsx'
import { said } from '../../shared/language/said.ts'
import { t } from '../../shared/language/text.ts'

/** What is typed and ticked. */
interface Form {
  readonly name: string
  readonly path: string
  readonly preset: string
  readonly outDir: string
  readonly budget: string
  readonly moveDone: boolean
  readonly polling: boolean
  readonly takeExisting: boolean
}

function formOf(workspace: Workspace, folder: HotFolderRecord | undefined): Form {
  if (folder) {
    const { budget } = folder
    return { ...folder, budget: budget === null ? '' : String(budget), takeExisting: false }
  }
  const { presets, default: byDefault } = workspace.mirrors.presets.getState().value
  return {
    name: '',
    path: '',
    preset: byDefault ?? presets[0]?.preset.name ?? '',
    outDir: '',
    budget: '',
    moveDone: true,
    polling: false,
    takeExisting: false,
  }
}

type Problems = Partial<Record<'path' | 'outDir' | 'budget', string>>

function problemsOf({ path, outDir, budget }: Form): Problems {
  const credits = Number(budget)
  return {
    ...(path.trim() === '' ? { path: t`Type the folder to watch, or choose it.` } : {}),
    ...(outDir.trim() === '' ? { outDir: t`Type a folder for the results, or choose it.` } : {}),
    ...(budget.trim() !== '' && !(Number.isInteger(credits) && credits >= 0)
      ? { budget: t`Type a whole number of credits, or nothing.` }
      : {}),
  }
}

async function save(workspace: Workspace, form: Form, folder: HotFolderRecord | undefined) {
  const { name, path, preset, outDir, budget, moveDone, polling, takeExisting } = form
  const credits = budget.trim() === '' ? null : Number(budget)
  const choices = { name, preset, outDir: outDir.trim(), budget: credits, moveDone, polling }
  const done = await workspace.attempt(async () => {
    if (folder) await workspace.api.hotFolders.change({ id: folder.id, ...choices })
    else await workspace.api.hotFolders.add({ ...choices, path: path.trim(), takeExisting })
    return true
  })
  if (done) workspace.closeOverlay()
}

interface FolderFieldProps {
  readonly label: string
  readonly note?: string
  readonly value: string
  readonly error: string | undefined
  readonly isDisabled?: boolean
  readonly autoFocus?: boolean
  readonly onChange: (path: string) => void
}

function FolderField({ label, note, value, error, isDisabled = false, ...rest }: FolderFieldProps) {
  const { autoFocus = false, onChange } = rest
  return (
    <TextField
      label={label}
      value={value}
      onChange={onChange}
      error={error}
      isDisabled={isDisabled}
      autoFocus={autoFocus}
      icon={<Folder size={15} className="f2" aria-hidden="true" />}
      {...(note === undefined ? {} : { note })}
      trailing={isDisabled ? undefined : <PickFolder title={label} current={value} onPick={onChange} />}
    />
  )
}

interface FieldsProps {
  readonly form: Form
  readonly problems: Problems
  readonly isNew: boolean
  readonly onChange: (change: Partial<Form>) => void
}

function Fields({ form, problems, isNew, onChange }: FieldsProps) {
  const { presets } = useStore(useWorkspace().mirrors.presets).value
  return (
    <div className="hot-form">
      <FolderField
        label={t`Folder to watch`}
        note={t`What is put in it becomes a batch and starts by itself: lists of addresses, shortcuts, and pictures where own files are set up.`}
        value={form.path}
        error={problems.path}
        isDisabled={!isNew}
        autoFocus={isNew}
        onChange={(path) => onChange({ path })}
      />
      <TextField
        label={t`Name`}
        placeholder={t`The folder’s name`}
        value={form.name}
        onChange={(name) => onChange({ name })}
      />
      <Select
        label={t`Preset`}
        size="l"
        options={presets.map(({ preset }) => ({ id: preset.name, label: presetTitle(preset.name) }))}
        value={form.preset}
        onChange={(preset) => onChange({ preset })}
      />
      <FolderField
        label={t`Output folder`}
        value={form.outDir}
        error={problems.outDir}
        onChange={(outDir) => onChange({ outDir })}
      />
      <TextField
        label={t`Budget a day`}
        note={t`Credits. Sending stops before more is charged, and goes on the next day. Leave it empty for none.`}
        value={form.budget}
        error={problems.budget}
        onChange={(budget) => onChange({ budget })}
      />
      <Ticks form={form} isNew={isNew} onChange={onChange} />
    </div>
  )
}

function Ticks({ form, isNew, onChange }: Omit<FieldsProps, 'problems'>) {
  return (
    <div className="hot-ticks">
      <Checkbox isSelected={form.moveDone} onChange={(moveDone) => onChange({ moveDone })}>
        {t`Move what is all done to a folder “Done”`}
      </Checkbox>
      <Checkbox isSelected={form.polling} onChange={(polling) => onChange({ polling })}>
        {t`It lies on a network drive`}
      </Checkbox>
      {isNew && (
        <Checkbox isSelected={form.takeExisting} onChange={(takeExisting) => onChange({ takeExisting })}>
          {t`Also take what lies in it already`}
        </Checkbox>
      )}
    </div>
  )
}

/** Sets a hot folder up, or changes one. */
export function HotFolderSheet({ id }: { readonly id: number | null }) {
  const workspace = useWorkspace()
  const { known, value } = useStore(workspace.mirrors.hotFolders)
  const folder = value.find((one) => one.id === id)
  if (id !== null && (!known || !folder)) return null
  return <OpenSheet key={id} folder={folder} />
}

function OpenSheet({ folder }: { readonly folder: HotFolderRecord | undefined }) {
  const workspace = useWorkspace()
  const [form, setForm] = useState(() => formOf(workspace, folder))
  const [isTried, setTried] = useState(false)
  const problems = problemsOf(form)
  const words = folder?.trouble ?? folder?.pictures
  const take = () => {
    setTried(true)
    if (Object.keys(problems).length === 0) void save(workspace, form, folder)
  }
  return (
    <Sheet
      title={folder ? t`Hot folder` : t`Watch a folder`}
      subtitle={
        folder &&
        t`Today: ${plural(folder.imagesToday, 'image')} · ${plural(folder.chargedToday, 'credit')} charged`
      }
      isOpen
      width={520}
      onClose={() => workspace.closeOverlay()}
      footer={
        <>
          {folder && <FolderButtons folder={folder} />}
          <span className="sp" />
          <Button variant="ghost" onPress={() => workspace.closeOverlay()}>
            {t`Cancel`}
          </Button>
          <Button variant="primary" size="l" onPress={take}>
            {folder ? t`Save` : t`Watch folder`}
          </Button>
        </>
      }
    >
      {words != null && (
        <p className="hot-trouble">
          <TriangleAlert size={15} className="amb" aria-hidden="true" />
          <span>{said(words)}</span>
        </p>
      )}
      <Fields
        form={form}
        problems={isTried ? problems : {}}
        isNew={!folder}
        onChange={(change) => setForm((before) => ({ ...before, ...change }))}
      />
    </Sheet>
  )
}

function FolderButtons({ folder }: { readonly folder: HotFolderRecord }) {
  const workspace = useWorkspace()
  const isPaused = folder.state === 'paused'
  return (
    <>
      <Button
        variant="ghost"
        onPress={() => {
          workspace.closeOverlay()
          void removeHotFolder(workspace, folder)
        }}
      >
        {t`Watch no more`}
      </Button>
      <Button variant="ghost" onPress={() => void setPaused(workspace, folder.id, !isPaused)}>
        {isPaused ? t`Resume` : t`Pause`}
      </Button>
    </>
  )
}
