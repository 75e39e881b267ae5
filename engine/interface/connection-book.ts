import { randomUUID } from 'node:crypto'
import type { ConnectionRecord } from '../../shared/contract/records.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import type { SavedConnection } from '../preferences/preferences.ts'
import { ApiKey } from '../service/api-key.ts'
import { checkBaseUrl } from '../service/base-url.ts'
import type { InterfaceParts } from './parts.ts'
import { Topic } from './topic.ts'
import { say } from '../../shared/language/say.ts'

const practiceId = 'practice'
const givenId = 'given'

type KeyPlace = ConnectionRecord['key']

/**
 * The connections that a person has made: addresses and names in the preferences, keys in the vault or, where that
 * keeps none, in this process alone. A key leaves it only as an `ApiKey`.
 */
export class ConnectionBook {
  readonly topic = new Topic()
  readonly #parts: InterfaceParts
  readonly #keys = new Map<string, { readonly text: string; readonly place: KeyPlace }>()
  #given: SavedConnection | undefined
  /** The choice of this run, where it is the given connection: that is not kept. */
  #activeGiven = false

  constructor(parts: InterfaceParts) {
    this.#parts = parts
  }

  /** Reads the keys of all connections from the vault. */
  async open(): Promise<void> {
    this.#takeGiven()
    for (const saved of this.all()) {
      if (saved.kind === 'practice' || this.#keys.has(saved.id)) continue
      const kept = await this.#parts.vault.read(saved.vaultName)
      if (kept.kind !== 'found') continue
      this.#keys.set(saved.id, { text: kept.key, place: kept.unprotected ? 'unprotected' : 'key-store' })
    }
    this.topic.ring()
  }

  #takeGiven() {
    const { given } = this.#parts
    const checked = given && checkBaseUrl(given.baseUrl)
    if (!given || !checked?.ok || typeof ApiKey.parse(given.key) === 'string') return
    const { href: baseUrl } = checked.base
    const same = this.all().find((saved) => saved.kind === 'account' && saved.baseUrl === baseUrl)
    if (same) {
      this.#keys.set(same.id, { text: given.key.trim(), place: 'this-run' })
      return
    }
    const name = new URL(baseUrl).host
    this.#given = { id: givenId, name, kind: 'account', baseUrl, vaultName: '', storeId: null }
    this.#keys.set(givenId, { text: given.key.trim(), place: 'this-run' })
    this.#activeGiven = true
  }

  all(): readonly SavedConnection[] {
    const { connections } = this.#parts.preferences.read()
    return this.#given ? [...connections, this.#given] : connections
  }

  /** @throws Fault */
  find(id: string): SavedConnection {
    const found = this.all().find((saved) => saved.id === id)
    if (!found) throw new Fault('gone', say`This connection is not there any more.`)
    return found
  }

  active(): SavedConnection | undefined {
    if (this.#activeGiven) return this.#given
    const { activeConnection } = this.#parts.preferences.read()
    return this.all().find((saved) => saved.id === activeConnection)
  }

  /** The connection whose batches stand under this number in the store. */
  ofStore(storeId: number): SavedConnection | undefined {
    return this.all().find((saved) => saved.storeId === storeId)
  }

  records(): ConnectionRecord[] {
    const active = this.active()
    return this.all().map(({ id, name, kind, baseUrl }) => ({
      id,
      name,
      kind,
      baseUrl,
      active: id === active?.id,
      key: kind === 'practice' ? 'this-run' : (this.#keys.get(id)?.place ?? 'missing'),
    }))
  }

  key(id: string): ApiKey | undefined {
    const kept = this.#keys.get(id)
    const key = kept && ApiKey.parse(kept.text)
    return typeof key === 'string' ? undefined : key
  }

  /** Adds an account whose key was checked. */
  async add(account: {
    readonly name: string
    readonly baseUrl: string
    readonly key: string
    readonly unprotected: boolean
  }): Promise<SavedConnection> {
    const { name, baseUrl } = account
    const same = this.all().find(
      (saved) => saved.baseUrl === baseUrl && this.#keys.get(saved.id)?.text === account.key.trim(),
    )
    if (same) {
      if (name !== '') this.rename(same.id, name)
      await this.keepKey(same, account.key, account.unprotected)
      return this.find(same.id)
    }
    const id = randomUUID()
    const taken = this.all().some((saved) => saved.vaultName === baseUrl)
    const saved: SavedConnection = {
      id,
      name: name || new URL(baseUrl).host,
      kind: 'account',
      baseUrl,
      // The command line finds the first account of an address under the address alone.
      vaultName: taken ? `${baseUrl}#${id}` : baseUrl,
      storeId: null,
    }
    this.#put(saved)
    await this.keepKey(saved, account.key, account.unprotected)
    return saved
  }

  /** The connection to the practice service, made where there is none. */
  practice(baseUrl: string): SavedConnection {
    const found = this.all().find((saved) => saved.kind === 'practice')
    const saved: SavedConnection = {
      id: practiceId,
      name: 'Practice service',
      kind: 'practice',
      vaultName: '',
      storeId: null,
      ...found,
      baseUrl,
    }
    this.#put(saved)
    return saved
  }

  async keepKey(saved: SavedConnection, text: string, unprotected: boolean) {
    const key = text.trim()
    const inVault = saved.vaultName !== '' && (await this.#keepInVault(saved.vaultName, key, unprotected))
    this.#keys.set(saved.id, { text: key, place: inVault || 'this-run' })
    this.topic.ring()
  }

  async #keepInVault(name: string, key: string, unprotected: boolean): Promise<KeyPlace | false> {
    const { vault } = this.#parts
    const kept = await vault.keep(name, key, unprotected)
    if (kept.kind !== 'done') return false
    // What it says of itself: some keep for this run alone, some in clear.
    const { available, choice } = await vault.protection()
    if (available) return 'key-store'
    return choice && unprotected ? 'unprotected' : false
  }

  rename(id: string, name: string) {
    this.#put({ ...this.find(id), name })
  }

  /**
   * Notes what the queue's store calls a connection. Another one that is the same account (under an older key, say)
   * gives way to it.
   */
  async setStoreId(id: string, storeId: number) {
    const saved = this.find(id)
    if (saved.storeId === storeId) return
    for (const other of this.all()) {
      if (other.id !== id && other.storeId === storeId && other.kind === saved.kind)
        await this.remove(other.id)
    }
    this.#put({ ...saved, storeId })
  }

  activate(id: string) {
    const saved = this.find(id)
    this.#activeGiven = id === givenId
    if (!this.#activeGiven) {
      this.#parts.preferences.change({
        activeConnection: id,
        // What the command line works with; the practice service is used there only when it is asked for.
        ...(saved.kind === 'account' ? { baseUrl: saved.baseUrl } : {}),
      })
    }
    this.topic.ring()
  }

  async remove(id: string) {
    const saved = this.find(id)
    if (id === givenId) this.#given = undefined
    const { connections, activeConnection, baseUrl } = this.#parts.preferences.read()
    this.#parts.preferences.change({
      connections: connections.filter((one) => one.id !== id),
      ...(activeConnection === id ? { activeConnection: undefined } : {}),
      ...(saved.kind === 'account' && baseUrl === saved.baseUrl ? { baseUrl: undefined } : {}),
    })
    this.#keys.delete(id)
    if (saved.vaultName !== '') await this.#parts.vault.forget(saved.vaultName)
    this.topic.ring()
  }

  #put(saved: SavedConnection) {
    if (saved.id === givenId) {
      this.#given = saved
    } else {
      const { connections } = this.#parts.preferences.read()
      const at = connections.findIndex(({ id }) => id === saved.id)
      this.#parts.preferences.change({
        connections: at < 0 ? [...connections, saved] : connections.with(at, saved),
      })
    }
    this.topic.ring()
  }
}
