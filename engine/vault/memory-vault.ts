import type { KeyVault } from './vault.ts'
import { say } from '../../shared/language/say.ts'

/** Keys for as long as the process lives: where there is no key store, and in tests. */
export function createMemoryVault(keys: Readonly<Record<string, string>> = {}): KeyVault {
  const kept = new Map(Object.entries(keys))
  return {
    read(baseUrl) {
      const key = kept.get(baseUrl)
      return Promise.resolve(key === undefined ? { kind: 'none' } : { kind: 'found', key })
    },
    keep(baseUrl, key) {
      kept.set(baseUrl, key)
      return Promise.resolve({ kind: 'done' })
    },
    forget(baseUrl) {
      kept.delete(baseUrl)
      return Promise.resolve({ kind: 'done' })
    },
    protection: () =>
      Promise.resolve({
        available: false,
        sentence: say`The key is kept for this run of the program only.`,
        choice: false,
      }),
  }
}
