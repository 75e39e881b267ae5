import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { allPresets, findPreset } from '../engine/preferences/find-preset.ts'
import type { Preferences } from '../engine/preferences/preferences.ts'
import type { Recipe } from '../engine/store/rows.ts'
import { mostPresets } from '../shared/contract/intake-records.ts'
import { plainText } from '../shared/plain-text.ts'
import { parsePresetFile, presetFileEnding, type Preset } from '../shared/presets.ts'
import {
  checkSetting,
  effectiveSettings,
  isRetoucher,
  settingRule,
  type RetoucherSettings,
  type SettingValue,
} from '../shared/settings.ts'
import { nearestSetting } from './near-miss.ts'
import { usageProblem } from './problem.ts'

export interface RecipeOptions {
  readonly app?: string | undefined
  readonly preset?: string | undefined
  readonly set?: readonly string[] | undefined
}

export interface ChosenRecipe {
  readonly recipe: Recipe
  /** Everything that was chosen, also what the service would ignore: what a preset keeps. */
  readonly chosen: RetoucherSettings
  readonly presetName: string | null
  /** Words on what was clamped or dropped. */
  readonly words: readonly string[]
}

/** Keys that the program fills in itself. */
const ownKeys: Readonly<Record<string, string>> = {
  image: 'the pictures are the SOURCE arguments',
  webhook_url: 'use --webhook-url',
  app_id: 'use --app',
}
const presetFileMost = 1024 * 1024

/**
 * The app and settings that a command names, checked against the table of 4.7 without the network.
 * @throws Problem (64)
 */
export function chooseRecipe(
  options: RecipeOptions,
  preferences: Preferences,
  cwd: string,
  baseUrl?: string,
): ChosenRecipe {
  const byDefault = options.app === undefined && baseUrl ? preferences.defaultPresets[baseUrl] : undefined
  const presetName = options.preset ?? byDefault
  const preset = presetName === undefined ? undefined : loadPreset(presetName, preferences.presets, cwd)
  const appId = options.app?.trim() ?? preset?.appId
  if (!appId) {
    throw usageProblem('No app is chosen: name one with --app ID, or a preset with --preset NAME.')
  }
  const words: string[] = []
  const set = readSettings(options.set ?? [], appId, words)
  const chosen = { ...preset?.settings, ...set.settings }
  const { sent, ignored } = effectiveSettings(chosen)
  for (const { key, unless } of ignored) {
    words.push(`${key} is not sent: it only counts where ${unless}.`)
  }
  return {
    recipe: { appId, settings: sent, parameters: { ...preset?.parameters, ...set.parameters } },
    chosen,
    presetName: preset?.name ?? null,
    words,
  }
}

/**
 * The presets that `run` is given, each with `--app` and `--set` applied; one where none or one is named.
 * @throws Problem (64)
 */
export function chooseRecipes(
  {
    preset = [],
    ...options
  }: Omit<RecipeOptions, 'preset'> & { readonly preset?: readonly string[] | undefined },
  preferences: Preferences,
  cwd: string,
  baseUrl: string,
): readonly ChosenRecipe[] {
  const names: readonly (string | undefined)[] = preset.length === 0 ? [undefined] : preset
  const chosen = names.map((name) => chooseRecipe({ ...options, preset: name }, preferences, cwd, baseUrl))
  if (chosen.length > mostPresets) {
    throw usageProblem(`A batch has up to ${mostPresets} presets, and ${chosen.length} are named.`)
  }
  return chosen
}

/** What can be said of `--set` before the address, and so the default preset and its app, is known. @throws Problem (64) */
export function checkSettings(options: Pick<RecipeOptions, 'app' | 'set'>) {
  readSettings(options.set ?? [], options.app?.trim() ?? '', [])
}

interface ReadSettings {
  readonly settings: RetoucherSettings
  readonly parameters: Readonly<Record<string, unknown>>
}

function readSettings(texts: readonly string[], appId: string, words: string[]): ReadSettings {
  const settings: Record<string, SettingValue> = {}
  const parameters: Record<string, unknown> = {}
  for (const text of texts) {
    const [key, value] = splitSetting(text)
    const rule = settingRule(key)
    if (!rule) {
      refuseUnknown(key, appId)
      if (hasInfinite(value)) {
        throw usageProblem(`--set ${plainText(text, 80)}: ${plainText(key, 60)} must be a finite number.`)
      }
      parameters[key] = value
      continue
    }
    const checked = checkSetting(rule, value)
    if (!checked.ok) throw usageProblem(`--set ${plainText(text, 80)}: ${checked.problem}`)
    if (checked.clampedFrom !== undefined) {
      const range = rule.kind === 'number' ? ` (${rule.min} to ${rule.max})` : ''
      words.push(`${key} ${checked.clampedFrom} is out of range${range}: ${String(checked.value)} is used.`)
    }
    settings[key] = checked.value
  }
  return { settings, parameters }
}

function splitSetting(text: string): [string, unknown] {
  const at = text.indexOf('=')
  const key = at < 0 ? '' : text.slice(0, at).trim()
  if (key === '') {
    throw usageProblem(
      `--set ${plainText(text, 80)}: it must have the form KEY=VALUE, such as bg_mode=solid.`,
    )
  }
  if (['__proto__', 'constructor', 'prototype'].includes(key)) {
    throw usageProblem(`--set ${key}: no parameter has this name.`)
  }
  const value = text.slice(at + 1)
  try {
    return [key, JSON.parse(value) as unknown]
  } catch {
    return [key, value]
  }
}

/** A number such as 1e999 reads as infinite, and would be sent as null. */
function hasInfinite(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinite)
}

/** A retoucher takes no other keys, and a near miss of one of its keys is a slip whatever the app. */
function refuseUnknown(key: string, appId: string) {
  const own = ownKeys[key]
  if (own !== undefined) throw usageProblem(`--set ${key}: it cannot be set; ${own}.`)
  const near = nearestSetting(key)
  const shown = plainText(key, 60)
  if (near !== undefined) throw usageProblem(`--set ${shown}: unknown setting; did you mean ${near}?`)
  if (isRetoucher({ id: appId })) {
    throw usageProblem(
      `--set ${shown}: unknown setting of ${plainText(appId, 60)}; "vitrine run --help" lists those there are.`,
    )
  }
}

/** A preset by name (own, then built-in, whatever the case), or from a file. */
function loadPreset(nameOrFile: string, own: readonly Preset[], cwd: string): Preset {
  const named = findPreset(own, nameOrFile)
  if (named) return named.preset
  const shown = plainText(nameOrFile, 300)
  const isPath = nameOrFile.toLowerCase().endsWith(presetFileEnding) || /[\\/]/.test(nameOrFile)
  const path = resolve(cwd, nameOrFile)
  if (!isPath && !isFile(path)) {
    const names = allPresets(own).map(({ preset }) => preset.name)
    throw usageProblem(`There is no preset "${shown}"; there are ${names.join(', ')}, or give a preset file.`)
  }
  return readPresetFile(path, shown)
}

/** @throws Problem (64) that names the file and what is wrong with it. */
export function readPresetFile(path: string, shown: string): Preset {
  let text: string
  try {
    if (statSync(path).size > presetFileMost) throw usageProblem(`${shown} is too large for a preset file.`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === undefined) throw error
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : code
    throw usageProblem(`The preset file ${shown} cannot be read: ${why}.`)
  }
  const parsed = parsePresetFile(text)
  if (!parsed.ok) throw usageProblem(`The preset file ${shown} cannot be used: ${parsed.problem}`)
  return parsed.preset
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
