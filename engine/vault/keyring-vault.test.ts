import { expect, test } from 'vitest'
import { createKeyringVault, keyringService, type KeyringEntry } from './keyring-vault.ts'
import { createMemoryVault } from './memory-vault.ts'
import type { KeyVault } from './vault.ts'

const address = 'https://service.example/api/v1'

/** A key store in memory that stands in for the system's. */
function standIn() {
  const entries = new Map<string, string>()
  const open = (service: string, account: string): Promise<KeyringEntry> => {
    const name = `${service} ${account}`
    return Promise.resolve({
      getPassword: () => Promise.resolve(entries.get(name) ?? null),
      setPassword: (password) => Promise.resolve(entries.set(name, password)),
      deletePassword: () => Promise.resolve(entries.delete(name)),
    })
  }
  return { entries, open }
}

const vaults: [string, () => KeyVault][] = [
  ['keyring', () => createKeyringVault(standIn().open)],
  ['memory', () => createMemoryVault()],
]

test.each(vaults)('%s keeps one key for each address, and forgets it', async (_, create) => {
  const vault = create()
  expect(await vault.read(address)).toEqual({ kind: 'none' })
  expect(await vault.keep(address, 'first')).toEqual({ kind: 'done' })
  expect(await vault.keep(address, 'second')).toEqual({ kind: 'done' })
  expect(await vault.read(address)).toEqual({ kind: 'found', key: 'second' })
  expect(await vault.read('https://other.example/api/v1')).toEqual({ kind: 'none' })
  expect(await vault.forget(address)).toEqual({ kind: 'done' })
  expect(await vault.forget(address)).toEqual({ kind: 'done' })
  expect(await vault.read(address)).toEqual({ kind: 'none' })
})

test('the entry stands under the program’s name with the address as its account', async () => {
  const { entries, open } = standIn()
  await createKeyringVault(open).keep(address, 'key')
  expect([...entries]).toEqual([[`${keyringService} ${address}`, 'key']])
})

const broken: [string, () => Promise<KeyringEntry>][] = [
  ['cannot be opened', () => Promise.reject(new Error('AccessDenied canary-key'))],
  [
    'refuses',
    () => {
      const refuse = () => Promise.reject(new Error('locked canary-key'))
      return Promise.resolve({ getPassword: refuse, setPassword: refuse, deletePassword: refuse })
    },
  ],
  [
    'never answers',
    () => {
      const hang = () => new Promise<never>(() => {})
      return Promise.resolve({ getPassword: hang, setPassword: hang, deletePassword: hang })
    },
  ],
]

test.each(broken)('a key store that %s is told in a sentence that shows nothing', async (_, open) => {
  const vault = createKeyringVault(open, 20)
  for (const answer of [
    await vault.read(address),
    await vault.keep(address, 'canary-key'),
    await vault.forget(address),
  ]) {
    expect(answer.kind).toBe('unavailable')
    expect(JSON.stringify(answer)).toContain('VITRINE_API_KEY')
    expect(JSON.stringify(answer)).not.toContain('canary')
  }
})

test('a key store that works protects; one that does not is told before a key is given to it', async () => {
  expect(await createKeyringVault(standIn().open).protection()).toMatchObject({
    available: true,
    sentence: null,
  })
  const none = await createKeyringVault(() => Promise.reject(new Error('AccessDenied'))).protection()
  expect(none).toMatchObject({ available: false, choice: false })
  expect(none.sentence).toContain('for this run')
  expect(await createMemoryVault().protection()).toMatchObject({ available: false })
})

test('the key store of this machine, whether it has one or not, never throws', async () => {
  const answer = await createKeyringVault().read('https://nobody-uses-this.invalid/api/v1')
  expect(['none', 'unavailable']).toContain(answer.kind)
})
