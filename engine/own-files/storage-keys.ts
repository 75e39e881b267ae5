import { Fault } from '../../shared/rpc/fault.ts'
import type { KeyVault } from '../vault/vault.ts'

/** What opens a storage. */
export interface StorageKeys {
  readonly accessKey: string
  readonly secretKey: string
}

/** Under these names the two halves are in the vault. */
const names = { accessKey: 'own files: access key', secretKey: 'own files: secret key' } as const

/** Where the keys of the storage are: given by the surroundings for this run, else in the vault. */
export class StorageKeyRing {
  readonly #vault: KeyVault
  readonly #given: StorageKeys | undefined

  constructor(vault: KeyVault, given?: StorageKeys) {
    this.#vault = vault
    this.#given = given
  }

  /** The keys; a sentence where they cannot be had. */
  async read(): Promise<StorageKeys | string> {
    if (this.#given) return this.#given
    const access = await this.#vault.read(names.accessKey)
    const secret = access.kind === 'found' ? await this.#vault.read(names.secretKey) : access
    if (access.kind === 'found' && secret.kind === 'found') {
      return { accessKey: access.key, secretKey: secret.key }
    }
    return access.kind === 'unavailable' || secret.kind === 'unavailable'
      ? 'The key store of this computer cannot be used, so the keys of the storage are not known.'
      : 'No keys are known for the storage; give them again.'
  }

  /**
   * @param unprotected keep them in clear where the system protects nothing: the person has chosen it
   * @throws Fault where this computer has no key store that works; nothing is kept then
   */
  async keep({ accessKey, secretKey }: StorageKeys, unprotected = false): Promise<void> {
    for (const [name, key] of [
      [names.accessKey, accessKey],
      [names.secretKey, secretKey],
    ] as const) {
      const kept = await this.#vault.keep(name, key, unprotected)
      if (kept.kind === 'unavailable') throw new Fault('refused', kept.message)
    }
  }

  async forget(): Promise<void> {
    await this.#vault.forget(names.accessKey)
    await this.#vault.forget(names.secretKey)
  }
}

/** Keys as a person gives them, without what copying leaves around them. @throws Fault */
export function checkedKeys(accessKey: string, secretKey: string): StorageKeys {
  const keys = { accessKey: accessKey.trim(), secretKey: secretKey.trim() }
  for (const key of Object.values(keys)) {
    if (!/^[\x21-\x7e]{1,512}$/.test(key)) {
      throw new Fault('refused', 'Access key and secret key are words without spaces; copy both again.')
    }
  }
  return keys
}
