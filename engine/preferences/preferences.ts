import { z } from 'zod'
import { preferencesSchema, type PreferencesRecord } from '../../shared/contract/preference-records.ts'
import { noOwnFiles, ownFilesSchema, type OwnFiles } from '../../shared/own-files.ts'
import { presetSchema, type Preset } from '../../shared/presets.ts'

/**
 * What a person has set once and for all, apart from any batch. Never the API key: that is in the vault. Stands behind
 * an interface because the desktop keeps it in a store of its own kind (design, section 2, Storage).
 */
export interface Preferences {
  /** Service address of the saved connection, as checked when it was saved. */
  readonly baseUrl: string | undefined
  /** Where outputs go unless told otherwise; absolute. */
  readonly outDir: string | undefined
  /** Address that the service is told to notify (interface, 4.1). */
  readonly webhookUrl: string | undefined
  /** Own presets, in the order in which they were saved. */
  readonly presets: readonly Preset[]
  /** Name of the preset that a connection starts with, by service address. */
  readonly defaultPresets: Readonly<Record<string, string>>
  /** Accounts and the practice service, in the order in which they were added. */
  readonly connections: readonly SavedConnection[]
  /** Id of the connection that a window works with. */
  readonly activeConnection: string | undefined
  /** How pictures of this computer reach the service; the storage's keys are in the vault. */
  readonly ownFiles: OwnFiles
  /** Whatever else a person has chosen in a window; what is absent is as it comes. */
  readonly chosen: Readonly<Partial<PreferencesRecord>>
}

const savedConnectionSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  kind: z.enum(['practice', 'account']),
  /** As checked when it was saved. */
  baseUrl: z.string().min(1),
  /** Under what the vault has its key; that of another account at the same address is kept apart. */
  vaultName: z.string(),
  /** Its number in the queue's store, once it was used. */
  storeId: z.number().int().nullable(),
})

/** A connection as it is kept; its key is in the vault. */
export type SavedConnection = z.infer<typeof savedConnectionSchema>

export type PreferencePatch = {
  readonly [Key in keyof Omit<Preferences, 'presets' | 'chosen' | 'outDir' | 'webhookUrl'>]?:
    | Preferences[Key]
    | undefined
} & { readonly [Key in keyof PreferencesRecord]?: PreferencesRecord[Key] | undefined }

/** Reads and writes preferences. Methods throw PreferencesError where the place cannot be read or written. */
export interface PreferenceStore {
  read(): Preferences
  /** Sets the given values; `undefined` removes one. */
  change(patch: PreferencePatch): void
  /** Adds a preset, in the place of one with the same name (whatever its case). */
  savePreset(preset: Preset): void
  /** False where there is none of this name. */
  removePreset(name: string): boolean
}

/** Preferences that cannot be read or written; the message is one sentence for a person. */
export class PreferencesError extends Error {
  override readonly name = 'PreferencesError'
}

/** Where raw values are kept: one JSON value a key. */
export interface RawValues {
  get(key: string): unknown
  set(key: string, value: unknown): void
  delete(key: string): void
}

const text = z.string().min(1)
const textByName = z.record(z.string(), text)

/**
 * Preferences over raw values. A value that is of no use counts as absent and is left where it is, so that a file of a
 * newer program loses nothing.
 */
export function preferencesOver(raw: RawValues): PreferenceStore {
  const listed = () => list(raw.get('presets'))
  return {
    read: () => ({
      baseUrl: text.safeParse(raw.get('baseUrl')).data,
      outDir: text.safeParse(raw.get('outDir')).data,
      webhookUrl: text.safeParse(raw.get('webhookUrl')).data,
      presets: listed().flatMap((entry) => presetSchema.safeParse(entry).data ?? []),
      defaultPresets: textByName.safeParse(raw.get('defaultPresets')).data ?? {},
      connections: list(raw.get('connections')).flatMap(
        (entry) => savedConnectionSchema.safeParse(entry).data ?? [],
      ),
      activeConnection: text.safeParse(raw.get('activeConnection')).data,
      ownFiles: ownFilesSchema.safeParse(raw.get('ownFiles')).data ?? noOwnFiles,
      chosen: chosenIn(raw),
    }),
    change(patch) {
      for (const [key, value] of Object.entries(patch)) {
        if (value === undefined || value === null) raw.delete(key)
        else raw.set(key, value)
      }
    },
    savePreset(preset) {
      const entries = listed()
      const at = entries.findIndex((entry) => named(entry, preset.name))
      raw.set('presets', at < 0 ? [...entries, preset] : entries.with(at, preset))
    },
    removePreset(name) {
      const entries = listed()
      const rest = entries.filter((entry) => !named(entry, name))
      if (rest.length === entries.length) return false
      raw.set('presets', rest)
      return true
    },
  }
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Each value judged by itself, so that one that is of no use does not cost the others. */
function chosenIn(raw: RawValues): Partial<PreferencesRecord> {
  return Object.fromEntries(
    Object.entries(preferencesSchema.shape).flatMap(([key, schema]) => {
      const parsed = schema.safeParse(raw.get(key))
      return parsed.success ? [[key, parsed.data]] : []
    }),
  )
}

function named(entry: unknown, name: string): boolean {
  const { data } = z.object({ name: z.string() }).safeParse(entry)
  return data !== undefined && samePresetName(data.name, name)
}

/** Names that a person would take for the same. */
export function samePresetName(a: string, b: string): boolean {
  const folded = (name: string) => name.trim().normalize('NFC').toLowerCase()
  return folded(a) === folded(b)
}
