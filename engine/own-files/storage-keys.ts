import { Fault } from '../../shared/rpc/fault.ts'
import type { KeyVault } from '../vault/vault.ts'
import { say } from '../../shared/language/say.ts'

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
  #ofThisRun: StorageKeys | undefined
  /** As the vault had them: a key store is not asked for every picture. */
  #known: StorageKeys | undefined

  constructor(vault: KeyVault, given?: StorageKeys) {
    this.#vault = vault
    this.#given = given
  }

  /** The keys; a sentence where they cannot be had. */
  async read(): Promise<StorageKeys | string> {
    const atHand = this.#given ?? this.#ofThisRun ?? this.#known
    if (atHand) return atHand
    const access = await this.#vault.read(names.accessKey)
    const secret = access.kind === 'found' ? await this.#vault.read(names.secretKey) : access
    if (access.kind === 'found' && secret.kind === 'found') {
      this.#known = { accessKey: access.key, secretKey: secret.key }
      return this.#known
    }
    return access.kind === 'unavailable' || secret.kind === 'unavailable'
      ? say`The key store of this computer cannot be used, so the keys of the storage are not known.`
      : say`No keys are known for the storage; give them again.`
  }

  /** Asks the vault again the next time: another program may have been given others. */
  readAnew(): void {
    this.#known = undefined
  }

  /**
   * Keeps keys in the vault; for this run alone where there is none that works.
   * @param unprotected keep them in clear where the system protects nothing: the person has chosen it
   * @returns whether the next start will know them
   */
  async keep(keys: StorageKeys, unprotected = false): Promise<boolean> {
    const access = await this.#vault.keep(names.accessKey, keys.accessKey, unprotected)
    const secret = await this.#vault.keep(names.secretKey, keys.secretKey, unprotected)
    const isKept = access.kind === 'done' && secret.kind === 'done'
    this.#ofThisRun = isKept ? undefined : keys
    this.#known = undefined
    return isKept
  }

  async forget(): Promise<void> {
    this.#ofThisRun = undefined
    this.#known = undefined
    await this.#vault.forget(names.accessKey)
    await this.#vault.forget(names.secretKey)
  }
}

/** Keys as a person gives them, without what copying leaves around them. @throws Fault */
export function checkedKeys(accessKey: string, secretKey: string): StorageKeys {
  const keys = { accessKey: accessKey.trim(), secretKey: secretKey.trim() }
  for (const key of Object.values(keys)) {
    if (!/^[\x21-\x7e]{1,512}$/.test(key)) {
      throw new Fault('refused', say`Access key and secret key are words without spaces; copy both again.`)
    }
  }
  return keys
}
