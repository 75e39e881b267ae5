import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Clock } from '../clock.ts'
import type { Files } from './files.ts'
import { createManifestWriter, manifestName, rewriteManifest } from './manifest.ts'
import type { ManifestBatch, ManifestLine } from './manifest.ts'
import { nodeFiles } from './node-files.ts'

let outDir = ''
beforeEach(async () => {
  outDir = await mkdtemp(join(tmpdir(), 'vitrine-manifest-'))
})
afterEach(() => rm(outDir, { recursive: true, force: true }))

function line(batch: string, n: number, change: Partial<ManifestLine> = {}): ManifestLine {
  const outputs = [
    { label: 'De-Banded', slug: 'primary', path: `Ringe/é${n}.png`, bytes: 10 + n, sha256: 'ab' },
  ]
  return {
    source: `https://x/${n}.jpg`,
    batch,
    runId: `r${n}`,
    status: 'delivered',
    credits: 4,
    outputs,
    error: null,
    ...change,
  }
}

function batchOf(batch: string, lines: readonly ManifestLine[]): ManifestBatch {
  return { outDir, batch, lines: () => lines }
}

/** Time that moves only when it is told to. */
function steppedClock() {
  let time = 0
  const sleepers: { at: number; wake: () => void }[] = []
  const clock: Clock = {
    now: () => time,
    monotonic: () => time,
    sleep: (ms) => new Promise((wake) => sleepers.push({ at: time + ms, wake })),
  }
  const pass = (ms: number) => {
    time += ms
    for (const sleeper of sleepers.splice(0)) {
      if (sleeper.at <= time) sleeper.wake()
      else sleepers.push(sleeper)
    }
  }
  return { clock, pass }
}

let names = 0
const randomName = () => {
  names += 1
  return `m${names}`
}
const parts = { files: nodeFiles, clock: steppedClock().clock, randomName }

function written() {
  return readFile(join(outDir, manifestName), 'utf8')
}

test('a batch writes a line for each image, in the fields and the order of the design', async () => {
  const extra = { ...line('b1', 1), secret: 'not for the file' }
  await rewriteManifest(
    parts,
    batchOf('b1', [extra, line('b1', 2, { outputs: [], status: 'failed', error: 'no "image"\n' })]),
  )
  expect(await written()).toBe(
    '{"source":"https://x/1.jpg","batch":"b1","runId":"r1","status":"delivered","credits":4,"outputs":[{"label":"De-Banded","slug":"primary","path":"Ringe/é1.png","bytes":11,"sha256":"ab"}],"error":null}\n' +
      '{"source":"https://x/2.jpg","batch":"b1","runId":"r2","status":"failed","credits":4,"outputs":[],"error":"no \\"image\\"\\n"}\n',
  )
  expect(await readdir(outDir)).toEqual([manifestName])
})

test('a folder that is gone is named, and not the file in it', async () => {
  const gone = { ...batchOf('b1', [line('b1', 1)]), outDir: join(outDir, 'gone') }
  await expect(rewriteManifest(parts, gone)).rejects.toThrow(
    `The output folder ${join(outDir, 'gone')} is gone;`,
  )
})

test('lines of other batches, and what nobody understands, stay byte for byte', async () => {
  const foreign = [
    Buffer.from('\ufeff{"batch":"b0","x":1}\r\n'),
    Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
    Buffer.from('{"batch":"b1", broken\n\n  {"note":"about b1"}\n'),
    Buffer.from('{"batch":"b10"}\n{"inner":{"batch":"b1"}}\n'),
    Buffer.from('last line without an end, é'),
  ]
  const own = Buffer.from(`${JSON.stringify(line('b1', 1))}\n`)
  await writeFile(
    join(outDir, manifestName),
    Buffer.concat([foreign[0]!, own, foreign[1]!, own, ...foreign.slice(2)]),
  )
  await rewriteManifest(parts, batchOf('b1', [line('b1', 5)]))
  const expected = Buffer.concat([
    foreign[0]!,
    Buffer.from(`${JSON.stringify(line('b1', 5))}\n`),
    ...foreign.slice(1),
    Buffer.from('\n'),
  ])
  expect(await readFile(join(outDir, manifestName))).toEqual(expected)
})

test('whatever stands in the file, others keep their bytes, and writing twice is writing once', async () => {
  const path = join(outDir, manifestName)
  const entry = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom('b1', 'b2', 'b"\\é').map((batch) => Buffer.from(JSON.stringify(line(batch, 3)))),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 8 }),
      fc.constantFrom('b1', 'b"\\é'),
      async (entries, batch) => {
        const others = entries.filter((bytes) => !bytes.includes(Buffer.from(JSON.stringify(batch))))
        await writeFile(path, Buffer.concat(entries.flatMap((bytes) => [bytes, Buffer.from('\n')])))
        await rewriteManifest(parts, batchOf(batch, [line(batch, 9)]))
        const once = await readFile(path)
        for (const bytes of others) expect(once.includes(bytes)).toBe(true)
        const own = Buffer.from(`${JSON.stringify(line(batch, 9))}\n`)
        const all = others.reduce((sum, bytes) => sum + bytes.length + 1, 0) + own.length
        expect(once).toHaveLength(all)
        await rewriteManifest(parts, batchOf(batch, [line(batch, 9)]))
        expect(await readFile(path)).toEqual(once)
      },
    ),
    { numRuns: 60 },
  )
})

test('a rewrite that fails leaves the old manifest whole and nothing beside it', async () => {
  await rewriteManifest(parts, batchOf('b1', [line('b1', 1)]))
  const before = await written()
  const fail = () => Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }))
  const full: Files = {
    ...nodeFiles,
    create: async (path) => ({ ...(await nodeFiles.create(path)), sync: fail }),
  }
  await expect(
    rewriteManifest({ ...parts, files: full }, batchOf('b1', [line('b1', 2)])),
  ).rejects.toMatchObject({ kind: 'disk-full' })
  expect(await written()).toBe(before)
  expect(await readdir(outDir)).toEqual([manifestName])
})

test('many changes are one rewrite; a flush writes what is left', async () => {
  const { clock, pass } = steppedClock()
  let rewrites = 0
  const files: Files = { ...nodeFiles, rename: (from, to) => ((rewrites += 1), nodeFiles.rename(from, to)) }
  const writer = createManifestWriter({
    files,
    clock,
    randomName,
    onError: (error) => expect.unreachable(error.message),
  })
  for (let n = 0; n < 1000; n += 1) writer.changed(batchOf('b1', [line('b1', n)]))
  expect(rewrites).toBe(0)
  pass(1000)
  await expect.poll(() => rewrites, { timeout: 20_000 }).toBe(1)
  expect(await written()).toContain('https://x/999.jpg')
  writer.changed(batchOf('b1', [line('b1', 1000)]))
  writer.changed(batchOf('b2', [line('b2', 1)]))
  expect(rewrites).toBe(1)
  await writer.flush()
  expect(rewrites).toBe(3)
  await writer.flush()
  expect(rewrites).toBe(3)
  expect((await written()).split('\n')).toHaveLength(3)
})

test('a failure in the background is told and made good at the next flush', async () => {
  const { clock, pass } = steppedClock()
  const told: Error[] = []
  let broken = true
  const files: Files = {
    ...nodeFiles,
    create: (path) =>
      broken ? Promise.reject(Object.assign(new Error('x'), { code: 'EROFS' })) : nodeFiles.create(path),
  }
  const writer = createManifestWriter({ files, clock, randomName, onError: (error) => told.push(error) })
  writer.changed(batchOf('b1', [line('b1', 1)]))
  pass(1000)
  await expect.poll(() => told.length, { timeout: 20_000 }).toBe(1)
  await expect(writer.flush()).rejects.toMatchObject({ kind: 'read-only' })
  broken = false
  await writer.flush(outDir)
  expect(await written()).toContain('r1')
})

test('a hundred thousand lines are streamed in large writes', async () => {
  let writes = 0
  const files: Files = {
    ...nodeFiles,
    create: async (path) => {
      const file = await nodeFiles.create(path)
      return { ...file, write: (chunks) => ((writes += 1), file.write(chunks)) }
    },
  }
  const lines = function* () {
    for (let n = 0; n < 100_000; n += 1) yield line('b1', n)
  }
  await rewriteManifest({ ...parts, files }, { outDir, batch: 'b1', lines })
  await rewriteManifest({ ...parts, files }, batchOf('b2', [line('b2', 1)]))
  expect((await written()).split('\n')).toHaveLength(100_002)
  expect(writes).toBeLessThan(400)
})
