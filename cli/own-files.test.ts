import { createHash, randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startStorageServer, storageKeys } from '../engine/own-files/testing/storage-server.ts'
import { createMemoryVault } from '../engine/vault/memory-vault.ts'
import type { Storage } from '../shared/own-files.ts'
import type { PracticeOptions } from '../practice-service/start.ts'
import { stage, type TestEnd } from './testing/stage.ts'

const keys = { VITRINE_S3_ACCESS_KEY: storageKeys.accessKey, VITRINE_S3_SECRET_KEY: storageKeys.secretKey }

/** A stage with a storage that is set up, and pictures of different content. */
async function studio(t: TestEnd, more: Partial<Storage> = {}, service: PracticeOptions = {}) {
  const server = await startStorageServer(more)
  t.onTestFinished(async () => await server.close())
  const set = await stage(t, { imageWork: 'real', processing: 0.02, ...service })
  const { endpoint, bucket, keep, conversion } = server.storage
  const setUp = await set.call(
    [
      'files',
      'storage',
      '--endpoint',
      endpoint,
      '--bucket',
      bucket,
      ...(keep ? ['--keep'] : []),
      ...(conversion ? ['--convert', conversion.format] : []),
      ...(conversion?.longestSide ? ['--longest-side', String(conversion.longestSide)] : []),
    ],
    { env: keys },
  )
  expect(setUp.status, setUp.err).toBe(0)
  server.requests.length = 0
  const run = (...words: string[]) => ['run', ...words, '--app', 'rescue', '--out', 'out', '--json', '--yes']
  return { ...set, server, run }
}

/** A small picture of one colour, so that each has a content of its own. */
async function picture(hue: number, side = 64): Promise<Buffer> {
  const background = { r: hue, g: 90, b: 40 }
  return await sharp({ create: { width: side, height: side, channels: 3, background } })
    .png()
    .toBuffer()
}

const puts = (requests: readonly string[]) => requests.filter((one) => one.startsWith('PUT '))

test.concurrent('a folder of own pictures is uploaded, retouched, delivered in its structure, and removed from the storage', async (t) => {
  const { call, run, write, folder, server, service, manifest } = await studio(t)
  await write('Shoot/rings/gold ring.png', await picture(10))
  await write('Shoot/rings/copy.png', await picture(10))
  await write('Shoot/silber.png', await picture(20))
  await write('Shoot/IMG_1.CR3', 'raw')
  await write('Shoot/list.txt', `${service.origin}/none.jpg`)
  const done = await call(run('Shoot'), { env: keys })
  expect(done.err).toContain('IMG_1.CR3 is a RAW file, which the service does not read')
  expect(done.err).toContain('2 pictures of this computer are uploaded to your storage')
  expect(done.summary(), done.err).toMatchObject({ images: 3, delivered: 2, failed: 1 })
  const names = readdirSync(join(folder, 'out'), { recursive: true }).map(String)
  expect(names).toContain(join('rings', 'copy.png'))
  expect(names).toContain('silber.png')
  // The same content twice is uploaded once.
  expect(puts(server.requests)).toHaveLength(2)
  expect(await server.objects()).toEqual([])
  // The service was given signed links; what we keep of the source is the file.
  const asked = service.books().runs.map(({ parameters }) => String(parameters['image']))
  expect(asked.filter((address) => address.includes('X-Amz-Signature='))).toHaveLength(2)
  const sources = (await manifest()).map((line) => line['source'])
  expect(sources).toContain(join(folder, 'Shoot', 'silber.png'))
  expect(JSON.stringify(done.out + done.err)).not.toMatch(/X-Amz|canary/)
})

test.concurrent('the same picture is delivered once, whatever its name and however its link is signed', async (t) => {
  const { call, run, write, service, server, folder } = await studio(t)
  await write('Shoot/a.png', await picture(30))
  expect((await call(run('Shoot'), { env: keys })).summary()).toMatchObject({ delivered: 1 })
  mkdirSync(join(folder, 'Other'))
  copyFileSync(join(folder, 'Shoot', 'a.png'), join(folder, 'Other', 'renamed.png'))
  const second = await call(run('Other'), { env: keys })
  expect(second.summary(), second.err).toMatchObject({ images: 1, skipped: 1, delivered: 0 })
  expect(service.books().runs).toHaveLength(1)
  expect((await call([...run('Other'), '--again'], { env: keys })).summary()).toMatchObject({ delivered: 1 })
  expect(service.books().runs).toHaveLength(2)
  expect(puts(server.requests)).toHaveLength(2)
})

test.concurrent('a program killed in the middle of an upload goes on with the part that was missing', async (t) => {
  const { start, run, write, server, service } = await studio(t)
  const noise = await sharp(randomBytes(2700 * 2700 * 3), { raw: { width: 2700, height: 2700, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  expect(noise.length).toBeGreaterThan(16 * 1024 * 1024)
  await write('Shoot/large.png', noise)
  let reached = () => {}
  const third = new Promise<void>((resolve) => (reached = resolve))
  server.intercept = (request) => {
    if (!request.url?.includes('partNumber=3')) return false
    reached()
    return true
  }
  const first = start(run('Shoot'), { env: keys })
  await third
  first.child.kill('SIGKILL')
  await first.ended
  server.intercept = () => false
  expect(puts(server.requests)).toHaveLength(3)
  server.requests.length = 0
  const second = await start(['resume', '--json'], { env: keys }).ended
  expect(second.summary(), second.err).toMatchObject({ delivered: 1, failed: 0 })
  const uploads = server.requests.filter((one) => /uploadId|uploads/.test(one))
  expect(uploads.filter((one) => one.startsWith('PUT'))).toHaveLength(1)
  expect(uploads.filter((one) => one.endsWith(' uploads'))).toEqual([])
  expect(service.books().runs).toHaveLength(1)
  expect(await server.objects()).toEqual([])
})

test.concurrent('what is kept stays, and is not uploaded a second time', async (t) => {
  const { call, run, write, server } = await studio(t, { keep: true })
  await write('Shoot/a.png', await picture(40))
  expect((await call(run('Shoot'), { env: keys })).summary()).toMatchObject({ delivered: 1 })
  const content = createHash('sha256')
    .update(await picture(40))
    .digest('hex')
  expect(await server.objects()).toEqual([`${content}.png`])
  await call([...run('Shoot'), '--again'], { env: keys })
  expect(puts(server.requests)).toHaveLength(1)
})

test.concurrent('a picture is converted before it is uploaded', async (t) => {
  const conversion = { format: 'jpeg', longestSide: 256 } as const
  const { call, run, write, server, folder } = await studio(t, { keep: true, conversion })
  await write('Shoot/wide.png', await picture(50, 900))
  const done = await call(run('Shoot'), { env: keys })
  expect(done.summary(), done.err).toMatchObject({ delivered: 1 })
  expect(await server.objects()).toEqual([expect.stringMatching(/^[0-9a-f]{64}-256\.jpg$/)])
  const delivered = readdirSync(join(folder, 'out')).find((name) => name.startsWith('wide'))!
  expect(await sharp(join(folder, 'out', delivered)).metadata()).toMatchObject({ width: 256, height: 256 })
  expect(readdirSync(join(folder, 'home', 'uploads'))).toEqual([])
})

test.concurrent('a link that is too old is told as what it is, and a retry of a picture whose object is gone signs and uploads anew', async (t) => {
  const { call, run, write, server, service } = await studio(t)
  await write('Shoot/a.png', await picture(60))
  let once = true
  server.intercept = (request, response) => {
    // The service is told that its link is too old.
    if (!once || request.method !== 'GET') return false
    once = false
    response
      .writeHead(403)
      .end('<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>')
    return true
  }
  const first = await call(run('Shoot'), { env: keys })
  expect(first.summary(), first.err).toMatchObject({ delivered: 0, failed: 1 })
  expect(await server.objects()).toEqual([])
  const again = await call(['retry', '--all', '--yes', '--json'], { env: keys })
  expect(again.summary(), again.err).toMatchObject({ delivered: 1, failed: 0 })
  const [one, two] = service.books().runs.map(({ parameters }) => String(parameters['image']))
  expect(one!.split('?')[0]).toBe(two!.split('?')[0])
})

test.concurrent('a file that has changed since it was added is not sent', async (t) => {
  const { call, run, write, service, server } = await studio(t)
  await write('Shoot/a.png', await picture(62))
  await write('Shoot/b.png', await picture(63))
  expect((await call([...run('Shoot'), '--test', '1'], { env: keys })).status).toBe(0)
  await write('Shoot/b.png', await picture(64))
  const released = await call(['release', '--all', '--yes', '--json'], { env: keys })
  expect(released.summary(), released.err).toMatchObject({ delivered: 1, failed: 1 })
  expect(released.err).toMatch(/b\.png has changed since it was added; add it again/)
  expect(service.books().runs).toHaveLength(1)
  expect(puts(server.requests)).toHaveLength(1)
})

test.concurrent('a storage that rejects the keys ends the run before anything is sent', async (t) => {
  const { call, run, write, service, server } = await studio(t)
  await write('Shoot/a.png', await picture(70))
  const wrong = { ...keys, VITRINE_S3_ACCESS_KEY: 'NOBODY' }
  const done = await call(run('Shoot'), { env: wrong })
  expect(done.status, done.err).toBe(2)
  expect(done.err).toContain('rejected the keys (InvalidAccessKeyId); give them again')
  expect(service.books().runs).toEqual([])
  expect(await server.objects()).toEqual([])
  const none = await call([...run('Shoot'), '--again'], { env: {} })
  expect(none.status).toBe(64)
  expect(none.err).toContain('Set VITRINE_S3_ACCESS_KEY')
  // With the right keys it goes on where it was.
  expect((await call(['resume', '--json'], { env: keys })).summary()).toMatchObject({ delivered: 1 })
})

test.concurrent('no key of the storage and no signed link is ever on the disk', async (t) => {
  const { call, run, write, folder } = await studio(t)
  await write('Shoot/a.png', await picture(80))
  expect((await call(run('Shoot'), { env: keys })).status).toBe(0)
  for (const name of readdirSync(join(folder, 'home'), { recursive: true }).map(String)) {
    const path = join(folder, 'home', name)
    if (statSync(path).isFile())
      expect(readFileSync(path).toString('latin1'), name).not.toMatch(/canary|X-Amz/)
  }
})

test.concurrent('a folder that is on the web already: each path has its address, and the first picture is looked at', async (t) => {
  const { call, write, service, folder, manifest } = await stage(t, { imageWork: 'real', processing: 0.02 })
  const { createServer } = await import('node:http')
  const shop = createServer((request, response) => {
    const path = decodeURIComponent(request.url!.replace(/^\/shop\//, ''))
    try {
      response.end(readFileSync(join(folder, 'Shoot', path)))
    } catch {
      response.writeHead(404).end()
    }
  }).listen(0, '127.0.0.1')
  t.onTestFinished(() => void shop.close())
  await new Promise((resolve) => shop.once('listening', resolve))
  const address = `http://127.0.0.1:${(shop.address() as { port: number }).port}/shop`
  await write('Shoot/Été #1/ring 50%.png', await picture(90))
  await write('Shoot/b.png', await picture(91))
  const words = ['--app', 'rescue', '--out', 'out', '--json', '--yes']
  const done = await call(['run', 'Shoot', '--publish', address, ...words])
  expect(done.summary(), done.err).toMatchObject({ images: 2, delivered: 2 })
  expect((await manifest()).map((line) => line['source'])).toEqual([
    `${address}/%C3%89t%C3%A9%20%231/ring%2050%25.png`,
    `${address}/b.png`,
  ])
  expect(readdirSync(join(folder, 'out', 'Été #1'))).toEqual(['ring 50%.png'])
  const wrong = await call(['run', 'Shoot', '--publish', `${address}/elsewhere`, ...words])
  expect(wrong.status).toBe(64)
  expect(wrong.err).toContain('There is nothing at this address (404)')
  expect(service.books().runs).toHaveLength(2)
  // Set up once and for all.
  expect((await call(['files', 'address', 'Shoot', address])).status).toBe(0)
  expect((await call(['files', 'check'])).err).toContain('The folder is published')
  writeFileSync(join(folder, 'Shoot', 'c.png'), await picture(92))
  expect((await call(['run', 'Shoot', ...words])).summary()).toMatchObject({ skipped: 2, delivered: 1 })
  expect((await call(['files', '--json'])).records()).toEqual([
    { address: { folder: join(folder, 'Shoot'), address: `${address}/` }, storage: null },
  ])
  expect((await call(['files', 'remove', 'address'])).status).toBe(0)
  expect((await call(['run', 'Shoot', ...words])).status).toBe(64)
})

test.concurrent('without own files local pictures are named, with what to do', async (t) => {
  const { call, write } = await stage(t)
  await write('Shoot/a.png', await picture(100))
  const done = await call(['run', 'Shoot', '--app', 'rescue', '--out', 'out', '--yes'])
  expect(done.status).toBe(64)
  expect(done.err).toContain('set up own files')
  for (const [how, word] of [
    ['storage', 'vitrine files storage'],
    ['address', 'vitrine files address'],
    ['ftp://x', 'must be storage'],
  ] as const) {
    const refused = await call(['run', 'Shoot', '--app', 'rescue', '--publish', how, '--yes'])
    expect(refused.status).toBe(64)
    expect(refused.err).toContain(word)
  }
})

test.concurrent('a lost answer about an own picture is settled by the service’s list: charged once, the second link is signed anew', async (t) => {
  const faults = [
    { on: 'submit', nth: 1, fault: { kind: 'reset-after' } },
    { on: 'submit', nth: 2, fault: { kind: 'reset-before' } },
  ] as const
  const { call, run, write, service } = await studio(t, {}, { faults: [...faults] })
  await write('Shoot/a.png', await picture(110))
  await write('Shoot/b.png', await picture(111))
  const done = await call(run('Shoot'), { env: keys })
  expect(done.summary(), done.err).toMatchObject({ delivered: 2, creditsCharged: 4 })
  const { runs } = service.books()
  expect(runs).toHaveLength(2)
  const objects = runs.map(({ parameters }) => String(parameters['image']).split('?')[0])
  expect(new Set(objects).size).toBe(2)
})

test.concurrent('what the own picture says of itself comes into the result where that is wanted', async (t) => {
  const { call, run, write, folder } = await studio(t)
  const source = sharp(await picture(120)).withExif({ IFD0: { Copyright: 'Studio Vermeil' } })
  await write('Shoot/a.jpg', await source.jpeg().toBuffer())
  const done = await call([...run('Shoot'), '--metadata', 'source'], { env: keys })
  expect(done.summary(), done.err).toMatchObject({ delivered: 1 })
  const delivered = readdirSync(join(folder, 'out')).find((name) => name.startsWith('a.'))!
  const { exif } = await sharp(join(folder, 'out', delivered)).metadata()
  expect(exif?.toString('latin1')).toContain('Studio Vermeil')
})

test.concurrent('a storage that has trouble for a while is waited for, and told of once', async (t) => {
  const { call, run, write, server, service } = await studio(t)
  await write('Shoot/a.png', await picture(130))
  await write('Shoot/b.png', await picture(131))
  let troubles = 5
  server.intercept = (_, response) => {
    if ((troubles -= 1) < 0) return false
    response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
    return true
  }
  const done = await call(run('Shoot'), { env: keys })
  expect(done.summary(), done.err).toMatchObject({ delivered: 2, failed: 0 })
  expect(done.err.match(/Pictures of this computer wait/g)?.length ?? 0).toBeLessThanOrEqual(1)
  expect(service.books().runs).toHaveLength(2)
})

test.concurrent('the keys are kept in the key store, given up with the storage, and shown nowhere', async (t) => {
  const { call, run, write, server } = await studio(t)
  const overrides = { vault: createMemoryVault() }
  const { endpoint, bucket } = server.storage
  const setUp = ['files', 'storage', '--endpoint', endpoint, '--bucket', bucket, '--prefix', 'a']
  expect((await call(setUp, { overrides })).err).toContain('Set VITRINE_S3_ACCESS_KEY')
  expect((await call(setUp, { env: keys, overrides })).err).toBe('The storage works and is set up.\n')
  await write('Shoot/a.png', await picture(140))
  expect((await call(run('Shoot'), { overrides })).summary()).toMatchObject({ delivered: 1 })
  expect(puts(server.requests).at(-1)).toMatch(/^PUT \/pictures\/a\/[0-9a-f]{12}\/[0-9a-f]{64}\.png$/)
  const shown = await call(['files'], { overrides })
  expect(shown.out).toContain('keys: known')
  expect((await call(['files', 'check'], { overrides })).err).toContain('The storage works')
  expect((await call(['files', 'remove', 'storage'], { overrides })).status).toBe(0)
  expect(await overrides.vault.read('own files: secret key')).toEqual({ kind: 'none' })
  expect(shown.out + shown.err).not.toContain('canary')
})
