import { join } from 'node:path'
import Conf from 'conf'
import { preferencesOver, PreferencesError, type PreferenceStore, type RawValues } from './preferences.ts'
import { makeFolder } from '../make-folder.ts'
import { say } from '../../shared/language/say.ts'

/** A file of values, one a key; as conf takes it. */
export interface ValueFileOptions {
  readonly cwd: string
  /** Without `.json`. */
  readonly configName: string
  readonly accessPropertiesByDotNotation: false
  readonly clearInvalidConfig: false
  readonly configFileMode: number
}
export type OpenValueFile = (options: ValueFileOptions) => RawValues

const withConf: OpenValueFile = (options) => new Conf<Record<string, unknown>>(options)

/**
 * Preferences in `preferences.json` of the data folder, written whole and atomically. The file is made at the first
 * change.
 * @param openFile opens it with something else than conf: the desktop has a store of its own kind
 */
export function openPreferenceFile(home: string, openFile: OpenValueFile = withConf): PreferenceStore {
  return preferencesOver(openValueFile(home, 'preferences', openFile))
}

/**
 * Values in a file of their own, written whole and atomically. Its methods throw PreferencesError with a sentence.
 * @param name of the file, without `.json`
 * @throws PreferencesError where it cannot be read
 */
export function openValueFile(folder: string, name: string, openFile: OpenValueFile = withConf): RawValues {
  const path = join(folder, `${name}.json`)
  const guarded = <T>(what: 'read' | 'written', work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw new PreferencesError(faultSentence(path, what, error), { cause: error })
    }
  }
  const file = guarded('read', () => {
    // conf would make it for everybody to look into.
    makeFolder(folder, 0o700)
    return openFile({
      cwd: folder,
      configName: name,
      accessPropertiesByDotNotation: false,
      // A file that a person broke by hand is shown to them; presets are not thrown away for a comma.
      clearInvalidConfig: false,
      configFileMode: 0o600,
    })
  })
  return {
    get: (key) => guarded('read', () => file.get(key)),
    set: (key, value) => guarded('written', () => file.set(key, value)),
    delete: (key) => guarded('written', () => file.delete(key)),
  }
}

function faultSentence(path: string, what: 'read' | 'written', error: unknown): string {
  if (error instanceof SyntaxError) return say`${path} is not JSON any more; put it right or move it away.`
  const code = (error as NodeJS.ErrnoException).code ?? say`unknown error`
  return what === 'read'
    ? say`${path} cannot be read (${code}); check the folder's permissions and its disk.`
    : say`${path} cannot be written (${code}); check the folder's permissions and its disk.`
}
