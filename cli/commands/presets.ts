import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { safeName } from '../../engine/delivery/safe-name.ts'
import { allPresets, findPreset, type ListedPreset } from '../../engine/preferences/find-preset.ts'
import { samePresetName, type PreferenceStore } from '../../engine/preferences/preferences.ts'
import { plainText } from '../../shared/plain-text.ts'
import { formatPresetFile, presetFileEnding, presetSchema, type Preset } from '../../shared/presets.ts'
import { agree } from '../consent.ts'
import { exitStatus, type ExitStatus } from '../exit-status.ts'
import { repeated } from '../numbers.ts'
import { Problem, usageProblem } from '../problem.ts'
import { chooseRecipe, readPresetFile } from '../recipe.ts'
import { openPreferences, type Shell } from '../shell.ts'
import { table } from '../table.ts'
import { jsonOption, yesOption, type AddCommands } from './perform.ts'

interface SaveOptions {
  readonly app?: string
  readonly preset?: string
  readonly set?: readonly string[]
  readonly yes?: boolean
}

/** `vitrine presets`: named settings, kept in the data folder. */
export const addPresets: AddCommands = (program, perform) => {
  const presets = program.command('presets').description('named settings: list, show, save, import, export')
  presets
    .command('list', { isDefault: true })
    .description('all presets')
    .option(...jsonOption)
    .action(async (options: { json?: boolean }) => await perform(options, list))
  presets
    .command('show')
    .description('one preset')
    .argument('<NAME>')
    .option(...jsonOption)
    .action(async (name: string, options: { json?: boolean }) => {
      await perform(options, async (shell) => await show(shell, name))
    })
  presets
    .command('save')
    .description('save an app and settings under a name')
    .argument('<NAME>')
    .option('--app <ID>', "the app (else the preset's)")
    .option('--preset <NAME|FILE>', 'a preset to start from')
    .option('--set <KEY=VALUE>', 'one parameter; repeatable; JSON value, else a string', repeated)
    .option(...yesOption)
    .action(async (name: string, options: SaveOptions) => {
      await perform({}, async (shell) => await save(shell, name, options))
    })
  presets
    .command('import')
    .description('take presets from files, or from every preset file in a folder')
    .argument('<FILE|FOLDER...>')
    .option(...yesOption)
    .action(async (files: string[], options: { yes?: boolean }) => {
      await perform({}, async (shell) => await importPack(shell, files, options.yes))
    })
  presets
    .command('export')
    .description('write a preset to a file, or to - (stdout)')
    .argument('<NAME>')
    .argument('[FILE]', `default: NAME${presetFileEnding}`)
    .option(...yesOption)
    .action(async (name: string, file: string | undefined, options: { yes?: boolean }) => {
      await perform({}, async (shell) => await exportFile(shell, name, file, options.yes))
    })
}

function recordOf({ preset, builtIn }: ListedPreset) {
  const { name, appId, settings, parameters } = preset
  return { name, builtIn, app: appId, settings, parameters }
}

function settingsText({ settings, parameters }: Preset): string {
  const all = Object.entries({ ...settings, ...parameters })
  return (
    all.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(' ') || '(everything up to the account)'
  )
}

async function list(shell: Shell): Promise<ExitStatus> {
  const all = allPresets((await openPreferences(shell)).read().presets)
  if (shell.json) for (const entry of all) shell.terminal.json(recordOf(entry))
  else {
    const rows = all.map(({ preset, builtIn }) => {
      return [preset.name, builtIn ? 'built in' : 'own', preset.appId, settingsText(preset)]
    })
    for (const line of table(['Preset', '', 'App', 'Settings'], rows)) shell.terminal.print(line)
  }
  return exitStatus.done
}

function presetNamed(store: PreferenceStore, name: string): ListedPreset {
  const own = store.read().presets
  const found = findPreset(own, name)
  if (found) return found
  const names = allPresets(own).map(({ preset }) => preset.name)
  throw usageProblem(`There is no preset "${plainText(name, 80)}"; there are ${names.join(', ')}.`)
}

async function show(shell: Shell, name: string): Promise<ExitStatus> {
  const found = presetNamed(await openPreferences(shell), name)
  if (shell.json) {
    shell.terminal.json(recordOf(found))
    return exitStatus.done
  }
  const { preset, builtIn } = found
  shell.terminal.print(
    `${plainText(preset.name)}${builtIn ? ' (built in)' : ''}, app ${plainText(preset.appId)}`,
  )
  for (const [key, value] of Object.entries({ ...preset.settings, ...preset.parameters })) {
    shell.terminal.print(`  ${plainText(key, 60).padEnd(20)} ${plainText(JSON.stringify(value))}`)
  }
  return exitStatus.done
}

async function save(shell: Shell, name: string, options: SaveOptions): Promise<ExitStatus> {
  const store = await openPreferences(shell)
  const chosen = chooseRecipe(options, store.read(), shell.io.cwd)
  for (const word of chosen.words) shell.terminal.say(word)
  const { appId, parameters } = chosen.recipe
  return await keep(shell, store, { name, appId, settings: chosen.chosen, parameters }, options.yes)
}

/** A pack is good as a whole: every file is read and judged before the first preset is saved. */
async function importPack(
  shell: Shell,
  given: readonly string[],
  yes: boolean | undefined,
): Promise<ExitStatus> {
  const { presetFilesIn } = await import('../preset-files.ts')
  const files = given.flatMap((file) => presetFilesIn(file, shell.io.cwd))
  const presets = files.map(({ path, shown }) => readPresetFile(path, shown))
  const store = await openPreferences(shell)
  const own = store.read().presets
  for (const [index, preset] of presets.entries()) {
    const twin = presets.findIndex(({ name }) => samePresetName(name, preset.name))
    if (twin < index) {
      throw usageProblem(
        `${files[twin]!.shown} and ${files[index]!.shown} both hold a preset "${preset.name}"; leave one out.`,
      )
    }
    if (findPreset(own, preset.name)?.builtIn) throw builtInProblem(preset.name)
  }
  for (const preset of presets) await keep(shell, store, preset, yes)
  return exitStatus.done
}

function builtInProblem(name: string) {
  return usageProblem(`"${name}" is the name of a built-in preset; take another.`)
}

async function keep(
  shell: Shell,
  store: PreferenceStore,
  given: Preset,
  yes: boolean | undefined,
): Promise<ExitStatus> {
  const checked = presetSchema.safeParse(given)
  if (!checked.success) {
    throw usageProblem('A preset needs a name of 1 to 80 characters without control characters.')
  }
  const preset = checked.data
  const there = findPreset(store.read().presets, preset.name)
  if (there?.builtIn) throw builtInProblem(there.preset.name)
  if (there) await agree(shell, `Replace the preset "${there.preset.name}"?`, yes)
  store.savePreset(preset)
  shell.terminal.say(`The preset "${preset.name}" is saved.`)
  return exitStatus.done
}

async function exportFile(
  shell: Shell,
  name: string,
  file: string | undefined,
  yes: boolean | undefined,
): Promise<ExitStatus> {
  const { preset } = presetNamed(await openPreferences(shell), name)
  const text = formatPresetFile(preset)
  if (file === '-') {
    shell.terminal.print(text.trimEnd())
    return exitStatus.done
  }
  const path = resolve(shell.io.cwd, file ?? `${safeName(preset.name)}${presetFileEnding}`)
  try {
    // Made by this call or not at all: a file of that name is only replaced on the person's word.
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    if (code !== 'EEXIST') throw new Problem(exitStatus.unwritable, `${path} cannot be written (${code}).`)
    await agree(shell, `${path} is there already. Replace it?`, yes)
    replaceFile(path, text)
  }
  shell.terminal.say(`The preset "${preset.name}" is in ${path}`)
  return exitStatus.done
}

function replaceFile(path: string, text: string) {
  try {
    writeFileSync(path, text)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    throw new Problem(exitStatus.unwritable, `${path} cannot be written (${code}).`)
  }
}
