import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import type { PreferencesRecord } from '../../shared/contract/preference-records.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { dataFolder } from '../data-folder.ts'
import { defaultNameTemplate, parseNameTemplate } from '../delivery/names.ts'
import type { PreferencePatch } from '../preferences/preferences.ts'
import { metadataTrouble } from '../metadata/exiftool.ts'
import { defaultQueueSettings } from '../queue/parts.ts'
import { lookAtFolder } from './output-place.ts'
import type { InterfaceParts } from './parts.ts'
import type { Topic } from './topic.ts'
import { say } from '../../shared/language/say.ts'

/** How everything is until a person has chosen otherwise. */
function preferencesRecord({
  preferences,
  outDir,
}: Pick<InterfaceParts, 'preferences' | 'outDir'>): PreferencesRecord {
  return {
    outDir,
    nameTemplate: defaultNameTemplate,
    onConflict: 'rename',
    metadata: 'none',
    inFlight: null,
    frugal: false,
    webhookUrl: null,
    webhookPort: null,
    settleSeconds: defaultQueueSettings.settleMs / 1000,
    thumbnails: true,
    notifyFinished: true,
    notifyStopped: true,
    theme: 'system',
    language: 'system',
    surround: 'dark',
    letterKeys: true,
    keepZoom: true,
    updateChannel: 'stable',
    recentColors: [],
    ...preferences.read().chosen,
  }
}

/** @param topic rung whenever presets or preferences change */
export function preferenceHandlers(
  parts: InterfaceParts,
  topic: Topic,
  clearThumbnails: () => Promise<void>,
): Handlers<EngineContract>['preferences'] {
  const { preferences, home } = parts
  return {
    watch: (_, { signal }) => topic.follow(() => preferencesRecord(parts), signal),
    change: async (patch) => {
      await check(patch)
      preferences.change(patch)
      topic.ring()
      return {}
    },
    places: async () => {
      const places = [
        { title: say`Batches and what was charged`, path: dataFolder(home).queue },
        { title: say`Preferences and presets`, path: join(home, 'preferences.json') },
        { title: say`Small pictures`, path: join(home, 'thumbnails') },
        { title: say`Practice service`, path: join(home, 'practice') },
        { title: say`What went wrong`, path: join(home, 'errors.log') },
      ]
      return {
        places: await Promise.all(
          places.map(async (place) => ({ ...place, bytes: await bytesOf(place.path) })),
        ),
      }
    },
    clearThumbnails: async () => {
      await clearThumbnails()
      return {}
    },
    metadataTrouble: async () => ({ sentence: (await metadataTrouble()) ?? null }),
  }
}

async function check({ outDir, nameTemplate, webhookUrl }: PreferencePatch) {
  if (outDir !== undefined) {
    const { trouble } = await lookAtFolder(outDir)
    if (trouble !== null) throw new Fault('refused', trouble)
  }
  if (nameTemplate !== undefined) {
    const parsed = parseNameTemplate(nameTemplate)
    if (!parsed.ok) throw new Fault('refused', parsed.problem)
  }
  if (webhookUrl !== undefined && webhookUrl !== null) {
    const url = URL.parse(webhookUrl.trim())
    const right = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
    if (!right) {
      throw new Fault(
        'refused',
        say`The webhook address must be a web address without a name or password in it.`,
      )
    }
  }
}

/** Bytes of a file, or of what lies in a folder; null where there is nothing. */
async function bytesOf(path: string): Promise<number | null> {
  const about = await stat(path).catch(() => undefined)
  if (!about) return null
  if (!about.isDirectory()) return about.size
  let sum = 0
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue
    sum += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0
  }
  return sum
}
