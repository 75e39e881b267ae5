import type { KeyVault } from './vault.ts'
import { say } from '../../shared/language/say.ts'

/** What is used of a keyring entry (@napi-rs/keyring's AsyncEntry). */
export interface KeyringEntry {
  getPassword(signal?: AbortSignal): Promise<string | null | undefined>
  setPassword(password: string, signal?: AbortSignal): Promise<unknown>
  deletePassword(signal?: AbortSignal): Promise<unknown>
}

/** Opens the entry of a service and account. May throw, now or later, where there is no key store. */
export type OpenEntry = (service: string, account: string) => Promise<KeyringEntry>

/** Under this name the entries stand in the system's key store; the account is the service address. */
export const keyringService = 'Vitrine'

/** A key store may wait for a person to unlock it, or for a service that never answers. */
const longestWaitMs = 10_000

const noKeyring = say`The key store of this computer cannot be used; give the key in VITRINE_API_KEY instead.`

/** The native module is loaded only when it is needed, and may be missing for this platform. */
const systemEntry: OpenEntry = async (service, account) => {
  const { AsyncEntry } = await import('@napi-rs/keyring')
  return new AsyncEntry(service, account)
}

/** The system's key store: Keychain, Credential Manager, or the Secret Service where a desktop runs one. */
export function createKeyringVault(
  openEntry: OpenEntry = systemEntry,
  waitMs: number = longestWaitMs,
): KeyVault {
  async function attempt<T>(baseUrl: string, use: (entry: KeyringEntry, signal: AbortSignal) => Promise<T>) {
    const limit = new AbortController()
    let timer: NodeJS.Timeout | undefined
    try {
      const entry = await openEntry(keyringService, baseUrl)
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('late')), waitMs)
      })
      return { ok: true as const, value: await Promise.race([use(entry, limit.signal), late]) }
    } catch {
      // What it says may repeat what it was given, so its words are not passed on.
      limit.abort()
      return { ok: false as const }
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async read(baseUrl) {
      const got = await attempt(baseUrl, (entry, signal) => entry.getPassword(signal))
      if (!got.ok) return { kind: 'unavailable', message: noKeyring }
      return got.value ? { kind: 'found', key: got.value } : { kind: 'none' }
    },
    async keep(baseUrl, key) {
      const kept = await attempt(baseUrl, (entry, signal) => entry.setPassword(key, signal))
      return kept.ok ? { kind: 'done' } : { kind: 'unavailable', message: noKeyring }
    },
    async forget(baseUrl) {
      const gone = await attempt(baseUrl, (entry, signal) => entry.deletePassword(signal))
      return gone.ok ? { kind: 'done' } : { kind: 'unavailable', message: noKeyring }
    },
    async protection() {
      const asked = await attempt('protection', (entry, signal) => entry.getPassword(signal))
      if (asked.ok) return { available: true, sentence: null, choice: false }
      const sentence = say`This computer has no key store that works, so a key is kept for this run of the program only.`
      return { available: false, sentence, choice: false }
    },
  }
}
