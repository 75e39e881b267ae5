import { join } from 'node:path'
import Conf from 'conf'
import { preferencesOver, PreferencesError, type PreferenceStore, type RawValues } from './preferences.ts'

/**
 * Preferences in `preferences.json` of the data folder, written whole and atomically. The file is made at the first
 * change.
 */
export function openPreferenceFile(home: string): PreferenceStore {
  const path = join(home, 'preferences.json')
  const guarded = <T>(what: 'read' | 'written', work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw new PreferencesError(faultSentence(path, what, error), { cause: error })
    }
  }
  const file = guarded(
    'read',
    () =>
      new Conf<Record<string, unknown>>({
        cwd: home,
        configName: 'preferences',
        accessPropertiesByDotNotation: false,
        // A file that a person broke by hand is shown to them; presets are not thrown away for a comma.
        clearInvalidConfig: false,
        configFileMode: 0o600,
      }),
  )
  const raw: RawValues = {
    get: (key) => guarded('read', () => file.get(key)),
    set: (key, value) => guarded('written', () => file.set(key, value)),
    delete: (key) => guarded('written', () => file.delete(key)),
  }
  return preferencesOver(raw)
}

function faultSentence(path: string, what: 'read' | 'written', error: unknown): string {
  if (error instanceof SyntaxError) return `${path} is not JSON any more; put it right or move it away.`
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
  return `${path} cannot be ${what} (${code}); check the folder's permissions and its disk.`
}
