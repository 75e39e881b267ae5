import type { SafeStorage } from 'electron'
import { z } from 'zod'
import type { RawValues } from '../engine/preferences/preferences.ts'
import type { KeyVault, VaultProtection } from '../engine/vault/vault.ts'
import type { Platform } from './window-options.ts'
import { t } from '../shared/language/text.ts'

/** What is used of safeStorage: only what Electron 46 will still have. */
export type Sealing = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>

/** `weak`: Electron seals, but with a password that stands in its own source, as anybody may look up. */
type Strength = 'protected' | 'weak' | 'none'

const sealedSchema = z.record(z.string(), z.object({ sealed: z.base64(), unprotected: z.boolean() }))
type Sealed = z.infer<typeof sealedSchema>
const place = 'keys'

const sentences = {
  weak: () =>
    t`This system has no key store that is unlocked, so a kept key could be read by every program of this user. Keep it all the same, or have Vitrine forget it when it ends.`,
  none: () => t`This system has no key store that works, so a key is kept for this run of the program only.`,
  locked: () => t`The key store of this system cannot be used at present. Unlock it, then try again.`,
  lost: () => t`The saved key cannot be opened with the key store of this system any more. Enter it again.`,
} as const

/**
 * Keys sealed by the operating system (Keychain, DPAPI, Secret Service or KWallet) and kept as text among the program's
 * own values. A sealed key is never overwritten or forgotten because it could not be opened: its key store may only be
 * locked, or be away for one session.
 */
export function createSafeStorageVault(sealing: Sealing, values: RawValues, platform: Platform): KeyVault {
  const read = (): Sealed => sealedSchema.safeParse(values.get(place)).data ?? {}
  const write = (baseUrl: string, entry: Sealed[string]) => values.set(place, { ...read(), [baseUrl]: entry })
  const seal = async (key: string) => (await sealing.encryptStringAsync(key)).toString('base64')

  return {
    async read(baseUrl) {
      try {
        const entry = entryOf(read(), baseUrl)
        if (!entry) return { kind: 'none' }
        const opened = await sealing.decryptStringAsync(Buffer.from(entry.sealed, 'base64'))
        if (opened.shouldReEncrypt) await renew(baseUrl, opened.result)
        return { kind: 'found', key: opened.result, ...(entry.unprotected ? { unprotected: true } : {}) }
      } catch (error) {
        return { kind: 'unavailable', message: passing(error) ? sentences.locked() : sentences.lost() }
      }
    },
    async keep(baseUrl, key, unprotected = false) {
      try {
        const strength = await strengthOf(sealing, platform)
        if (strength === 'none') return { kind: 'unavailable', message: sentences.none() }
        if (strength === 'weak' && !unprotected) return { kind: 'unavailable', message: sentences.weak() }
        write(baseUrl, { sealed: await seal(key), unprotected: strength === 'weak' })
        return { kind: 'done' }
      } catch {
        return { kind: 'unavailable', message: sentences.locked() }
      }
    },
    forget(baseUrl) {
      try {
        const { [baseUrl]: _, ...rest } = read()
        values.set(place, rest)
        return Promise.resolve({ kind: 'done' })
      } catch {
        const message = t`The settings of Vitrine cannot be written, so the key is still there.`
        return Promise.resolve({ kind: 'unavailable', message })
      }
    },
    protection: async () => protectionOf(await strengthOf(sealing, platform)),
  }

  /** The key of the key store was changed: what was sealed with the old one is sealed again, or stays as it is. */
  async function renew(baseUrl: string, key: string): Promise<void> {
    try {
      const unprotected = (await strengthOf(sealing, platform)) !== 'protected'
      write(baseUrl, { sealed: await seal(key), unprotected })
    } catch {
      // It could be opened: it will be next time.
    }
  }
}

function protectionOf(strength: Strength): VaultProtection {
  switch (strength) {
    case 'protected':
      return { available: true, sentence: null, choice: false }
    case 'weak':
      return { available: false, sentence: sentences.weak(), choice: true }
    case 'none':
      return { available: false, sentence: sentences.none(), choice: false }
  }
}

function entryOf(entries: Sealed, baseUrl: string): Sealed[string] | undefined {
  return Object.hasOwn(entries, baseUrl) ? entries[baseUrl] : undefined
}

/**
 * On Linux "available" says only that something seals; which, says the name of the backend. What is not known to
 * protect is taken not to.
 */
async function strengthOf(sealing: Sealing, platform: Platform): Promise<Strength> {
  try {
    if (!(await sealing.isAsyncEncryptionAvailable())) return 'none'
    if (platform !== 'linux') return 'protected'
    const backend = sealing.getSelectedStorageBackend()
    return backend === 'gnome_libsecret' || backend.startsWith('kwallet') ? 'protected' : 'weak'
  } catch {
    return 'none'
  }
}

/** Electron's own words for a key store that is locked or being unlocked. */
function passing(error: unknown): boolean {
  return error instanceof Error && /temporarily unavailable/i.test(error.message)
}
