import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { httpText, startRawServer } from '../service/testing/raw-server.ts'
import { createDownloads } from '../service/undici-downloads.ts'
import { createDelivery } from './create-delivery.ts'
import { DeliveryError } from './delivery-error.ts'
import type { Delivery, FetchedPart, Placement } from './delivery.ts'
import type { Files } from './files.ts'
import { folderMark } from './folder-mark.ts'
import { probeName } from './output-folder.ts'
import { nodeFiles } from './node-files.ts'

let picture: Buffer
let other: Buffer
beforeAll(async () => {
  const raw = { width: 90, height: 60, channels: 3 as const }
  // Noise does not compress: the files are as large as their pixels.
  const noise = (seed: string) =>
    Buffer.concat(
      Array.from({ length: (90 * 60 * 3) / 30 }, (_, i) =>
        createHash('sha256')
          .update(seed + i)
          .digest()
          .subarray(0, 30),
      ),
    )
  picture = await sharp(noise('a'), { raw }).png().toBuffer()
  other = await sharp(noise('b'), { raw }).jpeg().toBuffer()
})

let outDir = ''
beforeEach(async () => {
  outDir = await mkdtemp(join(tmpdir(), 'vitrine-delivery-'))
})
const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
  await rm(outDir, { recursive: true, force: true })
})

function answer(status: number, body: Buffer, headers: Readonly<Record<string, string>> = {}) {
  const head = httpText(status, '', { 'content-length': String(body.length), ...headers })
  return Buffer.concat([Buffer.from(head), body])
}

/** Time that passes at once, so that pauses cost nothing. */
function quickClock() {
  let time = 0
  const sleep = (ms: number) => {
    time += ms
    return Promise.resolve()
  }
  return { now: () => Date.now(), monotonic: () => time, sleep }
}

async function deliveryFrom(
  respond: Parameters<typeof startRawServer>[0],
  files: Files = nodeFiles,
  mark = '',
) {
  const server = await startRawServer(respond)
  const downloads = createDownloads({ baseUrl: `http://127.0.0.1:${server.port}/api/v1`, idleMs: 10_000 })
  open.push(
    () => server.close(),
    () => downloads.close(),
  )
  const delivery = createDelivery({ downloads, clock: quickClock(), files, mark })
  const fetch = (folder = '') =>
    delivery.fetchToPart({
      url: `http://127.0.0.1:${server.port}/a.png?sig=canary`,
      outDir,
      folder,
      isVideo: false,
    })
  return { server, delivery, fetch }
}

async function refusalOf(work: Promise<unknown>): Promise<DeliveryError> {
  const error: unknown = await work.then(
    (value) => value,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof DeliveryError)) throw new Error(`expected a DeliveryError, got ${String(error)}`)
  expect(error.message).toMatch(/^\S.*\.$/)
  expect(error.message).not.toContain('canary')
  return error
}

function sha256(bytes: Uint8Array) {
  return createHash('sha256').update(bytes).digest('hex')
}

function placementOf(part: FetchedPart, relative: string, replace = false): Placement {
  return { outDir, part: part.part, relative, bytes: part.bytes, sha256: part.sha256, replace }
}

function nameRequest(
  part: FetchedPart,
  relative = 'a.png',
  onConflict: 'rename' | 'skip' | 'overwrite' = 'rename',
  claimed: string[] = [],
) {
  return {
    outDir,
    relative,
    onConflict,
    bytes: part.bytes,
    sha256: part.sha256,
    claimed: (name: string) => claimed.includes(name),
  }
}

test('a result comes whole: hidden part, checked, then under its name, and nothing else is left', async () => {
  const { delivery, fetch } = await deliveryFrom((socket) => socket.end(answer(200, picture)))
  const part = await fetch('Rings/Bands')
  expect(part).toMatchObject({
    bytes: picture.length,
    sha256: sha256(picture),
    extension: 'png',
    width: 90,
    height: 60,
  })
  expect(await readdir(join(outDir, 'Rings/Bands'))).toEqual([expect.stringMatching(/^\.vitrine-\w+\.part$/)])
  const name = await delivery.settleName(nameRequest(part, 'Rings/Bands/a.png'))
  expect(name).toMatchObject({ kind: 'free', relative: 'Rings/Bands/a.png', replace: false })
  expect(await delivery.placePart(placementOf(part, name.relative))).toBe('placed')
  expect(await readdir(join(outDir, 'Rings/Bands'))).toEqual(['a.png'])
  expect(await readFile(join(outDir, 'Rings/Bands/a.png'))).toEqual(picture)
})

test.each([
  [400, {}, { kind: 'link-expired' }],
  [403, {}, { kind: 'link-expired' }],
  [404, {}, { kind: 'link-expired' }],
  [410, {}, { kind: 'link-expired' }],
  [429, { 'retry-after': '3' }, { kind: 'busy', retryAfterMs: 3000 }],
  [503, {}, { kind: 'busy', retryAfterMs: undefined }],
  [500, {}, { kind: 'network' }],
  [204, {}, { kind: 'network' }],
  [206, { 'content-range': 'bytes 0-3/4' }, { kind: 'network' }],
])('status %i is told as it is to be dealt with, and leaves nothing', async (status, headers, outcome) => {
  const { fetch } = await deliveryFrom((socket) =>
    socket.end(answer(status, Buffer.from(status === 204 ? '' : 'oops'), headers)),
  )
  expect(await refusalOf(fetch())).toMatchObject(outcome)
  expect(await readdir(outDir)).toEqual([])
})

test.each([
  ['a page', () => Buffer.from('<!doctype html><title>x</title>'), 'not-an-image'],
  [
    'swapped bytes',
    () => Buffer.concat([picture.subarray(0, 200), picture.subarray(300), picture.subarray(200, 300)]),
    'not-an-image',
  ],
  ['half a picture', () => picture.subarray(0, 3000), 'not-an-image'],
  ['nothing', () => Buffer.alloc(0), 'truncated'],
])('%s with status 200 is not delivered', async (_, body, kind) => {
  const { fetch } = await deliveryFrom((socket) => socket.end(answer(200, body())))
  expect((await refusalOf(fetch())).kind).toBe(kind)
  expect(await readdir(outDir)).toEqual([])
})

test('a download that breaks goes on where it stopped, if it is surely the same file', async () => {
  const { server, fetch } = await deliveryFrom((socket, request, n) => {
    if (n === 1)
      socket.end(
        answer(200, picture.subarray(0, 2000), { 'content-length': String(picture.length), etag: '"v1"' }),
      )
    else {
      expect(request.head.toLowerCase()).toContain('range: bytes=2000-')
      const range = `bytes 2000-${picture.length - 1}/${picture.length}`
      socket.end(answer(206, picture.subarray(2000), { 'content-range': range, etag: '"v1"' }))
    }
  })
  expect(await fetch()).toMatchObject({ sha256: sha256(picture) })
  expect(server.requests).toHaveLength(2)
})

test('a file that changed between is taken from its beginning', async () => {
  const { server, fetch } = await deliveryFrom((socket, _, n) => {
    if (n === 1)
      socket.end(
        answer(200, picture.subarray(0, 2000), { 'content-length': String(picture.length), etag: '"v1"' }),
      )
    else if (n === 2)
      socket.end(answer(206, other.subarray(2000), { 'content-range': `bytes 2000-2999/3000`, etag: '"v2"' }))
    else socket.end(answer(200, other, { etag: '"v2"' }))
  })
  expect(await fetch()).toMatchObject({ sha256: sha256(other), extension: 'jpg' })
  expect(server.requests).toHaveLength(3)
})

test('the rest of another file of the same length is not joined to the first half', async () => {
  const changed = Buffer.concat([picture.subarray(0, 1000), Buffer.alloc(9), picture.subarray(1009)])
  const total = picture.length
  const { server, fetch } = await deliveryFrom((socket, _, n) => {
    const range = { 'content-range': `bytes 2000-${total - 1}/${total}`, etag: '"v2"' }
    if (n === 1)
      socket.end(answer(200, changed.subarray(0, 2000), { 'content-length': String(total), etag: '"v1"' }))
    else if (n === 2) socket.end(answer(206, picture.subarray(2000), range))
    else socket.end(answer(200, picture, { etag: '"v2"' }))
  })
  expect(await fetch()).toMatchObject({ sha256: sha256(picture) })
  expect(server.requests).toHaveLength(3)
})

test('fewer bytes than were announced are not a result, whoever fetched them', async () => {
  const body = async function* () {
    yield await Promise.resolve(picture)
  }
  const headers = { 'content-length': String(picture.length + 1) }
  const downloads = { open: () => Promise.resolve({ status: 200, headers, body: body() }) }
  const delivery = createDelivery({ downloads, clock: quickClock() })
  const request = { url: 'https://files.example/a', outDir, folder: '', isVideo: false }
  expect((await refusalOf(delivery.fetchToPart(request))).kind).toBe('truncated')
  expect(await readdir(outDir)).toEqual([])
})

test('without a strong ETag, and after several breaks, a broken download is given up', async () => {
  const half = { 'content-length': String(100_000) }
  const weak = await deliveryFrom((socket) => socket.end(answer(200, picture, { ...half, etag: 'W/"v1"' })))
  expect((await refusalOf(weak.fetch())).kind).toBe('truncated')
  expect(weak.server.requests).toHaveLength(1)
  const strong = await deliveryFrom((socket) => socket.end(answer(200, picture, { ...half, etag: '"v1"' })))
  expect((await refusalOf(strong.fetch())).kind).toBe('truncated')
  expect(strong.server.requests.length).toBeLessThanOrEqual(5)
  expect(await readdir(outDir)).toEqual([])
})

test('names: another file is kept, this very result counts as placed, a claimed name is left alone', async () => {
  const { delivery, fetch } = await deliveryFrom((socket) => socket.end(answer(200, picture)))
  const part = await fetch()
  await writeFile(join(outDir, 'a.png'), 'mine')
  expect(await delivery.settleName(nameRequest(part))).toMatchObject({ kind: 'free', relative: 'a (2).png' })
  expect(await delivery.settleName(nameRequest(part, 'a.png', 'skip'))).toMatchObject({
    kind: 'skip',
    relative: 'a.png',
  })
  expect(await delivery.settleName(nameRequest(part, 'a.png', 'overwrite'))).toMatchObject({
    kind: 'free',
    relative: 'a.png',
    replace: true,
  })
  await writeFile(join(outDir, 'a (2).png'), picture)
  expect(await delivery.settleName(nameRequest(part))).toMatchObject({
    kind: 'already',
    relative: 'a (2).png',
  })
  expect(await delivery.settleName(nameRequest(part, 'a.png', 'rename', ['a (2).png']))).toMatchObject({
    relative: 'a (3).png',
  })
  await mkdir(join(outDir, 'b.png'))
  expect(await delivery.settleName(nameRequest(part, 'b.png', 'overwrite'))).toMatchObject({
    relative: 'b (2).png',
    replace: false,
  })
})

test('a file of the same length is another file all the same: kept, and never taken for the result', async () => {
  const { delivery, fetch } = await deliveryFrom((socket) => socket.end(answer(200, picture)))
  const part = await fetch()
  const another = Buffer.from(picture)
  another[picture.length - 20]! ^= 1
  await writeFile(join(outDir, 'a.png'), another)
  expect(await delivery.settleName(nameRequest(part))).toMatchObject({ kind: 'free', relative: 'a (2).png' })
  expect(await delivery.recoverPlacement(placementOf(part, 'a.png'))).toBe('name-taken')
  expect(await delivery.recoverPlacement({ ...placementOf(part, 'a.png'), part: null })).toBe('fetch-again')
  // A part of which the disk has kept the length alone is no result either.
  await writeFile(part.part, another)
  expect(await delivery.recoverPlacement(placementOf(part, 'b.png'))).toBe('fetch-again')
  expect(await readdir(outDir)).toEqual(['a.png'])
  expect(await readFile(join(outDir, 'a.png'))).toEqual(another)
})

test('a free name is found among ten thousand with few looks', async () => {
  const { delivery, fetch } = await deliveryFrom((socket) => socket.end(answer(200, picture)))
  const part = await fetch()
  let looks = 0
  const claimed = (name: string) => {
    looks += 1
    return Number(/\((\d+)\)/.exec(name)?.[1] ?? 1) <= 10_000
  }
  expect(await delivery.settleName({ ...nameRequest(part), claimed })).toMatchObject({
    relative: 'a (10001).png',
  })
  expect(looks).toBeLessThan(60)
})

const without =
  (code: string): Files['link'] =>
  () =>
    Promise.reject(Object.assign(new Error(code), { code }))
const noLinks: Files = { ...nodeFiles, link: without('ENOTSUP') }

test.each([
  ['with links', nodeFiles],
  ['without links', noLinks],
])('%s a file that has the name is never replaced unasked', async (_, files) => {
  const { delivery, fetch } = await deliveryFrom((socket) => socket.end(answer(200, picture)), files)
  const part = await fetch()
  await writeFile(join(outDir, 'a.png'), 'mine')
  expect(await delivery.placePart(placementOf(part, 'a.png'))).toBe('name-taken')
  expect(await readFile(join(outDir, 'a.png'), 'utf8')).toBe('mine')
  expect(await delivery.placePart(placementOf(part, 'b.png'))).toBe('placed')
  const again = await fetch()
  expect(await delivery.placePart(placementOf(again, 'a.png', true))).toBe('placed')
  expect((await readdir(outDir)).toSorted()).toEqual(['a.png', 'b.png'])
  expect(await readFile(join(outDir, 'a.png'))).toEqual(picture)
})

test('a scanner that holds the file for a moment is waited for; one that never lets go is told', async () => {
  let held = 5
  const rename: Files['rename'] = (from, to) =>
    (held -= 1) > 0 ? without('EBUSY')(from, to) : nodeFiles.rename(from, to)
  const { delivery, fetch } = await deliveryFrom((socket) => socket.end(answer(200, picture)), {
    ...noLinks,
    rename,
  })
  expect(await delivery.placePart(placementOf(await fetch(), 'a.png'))).toBe('placed')
  held = Number.POSITIVE_INFINITY
  const part = await fetch()
  expect((await refusalOf(delivery.placePart(placementOf(part, 'b.png')))).kind).toBe('disk')
  expect(await readFile(part.part)).toEqual(picture)
  expect(await readdir(outDir)).not.toContain('b.png')
})

test('nothing is written outside of the output folder', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'vitrine-elsewhere-'))
  open.push(() => rm(elsewhere, { recursive: true }))
  await symlink(elsewhere, join(outDir, 'Rings'))
  await mkdir(join(outDir, 'inner'))
  await symlink(join(outDir, 'inner'), join(outDir, 'alias'))
  const { delivery, fetch } = await deliveryFrom((socket) => socket.end(answer(200, picture)))
  for (const folder of ['Rings', 'Rings/deep', '..', '../x', 'a/../..', '/etc', 'C:\\x', 'a//b']) {
    expect((await refusalOf(fetch(folder))).kind).toBe('outside')
  }
  const part = await fetch('alias')
  for (const relative of ['Rings/a.png', '../a.png', '/etc/a.png', 'x\\..\\..\\a.png', '', '.']) {
    expect((await refusalOf(delivery.placePart(placementOf(part, relative)))).kind).toBe('outside')
  }
  const foreign = join(elsewhere, '.vitrine-1.part')
  await writeFile(foreign, picture)
  const stolen = { ...placementOf(part, 'a.png'), part: foreign }
  expect((await refusalOf(delivery.placePart(stolen))).kind).toBe('outside')
  expect(await delivery.recoverPlacement(stolen)).toBe('fetch-again')
  expect((await refusalOf(delivery.discardPart(join(elsewhere, 'x.png')))).kind).toBe('outside')
  expect(await readdir(elsewhere)).toEqual(['.vitrine-1.part'])
  expect(await delivery.placePart(placementOf(part, 'alias/a.png'))).toBe('placed')
})

test('an output folder that is gone is not made anew somewhere else', async () => {
  const { fetch } = await deliveryFrom((socket) => socket.end(answer(200, picture)))
  await rm(outDir, { recursive: true })
  const error = await refusalOf(fetch('Rings'))
  expect(error).toMatchObject({ kind: 'folder-missing', stopsBatch: true })
  await expect(readdir(outDir)).rejects.toThrow('ENOENT')
})

test('a file where a folder is needed concerns that file alone', async () => {
  await writeFile(join(outDir, 'Rings'), 'x')
  const { fetch } = await deliveryFrom((socket) => socket.end(answer(200, picture)))
  expect(await refusalOf(fetch('Rings'))).toMatchObject({ kind: 'in-the-way', stopsBatch: false })
})

test('a folder that may not be written is told', async () => {
  const { fetch } = await deliveryFrom((socket) => socket.end(answer(200, picture)), {
    ...nodeFiles,
    create: without('EACCES') as unknown as Files['create'],
  })
  await chmod(outDir, 0o555)
  expect(await refusalOf(fetch())).toMatchObject({ kind: 'read-only', stopsBatch: true })
})

/** Files of which the n-th call that changes something fails, or ends everything from there on. */
function failingAt(at: number, code: string, once: boolean) {
  let calls = 0
  const step = () => {
    calls += 1
    if (calls === at || (!once && calls > at)) throw Object.assign(new Error(code), { code })
  }
  const guarded =
    <A extends unknown[], R>(act: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      step()
      return await act(...args)
    }
  const files: Files = {
    ...nodeFiles,
    async create(path) {
      step()
      const file = await nodeFiles.create(path)
      return {
        write: guarded(file.write),
        restart: guarded(file.restart),
        sync: guarded(file.sync),
        close: file.close,
      }
    },
    makeFolder: guarded(nodeFiles.makeFolder),
    link: guarded(nodeFiles.link),
    rename: guarded(nodeFiles.rename),
    remove: guarded(nodeFiles.remove),
    syncFolder: guarded(nodeFiles.syncFolder),
  }
  return { files, calls: () => calls }
}

/** One result from link to name, as the queue does it; `record` is what would be in the store. */
async function deliverOnce(
  delivery: Delivery,
  fetch: (folder?: string) => Promise<FetchedPart>,
  record: (placement: Placement) => void,
) {
  const part = await fetch('Rings')
  const name = await delivery.settleName(nameRequest(part, 'Rings/a.png'))
  const placement = placementOf(part, name.relative)
  record(placement)
  return await delivery.placePart(placement)
}

test.each([
  ['ENOSPC', true],
  ['ENOSPC', false],
  ['EIO', true],
  ['EIO', false],
])(
  'an error (%s, once: %s) at any step leaves no half file under a name, and the next start ends with exactly one',
  async (code, once) => {
    const steps = { done: false, tried: 0 }
    for (let at = 1; !steps.done; at += 1) {
      steps.tried = at
      const failing = failingAt(at, code, once)
      const broken = await deliveryFrom((socket) => socket.end(answer(200, picture)), failing.files)
      let recorded: Placement | undefined
      const outcome = await deliverOnce(
        broken.delivery,
        broken.fetch,
        (placement) => (recorded = placement),
      ).catch((error: unknown) => error)
      steps.done = failing.calls() < at
      if (steps.done) expect(outcome).toBe('placed')
      const before = await readFile(join(outDir, 'Rings/a.png')).catch(() => undefined)
      if (before) expect(before).toEqual(picture)

      // The next start, with files that work: what was recorded is settled, else it is fetched again.
      const { delivery, fetch } = await deliveryFrom((socket) => socket.end(answer(200, picture)))
      const settled = recorded ? await delivery.recoverPlacement(recorded) : 'fetch-again'
      if (settled === 'fetch-again') expect(await deliverOnce(delivery, fetch, () => {})).toBe('placed')
      await delivery.removeStaleParts(join(outDir, 'Rings'), new Set())
      expect(await readdir(join(outDir, 'Rings'))).toEqual(['a.png'])
      expect(await readFile(join(outDir, 'Rings/a.png'))).toEqual(picture)
      expect(
        await delivery.recoverPlacement({
          ...recorded!,
          outDir,
          part: null,
          relative: 'Rings/a.png',
          bytes: picture.length,
          sha256: sha256(picture),
          replace: false,
        }),
      ).toBe('placed')
      await rm(join(outDir, 'Rings'), { recursive: true })
    }
    expect(steps.tried).toBeGreaterThanOrEqual(6)
  },
)

test('after a crash: a whole part is placed, a damaged one is fetched again, a placed one is left alone', async () => {
  const { delivery, fetch } = await deliveryFrom((socket) => socket.end(answer(200, picture)))
  const whole = placementOf(await fetch(), 'a.png')
  expect(await delivery.recoverPlacement(whole)).toBe('placed')
  expect(await delivery.recoverPlacement(whole)).toBe('placed')
  expect(await readdir(outDir)).toEqual(['a.png'])

  const taken = placementOf(await fetch(), 'b.png')
  await writeFile(join(outDir, 'b.png'), 'mine')
  expect(await delivery.recoverPlacement(taken)).toBe('name-taken')
  expect(await readFile(join(outDir, 'b.png'), 'utf8')).toBe('mine')
  // An empty file is what a placing without links leaves when it is cut short.
  await writeFile(join(outDir, 'b.png'), '')
  expect(await delivery.recoverPlacement(taken)).toBe('placed')

  const damaged = placementOf(await fetch(), 'c.png')
  await writeFile(damaged.part!, 'x')
  expect(await delivery.recoverPlacement(damaged)).toBe('fetch-again')
  expect((await readdir(outDir)).toSorted()).toEqual(['a.png', 'b.png'])
})

test('stale parts go, known ones and those under way stay', async () => {
  const { delivery, fetch } = await deliveryFrom((socket) => socket.end(answer(200, picture)))
  const part = await fetch()
  for (const name of ['.vitrine-old.part', '.vitrine-known.part', '.vitrine-x.txt', 'photo.part'])
    await writeFile(join(outDir, name), 'x')
  expect(await delivery.removeStaleParts(outDir, new Set([`/elsewhere/.vitrine-known.part`]))).toBe(1)
  const left = await readdir(outDir)
  expect(left).toHaveLength(4)
  expect(left).toContain(part.part.slice(part.part.lastIndexOf('/') + 1))
  await delivery.discardPart(part.part)
  expect(await readdir(outDir)).toHaveLength(3)
})

test('stale parts of another data folder stay: somebody may be writing them', async () => {
  const home = await mkdtemp(join(tmpdir(), 'vitrine-home-'))
  const mark = folderMark(home)
  expect(folderMark(home)).toBe(mark)
  const { delivery, fetch } = await deliveryFrom(
    (socket) => socket.end(answer(200, picture)),
    nodeFiles,
    mark,
  )
  const { part } = await fetch()
  expect(part).toContain(`.vitrine-${mark}-`)
  await delivery.discardPart(part)
  const own = [`.vitrine-${mark}-00ff.part`]
  const others = ['.vitrine-0123456789ab-00ff.part', '.vitrine-00ff.part']
  for (const name of [...own, ...others]) await writeFile(join(outDir, name), 'x')
  expect(await delivery.removeStaleParts(outDir, new Set())).toBe(1)
  expect((await readdir(outDir)).toSorted()).toEqual(others.toSorted())
  await rm(home, { recursive: true })
})

test('a mark that a power failure left empty is made anew, once', async () => {
  const home = await mkdtemp(join(tmpdir(), 'vitrine-home-'))
  await writeFile(join(home, 'mark'), '')
  const mark = folderMark(home)
  expect(mark).toMatch(/^[0-9a-f]{12}$/)
  expect(folderMark(home)).toBe(mark)
  await rm(home, { recursive: true })
})

test('a probe that a crash left goes with the stale parts, whoever made it', async () => {
  const { delivery } = await deliveryFrom((socket) => socket.end(answer(200, picture)))
  const similar = ['.vitrine-probe-notes', 'vitrine-probe-0123456789ab']
  for (const name of [probeName(), ...similar]) await writeFile(join(outDir, name), 'probe')
  expect(await delivery.removeStaleParts(outDir, new Set())).toBe(1)
  expect((await readdir(outDir)).toSorted()).toEqual(similar)
})

test('an aborted download leaves nothing', async () => {
  const abort = new AbortController()
  const server = await startRawServer((socket) => {
    socket.write(answer(200, picture.subarray(0, 2000), { 'content-length': '99999', etag: '"v"' }), () =>
      abort.abort(),
    )
  })
  const downloads = createDownloads({ baseUrl: `http://127.0.0.1:${server.port}/` })
  open.push(
    () => server.close(),
    () => downloads.close(),
  )
  const delivery = createDelivery({ downloads, clock: systemClock })
  const url = `http://127.0.0.1:${server.port}/a`
  const error = await refusalOf(
    delivery.fetchToPart({ url, outDir, folder: '', isVideo: false, signal: abort.signal }),
  )
  expect(error.kind).toBe('aborted')
  expect(await readdir(outDir)).toEqual([])
})

test('more bytes than any result has, or a download without an end, are broken off', async () => {
  const server = await startRawServer((socket) =>
    socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(200_000)}`),
  )
  const downloads = createDownloads({ baseUrl: `http://127.0.0.1:${server.port}/` })
  open.push(
    () => server.close(),
    () => downloads.close(),
  )
  const clock = quickClock()
  const request = { url: `http://127.0.0.1:${server.port}/a`, outDir, folder: '', isVideo: false }
  const small = createDelivery({ downloads, clock, bounds: { mostBytes: 100_000 } })
  expect((await refusalOf(small.fetchToPart(request))).kind).toBe('not-an-image')
  const slow = createDelivery({ downloads, clock, bounds: { wholeMs: -1 } })
  expect((await refusalOf(slow.fetchToPart(request))).kind).toBe('network')
})
