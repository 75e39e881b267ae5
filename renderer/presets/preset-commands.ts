import type { Preset } from '../../shared/presets.ts'
import { presetFileEnding } from '../../shared/presets.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { plural } from '../app/format.ts'
import type { Workspace } from '../app/workspace.ts'
import { t } from '../../shared/language/text.ts'

/** So many files that cannot be used are named; whoever drops a wrong folder needs no more. */
const mostProblems = 3

/** Reads a preset file and says under which name it is kept. */
export function importPreset(workspace: Workspace, text: string, shown: string) {
  return workspace.attempt(async () => {
    const { name } = await workspace.api.presets.import({ text, shown })
    workspace.say(t`Imported “${name}”`)
    return name
  })
}

/** Reads preset files that were dropped or chosen, and says in one sentence what became of them. */
export async function importPresetFiles(workspace: Workspace, files: readonly File[]) {
  const [first] = files
  if (files.length === 1 && first) return void (await importPreset(workspace, await first.text(), first.name))
  const names: string[] = []
  const problems: string[] = []
  for (const file of files) {
    try {
      const { name } = await workspace.api.presets.import({ text: await file.text(), shown: file.name })
      names.push(name)
    } catch (error) {
      problems.push(error instanceof Fault ? error.message : t`${file.name} could not be read.`)
    }
  }
  if (names.length > 0) workspace.say(t`Imported ${plural(names.length, 'preset')}: ${names.join(', ')}`)
  for (const problem of problems.slice(0, mostProblems)) workspace.say(problem)
}

/** Asks for preset files with the system's dialog. */
export function choosePresetFiles(workspace: Workspace): void {
  const field = document.createElement('input')
  field.type = 'file'
  field.multiple = true
  field.accept = `${presetFileEnding},application/json`
  field.addEventListener('change', () => void importPresetFiles(workspace, [...(field.files ?? [])]))
  field.click()
}

/** Saves a preset's file where the browser or the system puts downloads. */
export function exportPreset(workspace: Workspace, name: string) {
  return workspace.attempt(async () => {
    const { fileName, text } = await workspace.api.presets.export({ name })
    const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = address
    link.download = fileName
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
  })
}

export function savePreset(workspace: Workspace, preset: Preset, replace: boolean) {
  return workspace.attempt(async () => {
    await workspace.api.presets.save({ preset, replace })
    workspace.say(t`Saved “${preset.name}”`)
    return true
  })
}

/** Deletes a preset, with a way back. */
export function deletePreset(workspace: Workspace, preset: Preset) {
  return workspace.attempt(async () => {
    await workspace.api.presets.remove({ name: preset.name })
    workspace.say(t`Deleted “${preset.name}”`, async () => {
      await workspace.api.presets.save({ preset, replace: false })
    })
  })
}

export function duplicatePreset(workspace: Workspace, name: string) {
  return workspace.attempt(async () => (await workspace.api.presets.duplicate({ name })).name)
}

function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Whether two recipes would send the same: order of keys does not count. */
export function isSameRecipe(a: Omit<Preset, 'name'>, b: Omit<Preset, 'name'>): boolean {
  const sorted = (record: object) =>
    Object.entries(record)
      .filter(([, value]) => value !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
  return (
    a.appId === b.appId &&
    sameValue(sorted(a.settings), sorted(b.settings)) &&
    sameValue(sorted(a.parameters), sorted(b.parameters))
  )
}
