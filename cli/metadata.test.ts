import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { stage, type TestEnd } from './testing/stage.ts'

/** A host of one source, with a copyright line; a test may hold its answer back. */
async function sourceHost(t: TestEnd) {
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#b08d57' } })
    .withExif({ IFD0: { Copyright: 'Studio Gold', Make: 'Phase One' } })
    .jpeg()
    .toBuffer()
  let hold: ((response: ServerResponse) => void) | undefined
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    if (hold) hold(response)
    else response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/ring.jpg`,
    asked: () => asked,
    /** Resolves when it is asked; the answer begins, and does not end. */
    holdNext: () =>
      new Promise<void>((resolve) => {
        hold = (response) => {
          hold = undefined
          response.writeHead(200, { 'content-length': picture.length })
          response.write(picture.subarray(0, 300))
          resolve()
        }
      }),
  }
}

const parts = (folder: string) => readdirSync(join(folder, 'out')).filter((name) => name.endsWith('.part'))

function hashOf(file: string) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

test('--metadata source+run: outputs carry both, and the manifest has the hash of what is there', async (t) => {
  const { call, folder, manifest } = await stage(t)
  const { url, asked } = await sourceHost(t)
  const run = ['run', url, '--app', 'rescue', '--set', 'debanding=true', '--out', 'out', '--yes']
  const done = await call([...run, '--metadata', 'source+run'])
  expect(done.status, done.err).toBe(0)
  const [line] = (await manifest()) as [{ outputs: { path: string; sha256: string }[] }]
  expect(line.outputs).toHaveLength(2)
  for (const { path, sha256 } of line.outputs) {
    const file = join(folder, 'out', path)
    expect(hashOf(file)).toBe(sha256)
    const { exif, xmp } = await sharp(file).metadata()
    expect(exif?.toString('latin1')).toContain('Studio Gold')
    expect(xmp?.toString('utf8')).toContain('urn:vitrine:run:')
  }
  expect(asked()).toBe(1)
  expect(parts(folder)).toEqual([])
  expect(readdirSync(join(folder, 'home', 'metadata'))).toEqual([])
})

test('without it downloads stay as they came, and the source is not asked for', async (t) => {
  const { call, folder } = await stage(t)
  const { url, asked } = await sourceHost(t)
  expect((await call(['run', url, '--app', 'rescue', '--out', 'out', '--yes'])).status).toBe(0)
  expect(asked()).toBe(0)
  expect(existsSync(join(folder, 'home', 'metadata'))).toBe(false)
})

test('--metadata source+sidecar writes the run beside the picture', async (t) => {
  const { call, folder } = await stage(t)
  const { url } = await sourceHost(t)
  const run = ['run', url, '--app', 'rescue', '--out', 'out', '--yes', '--metadata', 'source+sidecar']
  expect((await call(run)).status).toBe(0)
  const names = readdirSync(join(folder, 'out')).filter((name) => name.startsWith('ring'))
  expect(names).toEqual(['ring.png', 'ring.png.xmp'])
  expect(readFileSync(join(folder, 'out', 'ring.png.xmp'), 'utf8')).toContain('urn:vitrine:run:')
  expect(readFileSync(join(folder, 'out', 'ring.png')).toString('latin1')).not.toContain('urn:vitrine:run:')
})

test('a source that is gone is a warning; the picture is delivered all the same', async (t) => {
  const { call, folder } = await stage(t)
  const gone = 'http://127.0.0.1:9/ring.jpg'
  const done = await call(['run', gone, '--app', 'rescue', '--out', 'out', '--yes', '--metadata', 'source'])
  expect(done.status, done.err).toBe(0)
  expect(done.err).toContain('ring.jpg: its source could not be read for its metadata:')
  expect(existsSync(join(folder, 'out', 'ring.png'))).toBe(true)
})

test('killed in the middle of it, a resume delivers each file once, with its metadata', async (t) => {
  const { call, start, folder, manifest, service } = await stage(t)
  const { url, holdNext } = await sourceHost(t)
  const held = holdNext()
  const run = ['run', url, '--app', 'rescue', '--out', 'out', '--yes', '--metadata', 'source+run']
  const { child, ended } = start(run)
  await held
  // The download is whole under its hidden name, and the source is on its way.
  expect(parts(folder)).toHaveLength(1)
  child.kill('SIGKILL')
  await ended
  expect(existsSync(join(folder, 'out', 'ring.png'))).toBe(false)
  const done = await call(['resume'])
  expect(done.status, done.err).toBe(0)
  expect(readdirSync(join(folder, 'out')).toSorted()).toEqual(['manifest.jsonl', 'ring.png'])
  const [line] = (await manifest()) as [{ outputs: { sha256: string }[] }]
  expect(hashOf(join(folder, 'out', 'ring.png'))).toBe(line.outputs[0]!.sha256)
  expect(readFileSync(join(folder, 'out', 'ring.png')).toString('latin1')).toContain('Studio Gold')
  expect(service.books().runs).toHaveLength(1)
  expect(readdirSync(join(folder, 'home', 'metadata'))).toEqual([])
})

test('a wrong word for it is wrong use', async (t) => {
  const { call } = await stage(t)
  expect((await call(['run', 'http://127.0.0.1:9/a.jpg', '--metadata', 'all'])).status).toBe(64)
})
