import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Desk, Place, Wish } from '../../engine/integration/entries.ts'
import type { Launch } from '../../engine/integration/launch.ts'
import { allPresets, findPreset } from '../../engine/preferences/find-preset.ts'
import { plainText } from '../../shared/plain-text.ts'
import { exitStatus, type ExitStatus } from '../exit-status.ts'
import { repeated } from '../numbers.ts'
import { Problem, usageProblem } from '../problem.ts'
import { openPreferences, type Shell } from '../shell.ts'
import type { AddCommands } from './perform.ts'

interface InstallOptions {
  readonly preset?: readonly string[]
  readonly for?: readonly string[]
  readonly print?: boolean
}

/** `vitrine file-manager`: "Process with Vitrine" in the menus of the system's own file manager. */
export const addFileManager: AddCommands = (program, perform) => {
  const group = program
    .command('file-manager')
    .description('"Process with Vitrine" in the file manager of this computer: install, remove, list')
  const forOption = ['--for <ID>', 'this file manager (list names them); repeatable', repeated] as const
  group
    .command('install')
    .description(
      'write the entries, one for each preset; they open the program, and nothing is sent before Start',
    )
    .option(
      '--preset <NAME>',
      'an entry for this preset alone; repeatable (default: every own preset)',
      repeated,
    )
    .option(...forOption)
    .option('--print', 'show what would be written, and write nothing')
    .action(async (options: InstallOptions) => {
      await perform({}, async (shell) => await install(shell, options))
    })
  group
    .command('remove')
    .description('remove the entries again')
    .option(...forOption)
    .action(async (options: Pick<InstallOptions, 'for'>) => {
      await perform({}, async (shell) => await remove(shell, options))
    })
  group
    .command('list', { isDefault: true })
    .description('the file managers of this system, and the entries in each')
    .action(async () => await perform({}, list))
}

function deskOf({ io, overrides }: Shell): Desk {
  return {
    platform: overrides.platform ?? process.platform,
    userHome: io.env['HOME'] || homedir(),
    env: io.env,
    launch: overrides.launch ?? launchOfCheckout(),
  }
}

/** In a checkout the program is begun as `npm start` does. */
function launchOfCheckout(): Launch {
  const start = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))
  return { program: process.execPath, args: [start, 'scripts/open-program.ts'] }
}

async function install(shell: Shell, options: InstallOptions): Promise<ExitStatus> {
  const { terminal } = shell
  const { placesOf, isThere, installEntries, EntryTaken } =
    await import('../../engine/integration/file-manager.ts')
  const desk = deskOf(shell)
  const all = placesOf(desk)
  const places = options.for ? chosen(all, options.for) : all.filter((place) => isThere(place, desk))
  if (places.length === 0) {
    throw usageProblem(
      `None of these file managers is here: ${all.map(({ title }) => title).join(', ')}. Choose one with --for ${all[0]!.id}.`,
    )
  }
  const wishes = await wishesOf(shell, options.preset)
  for (const place of places) {
    if (options.print) {
      for (const { path, text } of place.files(wishes)) terminal.print(`# ${plainText(path, 4000)}\n${text}`)
      continue
    }
    const written = await changing(async () => await installEntries(place, wishes), EntryTaken)
    terminal.say(`${place.title}: ${written.length === 1 ? '1 entry' : `${written.length} entries`}`)
    for (const path of written) terminal.print(plainText(path, 4000))
  }
  return exitStatus.done
}

async function remove(shell: Shell, options: Pick<InstallOptions, 'for'>): Promise<ExitStatus> {
  const { terminal } = shell
  const { placesOf, removeEntries, EntryTaken } = await import('../../engine/integration/file-manager.ts')
  const all = placesOf(deskOf(shell))
  let count = 0
  for (const place of options.for ? chosen(all, options.for) : all) {
    const removed = await changing(async () => await removeEntries(place), EntryTaken)
    for (const path of removed) terminal.print(plainText(path, 4000))
    count += removed.length
  }
  terminal.say(count === 0 ? 'There was no entry of Vitrine.' : `Removed: ${count}`)
  return exitStatus.done
}

async function list(shell: Shell): Promise<ExitStatus> {
  const { terminal } = shell
  const { placesOf, isThere, entriesIn } = await import('../../engine/integration/file-manager.ts')
  const desk = deskOf(shell)
  for (const place of placesOf(desk)) {
    const entries = await entriesIn(place)
    const state = isThere(place, desk) ? `${entries.length} of Vitrine` : 'not here'
    terminal.print(`${place.id}  ${place.title}: ${state}`)
    for (const path of entries) terminal.print(`  ${plainText(path, 4000)}`)
  }
  return exitStatus.done
}

function chosen(all: readonly Place[], ids: readonly string[]): Place[] {
  return ids.map((id) => {
    const place = all.find((one) => one.id === id)
    if (place) return place
    throw usageProblem(
      `--for ${plainText(id, 40)} is no file manager of this system; there are ${all.map((one) => one.id).join(', ')}.`,
    )
  })
}

/** The plain entry, and one for each preset. */
async function wishesOf(shell: Shell, names: readonly string[] | undefined): Promise<Wish[]> {
  const own = (await openPreferences(shell)).read().presets
  const listed = names
    ? names.map((name) => {
        const found = findPreset(own, name)
        if (found) return found
        throw usageProblem(`There is no preset "${plainText(name, 80)}"; "vitrine presets" lists them.`)
      })
    : allPresets(own).filter(({ builtIn }) => own.length === 0 || !builtIn)
  return [{ preset: null }, ...listed.map(({ preset }) => ({ preset: preset.name }))]
}

async function changing<T>(change: () => Promise<T>, taken: new (path: string) => Error): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof taken) {
      throw new Problem(exitStatus.unwritable, `${error.message} Rename it, then try again.`)
    }
    const { code } = error as NodeJS.ErrnoException
    if (typeof code !== 'string') throw error
    throw new Problem(exitStatus.unwritable, `The entries could not be changed (${code}).`)
  }
}
