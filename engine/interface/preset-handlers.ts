import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import { plainText } from '../../shared/plain-text.ts'
import {
  formatPresetFile,
  parsePresetFile,
  presetFileEnding,
  presetSchema,
  type Preset,
} from '../../shared/presets.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { safeName } from '../delivery/safe-name.ts'
import { allPresets, findPreset } from '../preferences/find-preset.ts'
import { samePresetName, type PreferenceStore } from '../preferences/preferences.ts'
import type { ConnectionBook } from './connection-book.ts'
import { joined } from './joined.ts'
import type { Topic } from './topic.ts'
import { say } from '../../shared/language/say.ts'

const longestName = 80

/** @param topic rung whenever presets or preferences change */
export function presetHandlers(
  preferences: PreferenceStore,
  book: ConnectionBook,
  topic: Topic,
): Handlers<EngineContract>['presets'] {
  const own = () => preferences.read().presets
  const changed = (work: () => void) => {
    work()
    topic.ring()
    return {}
  }
  return {
    watch: (_, { signal }) =>
      joined(
        [topic, book.topic],
        () => ({ presets: allPresets(own()), default: defaultOf(preferences, book) }),
        signal,
      ),
    save: ({ preset, replace }) => {
      const there = findPreset(own(), preset.name)
      if (there && !replace) throw taken(there.preset.name)
      return changed(() => preferences.savePreset(preset))
    },
    rename: ({ name, to }) => changed(() => rename(preferences, name, to)),
    duplicate: ({ name }) => {
      const found = findPreset(own(), name)
      if (!found) throw gone(name)
      const copy = { ...found.preset, name: freeName(own(), `${found.preset.name} copy`) }
      changed(() => preferences.savePreset(copy))
      return { name: copy.name }
    },
    remove: ({ name }) => {
      ownPreset(own(), name)
      return changed(() => {
        preferences.removePreset(name)
        moveDefaults(preferences, name, undefined)
      })
    },
    setDefault: ({ name }) => changed(() => setDefault(preferences, book, name)),
    import: ({ text, shown }) => {
      const preset = imported(own(), text, shown)
      changed(() => preferences.savePreset(preset))
      return { name: preset.name }
    },
    export: ({ name }) => {
      const found = findPreset(own(), name)
      if (!found) throw gone(name)
      return {
        fileName: `${safeName(found.preset.name)}${presetFileEnding}`,
        text: formatPresetFile(found.preset),
      }
    },
  }
}

/** A preset file's preset under a name that is free. */
function imported(own: readonly Preset[], text: string, shown: string): Preset {
  const parsed = parsePresetFile(text)
  if (!parsed.ok) {
    throw new Fault(
      'refused',
      say`The preset file ${plainText(shown, 200)} cannot be used: ${parsed.problem}`,
    )
  }
  return { ...parsed.preset, name: freeName(own, parsed.preset.name) }
}

function rename(preferences: PreferenceStore, name: string, to: string) {
  const own = preferences.read().presets
  const preset = ownPreset(own, name)
  const other = findPreset(own, to)
  if (other && !samePresetName(to, name)) throw taken(other.preset.name)
  renamed(preferences, preset, nameOf(to))
  moveDefaults(preferences, name, to)
}

function setDefault(preferences: PreferenceStore, book: ConnectionBook, name: string | null) {
  const saved = book.active()
  if (!saved) throw new Fault('refused', say`Connect an account first: each has a default preset of its own.`)
  const { presets, defaultPresets } = preferences.read()
  if (name !== null && !findPreset(presets, name)) throw gone(name)
  const { [saved.baseUrl]: _, ...others } = defaultPresets
  preferences.change({ defaultPresets: name === null ? others : { ...others, [saved.baseUrl]: name } })
}

function defaultOf(preferences: PreferenceStore, book: ConnectionBook): string | null {
  const saved = book.active()
  const { defaultPresets, presets } = preferences.read()
  const name = saved && defaultPresets[saved.baseUrl]
  return (name !== undefined && findPreset(presets, name)?.preset.name) || null
}

/** Saved in its place, so that the list keeps its order. */
function renamed(preferences: PreferenceStore, preset: Preset, name: string) {
  const order = preferences
    .read()
    .presets.map((one) => (one === preset || samePresetName(one.name, preset.name) ? { ...one, name } : one))
  for (const one of preferences.read().presets) preferences.removePreset(one.name)
  for (const one of order) preferences.savePreset(one)
}

function moveDefaults(preferences: PreferenceStore, from: string, to: string | undefined) {
  const entries = Object.entries(preferences.read().defaultPresets)
  const kept = entries.flatMap(([address, name]): [string, string][] => {
    if (!samePresetName(name, from)) return [[address, name]]
    return to === undefined ? [] : [[address, to]]
  })
  preferences.change({ defaultPresets: Object.fromEntries(kept) })
}

function ownPreset(own: readonly Preset[], name: string): Preset {
  const found = findPreset(own, name)
  if (!found) throw gone(name)
  if (found.builtIn) {
    throw new Fault(
      'refused',
      say`${found.preset.name} comes with the program and stays as it is; duplicate it to change it.`,
    )
  }
  return found.preset
}

function nameOf(text: string): string {
  const parsed = presetSchema.safeParse({ name: text, appId: 'x', settings: {}, parameters: {} })
  if (!parsed.success) {
    throw new Fault(
      'refused',
      say`A preset's name has from 1 to ${longestName} letters and no control characters.`,
    )
  }
  return parsed.data.name
}

function freeName(own: readonly Preset[], wanted: string): string {
  const start = wanted.slice(0, longestName - 5).trim()
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? wanted.slice(0, longestName).trim() : `${start} ${n}`
    if (!findPreset(own, name)) return name
  }
}

function taken(name: string): Fault {
  return new Fault('refused', say`There is already a preset called ${name}.`)
}

function gone(name: string): Fault {
  return new Fault('gone', say`There is no preset called ${plainText(name, 80)} any more.`)
}
