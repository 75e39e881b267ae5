import type { z } from 'zod'
import type { draftChoiceSchema, FoundRecord } from '../../shared/contract/intake-records.ts'
import { builtInPresets, type Preset } from '../../shared/presets.ts'
import { day } from '../app/format.ts'
import type { Mirrors } from '../app/mirrors.ts'
import { t } from '../../shared/language/text.ts'

/** Everything that a person chooses before Start. */
export type Choice = z.output<typeof draftChoiceSchema>

/** The folder of a batch in the folder for all of them; a name from a drop may hold what no folder's name may. */
export function folderFor(outDir: string, name: string): string {
  const separator = outDir.includes('\\') && !outDir.includes('/') ? '\\' : '/'
  const safe = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[. ]+$/, '')
  if (outDir === '' || safe === '') return outDir
  return `${outDir.replace(/[\\/]+$/, '')}${separator}${safe}`
}

/** The preset a new batch starts with: the one asked for, else the connection's default, else the first one. */
function startingPreset({ presets }: Pick<Mirrors, 'presets'>, asked: string | undefined): Preset {
  const { presets: saved, default: usual } = presets.getState().value
  const named = (name: string | null | undefined) => saved.find(({ preset }) => preset.name === name)
  const found = named(asked) ?? named(usual) ?? saved[0]
  return found?.preset ?? builtInPresets[0]!
}

/**
 * What the sheet starts with: everything found, the preset of the connection, the folders and names of the settings.
 * @param asked name of a preset that goes before the connection's
 */
export function firstChoice(
  found: FoundRecord,
  mirrors: Pick<Mirrors, 'preferences' | 'presets' | 'batches'>,
  addTo: string | null,
  asked?: string,
): Choice {
  const preferences = mirrors.preferences.getState().value
  const preset = startingPreset(mirrors, asked)
  const name = found.suggestedName || t`Batch of ${day(Date.now())}`
  const target = addTo === null ? undefined : mirrors.batches.getState().value.byId.get(addTo)
  return {
    draft: found.draft,
    without: [],
    repairs: [],
    includeDuplicates: false,
    again: false,
    addTo: target?.id ?? null,
    name: target?.name ?? name,
    preset: preset.name,
    recipe: { appId: preset.appId, settings: preset.settings, parameters: { ...preset.parameters } },
    others: [],
    outDir: target?.outDir ?? folderFor(preferences?.outDir ?? '', name),
    nameTemplate: preferences?.nameTemplate ?? '{folder}/{name}{suffix}.{ext}',
    onConflict: preferences?.onConflict ?? 'rename',
    metadata: preferences?.metadata ?? 'none',
    budget: null,
    test: null,
  }
}
