import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test, type TestContext } from 'vitest'
import { addRehearsalBatch } from '../queue/testing/rehearsal.ts'
import { Store } from '../store/store.ts'
import { createMemoryVault } from '../vault/memory-vault.ts'
import { openStorage, type ObjectStorage } from './object-storage.ts'
import { contentOfSource, ownSource } from './own-source.ts'
import { mediaTypeOf, whyNotSent } from './picture-formats.ts'
import { publishedLink } from './published-folder.ts'
import { checkStorage, publishedAddress } from './set-up.ts'
import { checkedKeys, StorageKeyRing } from './storage-keys.ts'
import { startStorageServer, storageKeys } from './testing/storage-server.ts'
import { uploadPicture, type Parcel } from './upload-picture.ts'

async function storeroom(t: TestContext, bytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-own-'))
  const server = await startStorageServer()
  const store = new Store(join(folder, 'queue.db'))
  const storage = await openStorage(server.storage, storageKeys)
  t.onTestFinished(async () => {
    store.close()
    storage.close()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })
  const content = randomBytes(bytes)
  const file = join(folder, 'ring.png')
  await writeFile(file, content)
  const parcel: Parcel = { target: 't', key: 'k.png', content: 'c', file, type: 'image/png', keep: false }
  const upload = (signal = new AbortController().signal, from: ObjectStorage = storage) =>
    uploadPicture(parcel, {
      storage: from,
      table: store.ownFiles,
      sizes: { whole: 1000, part: 1000 },
      signal,
    })
  const stored = async () => {
    const answer = await fetch(await storage.link('k.png', 60))
    return Buffer.from(await answer.arrayBuffer())
  }
  return { server, store, storage, content, upload, stored }
}

const parts = (requests: readonly string[]) => requests.filter((one) => one.endsWith('partNumber')).length

test('an upload that was broken off goes on after the parts that the storage has confirmed', async (t) => {
  const { server, store, content, upload, stored } = await storeroom(t, 3500)
  const stop = new AbortController()
  server.intercept = (request) => {
    if (!request.url?.includes('partNumber=3')) return false
    stop.abort()
    return true
  }
  await expect(upload(stop.signal)).rejects.toThrow()
  expect(store.ownFiles.upload('t', 'k.png')).toMatchObject({
    state: 'sending',
    parts: [{ number: 1 }, { number: 2 }],
  })
  server.intercept = () => false
  server.requests.length = 0
  await upload()
  expect(parts(server.requests)).toBe(2)
  expect(await stored()).toEqual(content)
  expect(store.ownFiles.upload('t', 'k.png')).toMatchObject({ state: 'there', bytes: 3500 })
})

test('an upload that the storage has forgotten begins anew', async (t) => {
  const { server, storage, store, content, upload, stored } = await storeroom(t, 2500)
  const broken = new Proxy(storage, {
    get: (real, name: keyof ObjectStorage) =>
      name === 'finish' ? () => Promise.reject(new Error('the program ends here')) : real[name].bind(real),
  })
  await expect(upload(undefined, broken)).rejects.toThrow('ends here')
  const { uploadId } = store.ownFiles.upload('t', 'k.png')!
  await storage.abandon({ key: 'k.png', uploadId: uploadId! })
  server.requests.length = 0
  await upload()
  expect(parts(server.requests)).toBe(3)
  expect(await stored()).toEqual(content)
})

test('a link is read by anybody until its time is over, and the object by nobody without one', async (t) => {
  const { upload, storage } = await storeroom(t, 500)
  await upload()
  const link = await storage.link('k.png', 60)
  expect((await fetch(link)).status).toBe(200)
  expect((await fetch(link.replace(/\?.*/, ''))).status).toBe(403)
  const old = link.replace(/X-Amz-Date=\d{8}/, 'X-Amz-Date=20200101')
  expect((await fetch(old)).status).toBe(403)
})

test('whatever a file below a published folder is called, its address leads back to it', () => {
  const name = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 20 })
    .filter((text) => !/[/\\\0]/.test(text) && text !== '.' && text !== '..' && !/^[a-z]:/i.test(text))
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
      const published = { folder: '/studio/shoot', address: 'https://shop.example/p/' }
      const link = publishedLink(published, `/studio/shoot/${names.join('/')}`)
      if (names[0] === '..') return
      const url = new URL(link!)
      expect(url.href).toBe(link)
      expect(url.origin + url.search + url.hash).toBe('https://shop.example')
      expect(url.pathname.split('/').slice(2).map(decodeURIComponent)).toEqual(names)
    }),
  )
})

test('only what is in a published folder has an address there', () => {
  const published = { folder: '/studio/shoot', address: 'https://shop.example/' }
  for (const path of ['/studio/shoot', '/studio/shoot2/a.jpg', '/studio/a.jpg', '/a.jpg']) {
    expect(publishedLink(published, path)).toBeUndefined()
  }
})

test('what is set up is checked and brought into one form', () => {
  expect(publishedAddress(' https://Shop.example/pics ')).toBe('https://shop.example/pics/')
  for (const wrong of ['ftp://x', 'shop', 'https://a:b@x/', 'https://x/?a', 'https://x/#a']) {
    expect(() => publishedAddress(wrong)).toThrow(/address of the folder/)
  }
  const storage = {
    endpoint: 'https://s3.example',
    region: 'auto',
    bucket: 'pics',
    prefix: '/a/b/',
    pathStyle: true,
    keep: false,
    conversion: null,
  }
  expect(checkStorage(storage)).toMatchObject({ endpoint: 'https://s3.example', prefix: 'a/b/' })
  for (const [endpoint, region] of [
    ['https://s3.eu-central-1.amazonaws.com', 'eu-central-1'],
    ['https://s3.us-west-004.backblazeb2.com', 'us-west-004'],
    ['https://id.r2.cloudflarestorage.com', 'auto'],
  ] as const) {
    expect(checkStorage({ ...storage, endpoint })).toMatchObject({ region })
    expect(checkStorage({ ...storage, endpoint, region: 'mine' })).toMatchObject({ region: 'mine' })
  }
  for (const wrong of [
    { endpoint: 'http://s3.example' },
    { bucket: 'ab' },
    { endpoint: 'https://s3.example/pics' },
    { endpoint: 'https://key:secret@s3.example' },
    { bucket: 'a/b' },
    { region: '' },
    { prefix: '../up' },
  ]) {
    expect(() => checkStorage({ ...storage, ...wrong })).toThrow()
  }
})

test('keys are in the vault alone, both or neither', async () => {
  const vault = createMemoryVault()
  const ring = new StorageKeyRing(vault)
  expect(await ring.read()).toContain('give them again')
  await ring.keep(checkedKeys(' access ', 'secret\n'))
  expect(await ring.read()).toEqual({ accessKey: 'access', secretKey: 'secret' })
  await ring.forget()
  expect(typeof (await ring.read())).toBe('string')
  expect(() => checkedKeys('two words', 'x')).toThrow('copy both again')
})

test('formats that the service will hardly read are named', () => {
  expect(mediaTypeOf('Ring.JPG')).toBe('image/jpeg')
  expect(mediaTypeOf('ring.cr3')).toBeUndefined()
  expect(whyNotSent('ring.nef', '/a/ring.nef')).toContain('RAW')
  expect(whyNotSent('ring.psd', '/a/ring.psd')).toContain('PSD file')
})

test('a source is a content, and an address is none', () => {
  expect(contentOfSource(ownSource('ab12'))).toBe('ab12')
  expect(contentOfSource('https://x.example/local:sha256:ab')).toBeUndefined()
})

test('pictures are published in the order in which they are sent, addresses between them left out', () => {
  const store = new Store(':memory:')
  const { id } = store.connections.add('https://service.example/api/v1', 'key')
  const batch = addRehearsalBatch(store, id, 50, null)
  const own = Array.from({ length: 30 }, (_, n) => ({
    source: ownSource(`${n}`),
    folder: '',
    name: `${n}`,
    state: 'waiting' as const,
    earlierImageId: null,
  }))
  store.images.add(batch.seq, 50, { appId: 'rescue', settings: {}, parameters: {} }, '/out', own)
  expect(store.ownFiles.wanted([batch.seq], 24)).toHaveLength(24)
  expect(store.ownFiles.wanted([batch.seq], 2)).toEqual([ownSource('0'), ownSource('1')])
  const [next] = store.ownFiles.waiting(ownSource('7'))
  store.images.setFirst(next!.id, 1)
  expect(store.ownFiles.wanted([batch.seq], 2)).toEqual([ownSource('7'), ownSource('0')])
  store.close()
})
