import { describe, expect, test } from 'vitest'
import { createSafeStorageVault, type Sealing } from './safe-storage-vault.ts'

const address = 'https://service.example/api/v1'
const canary = 'canary-key-3f9a1c77'

type Backend = ReturnType<Sealing['getSelectedStorageBackend']>

interface Fault {
  available?: boolean | 'throws'
  encrypt?: Error
  decrypt?: Error
  shouldReEncrypt?: boolean
  backend?: Backend | 'throws'
}

/** Seals by turning every byte over, with a generation in front, as a changed key of the key store would show. */
function standIn(fault: Fault = {}) {
  const state = { generation: 1, sealedOnce: 0, fault }
  const turned = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ 0x5a))
  const sealing: Sealing = {
    isAsyncEncryptionAvailable: () =>
      state.fault.available === 'throws'
        ? Promise.reject(new Error(`no bus ${canary}`))
        : Promise.resolve(state.fault.available ?? true),
    getSelectedStorageBackend: () => {
      if (state.fault.backend === 'throws') throw new Error('not here')
      return state.fault.backend ?? 'gnome_libsecret'
    },
    encryptStringAsync: (text) => {
      state.sealedOnce += 1
      if (state.fault.encrypt) return Promise.reject(state.fault.encrypt)
      return Promise.resolve(Buffer.from([state.generation, ...turned(Buffer.from(text))]))
    },
    decryptStringAsync: (sealed) => {
      if (state.fault.decrypt) return Promise.reject(state.fault.decrypt)
      return Promise.resolve({
        result: turned(sealed.subarray(1)).toString(),
        shouldReEncrypt: state.fault.shouldReEncrypt ?? sealed[0] !== state.generation,
      })
    },
  }
  const values = new Map<string, unknown>()
  const raw = {
    get: (key: string) => values.get(key),
    set: (key: string, value: unknown) => void values.set(key, structuredClone(value)),
    delete: (key: string) => void values.delete(key),
  }
  const onDisk = () => JSON.stringify([...values])
  return { state, sealing, values, raw, onDisk }
}

describe.each(['mac', 'windows', 'linux'] as const)('on %s', (platform) => {
  // Backends have names on Linux only; elsewhere there is nothing to ask.
  const usual: Fault = platform === 'linux' ? {} : { backend: 'throws' }

  test('keeps one sealed key for each address, and forgets it', async () => {
    const { sealing, raw, onDisk } = standIn(usual)
    const vault = createSafeStorageVault(sealing, raw, platform)
    expect(await vault.read(address)).toEqual({ kind: 'none' })
    expect(await vault.keep(address, canary)).toEqual({ kind: 'done' })
    expect(await vault.keep('https://other.example/api/v1', 'other')).toEqual({ kind: 'done' })
    expect(onDisk()).not.toContain(canary)
    // Another start: nothing but the values is left.
    const later = createSafeStorageVault(sealing, raw, platform)
    expect(await later.read(address)).toEqual({ kind: 'found', key: canary })
    expect(await later.forget(address)).toEqual({ kind: 'done' })
    expect(await later.read(address)).toEqual({ kind: 'none' })
    expect(await later.read('https://other.example/api/v1')).toEqual({ kind: 'found', key: 'other' })
    expect(await later.protection()).toEqual({ available: true, sentence: null, choice: false })
  })

  test('a key store that is not there keeps nothing', async () => {
    for (const available of [false, 'throws'] as const) {
      const { sealing, raw, onDisk } = standIn({ ...usual, available })
      const vault = createSafeStorageVault(sealing, raw, platform)
      expect(await vault.protection()).toMatchObject({ available: false, choice: false })
      expect(await vault.keep(address, canary, true)).toMatchObject({ kind: 'unavailable' })
      expect(onDisk()).toBe('[]')
    }
  })
})

const backends: [Backend | 'throws', boolean][] = [
  ['gnome_libsecret', true],
  ['kwallet', true],
  ['kwallet5', true],
  ['kwallet6', true],
  ['basic_text', false],
  ['unknown', false],
]

test.each(backends)('on Linux the backend %s is taken to protect: %s', async (backend, protects) => {
  const { sealing, raw, onDisk } = standIn({ backend })
  const vault = createSafeStorageVault(sealing, raw, 'linux')
  const told = await vault.protection()
  expect(told).toMatchObject({ available: protects, choice: !protects })
  expect(await vault.keep(address, canary)).toMatchObject({ kind: protects ? 'done' : 'unavailable' })
  if (protects) return
  expect(told.sentence).toMatch(/could be read by every program/)
  expect(onDisk()).toBe('[]')
  // Told, and chosen: kept, and marked for what it is.
  expect(await vault.keep(address, canary, true)).toEqual({ kind: 'done' })
  expect(await vault.read(address)).toEqual({ kind: 'found', key: canary, unprotected: true })
})

test('a backend that cannot be asked for keeps nothing', async () => {
  const { sealing, raw } = standIn({ backend: 'throws' })
  expect(await createSafeStorageVault(sealing, raw, 'linux').protection()).toMatchObject({ choice: false })
})

test.each([
  ['locked', 'Decryption is temporarily unavailable. Please try again.', 'Unlock it'],
  ['changed', 'Error while decrypting the ciphertext provided.', 'Enter it again'],
])('a key store that is %s leaves the sealed key where it is', async (_, words, advice) => {
  const { state, sealing, raw, onDisk } = standIn()
  const vault = createSafeStorageVault(sealing, raw, 'linux')
  await vault.keep(address, canary)
  const before = onDisk()
  state.fault = { decrypt: new Error(`${words} ${canary}`) }
  const answer = await vault.read(address)
  expect(answer).toMatchObject({ kind: 'unavailable', message: expect.stringContaining(advice) })
  expect(JSON.stringify(answer)).not.toContain(canary)
  expect(onDisk()).toBe(before)
  state.fault = {}
  expect(await vault.read(address)).toEqual({ kind: 'found', key: canary })
})

test('a key that could not be sealed replaces none, and the words of the key store are not passed on', async () => {
  const { state, sealing, raw, onDisk } = standIn()
  const vault = createSafeStorageVault(sealing, raw, 'mac')
  await vault.keep(address, 'first')
  const before = onDisk()
  state.fault = { encrypt: new Error(`cannot seal ${canary}`) }
  const answer = await vault.keep(address, canary)
  expect(answer.kind).toBe('unavailable')
  expect(JSON.stringify(answer)).not.toContain(canary)
  expect(onDisk()).toBe(before)
})

test('what was sealed with an old key of the key store is sealed again, or stays as it is', async () => {
  const { state, sealing, raw, onDisk } = standIn()
  const vault = createSafeStorageVault(sealing, raw, 'linux')
  await vault.keep(address, canary)
  const before = onDisk()
  state.generation = 2
  state.fault = { encrypt: new Error('not now') }
  expect(await vault.read(address)).toEqual({ kind: 'found', key: canary })
  expect(onDisk()).toBe(before)
  state.fault = {}
  await vault.read(address)
  expect(onDisk()).not.toBe(before)
  const sealed = state.sealedOnce
  expect(await vault.read(address)).toEqual({ kind: 'found', key: canary })
  expect(state.sealedOnce).toBe(sealed)
})

test.each([
  ['text', 'keys'],
  ['another shape', { [address]: canary }],
  ['no base64', { [address]: { sealed: '&&&', unprotected: false } }],
  ['a prototype', JSON.parse('{"__proto__":{"sealed":"AA==","unprotected":false}}')],
])('%s in the place of the sealed keys counts as none', async (_, value) => {
  const { sealing, raw, values } = standIn()
  values.set('keys', value)
  const vault = createSafeStorageVault(sealing, raw, 'mac')
  expect(await vault.read(address)).toEqual({ kind: 'none' })
  expect(await vault.read('__proto__')).toEqual({ kind: 'none' })
  expect(await vault.read('constructor')).toEqual({ kind: 'none' })
})
