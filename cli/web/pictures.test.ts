import { symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { filePath, runThumbnailPath, thumbnailPath } from '../../shared/contract/pictures.ts'
import {
  batchOnce,
  choiceOf,
  queryOf,
  readText,
  startProgram,
  until,
  type RunningProgram,
} from './testing/program.ts'

const ask = async ({ engine }: RunningProgram, path: string, headers: Record<string, string> = {}) =>
  await engine.pictures(new Request(`http://127.0.0.1/${path}`, { headers }))

/** A batch of two pieces of the sample shoot, delivered. */
async function delivered(program: RunningProgram) {
  const { api } = program
  await api.connections.usePractice({})
  const read = await until(
    api.intake.read({ sources: [{ kind: 'samples' }], token: 's' }),
    ({ kind }) => kind === 'found',
  )
  if (read.kind !== 'found') throw new Error('No samples.')
  expect(read.found).toMatchObject({ images: 24, problemCount: 0, suggestedName: 'Sample shoot' })
  expect(read.found.folders.length).toBeGreaterThan(1)
  const [left] = read.found.folders
  const choice = choiceOf(program, read.found.draft, { without: [left!.folder], test: 1 })
  const { estimate, held } = await api.intake.estimate(choice)
  expect(held).toBe(24 - left!.images - 1)
  const { batch } = await api.intake.begin({ estimate, start: true })
  await batchOnce(program, batch, ({ counts }) => counts.delivered === 1)
  const { rows } = await api.images.page({ query: queryOf(batch), offset: 0, limit: 2 })
  return { image: rows[0]!, second: rows[1]! }
}

test('small pictures of sources, outputs and runs, and whole files in parts', async (context) => {
  const program = await startProgram(context)
  const { image } = await delivered(program)
  const source = await ask(program, thumbnailPath(image.id, 'source', 128, image.version))
  expect([source.status, source.headers.get('content-type')]).toEqual([200, 'image/webp'])
  const small = await sharp(Buffer.from(await source.arrayBuffer())).metadata()
  expect(Math.max(small.width, small.height)).toBe(128)
  const output = await ask(program, thumbnailPath(image.id, 'primary', 512, image.version))
  expect(output.status).toBe(200)
  const { runs } = await program.api.runs.list({ page: 1, limit: 5, status: null })
  const run = await ask(program, runThumbnailPath(runs[0]!.runId, 256))
  expect([run.status, run.headers.get('content-type')]).toEqual([200, 'image/webp'])
  const whole = await ask(program, filePath(image.id, 'primary', image.version))
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'image/png'])
  const bytes = Buffer.from(await whole.arrayBuffer())
  const part = await ask(program, filePath(image.id, 'primary', image.version), { range: 'bytes=1-3' })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1-3/${bytes.length}`])
  expect(Buffer.from(await part.arrayBuffer()).toString()).toBe('PNG')
  const beyond = await ask(program, filePath(image.id, 'primary', 1), { range: `bytes=${bytes.length}-` })
  expect(beyond.status).toBe(416)
  expect(program.faults).toEqual([])
})

test('what is no picture of a batch is not there', async (context) => {
  const program = await startProgram(context)
  const { image, second } = await delivered(program)
  const paths = [
    'pictures/999/source/thumb-128',
    `pictures/${image.id}/other/thumb-128`,
    `pictures/${image.id}/source/thumb-129`,
    `pictures/${image.id}/source/thumb-1024`,
    `pictures/${image.id}/source/file`,
    `pictures/${second.id}/primary/file`,
    `pictures/${image.id}/..%2f..%2fetc%2fpasswd/file`,
    `pictures/${image.id}/%zz/file`,
    `pictures/-1/primary/file`,
    `pictures/${image.id}/primary/file/more`,
    'pictures/run/none/thumb-128',
    'pictures/',
  ]
  for (const path of paths) expect([path, (await ask(program, path)).status]).toEqual([path, 404])
  expect(program.faults).toEqual([])
})

test('a recorded path that leads out of the output folder is not opened', async (context) => {
  const program = await startProgram(context)
  const { image } = await delivered(program)
  const db = new Database(join(program.home, 'queue.db'))
  context.onTestFinished(() => void db.close())
  // A real picture, but not one of the batch; and a link to it from within.
  const outside = join(program.home, 'private.png')
  await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } }).toFile(outside)
  const link = join(program.out, 'Rings', 'link.png')
  await symlink(outside, link)
  const crooked = join(program.out, 'Rings', '..', '..', 'home', 'private.png')
  for (const path of [outside, crooked, link, '/etc/hostname']) {
    db.prepare('UPDATE output SET path = ? WHERE image_id = ?').run(path, image.id)
    expect((await ask(program, filePath(image.id, 'primary', 2))).status).toBe(404)
  }
  // Within the folder, but no picture.
  db.prepare('UPDATE output SET path = ?').run(join(program.out, 'Rings', 'manifest.jsonl'))
  expect((await ask(program, filePath(image.id, 'primary', 3))).status).toBe(404)
})

test('a source that cannot be had or shown says so, is not asked for again and again, and harms nothing', async (context) => {
  let asked = 0
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    asked += 1
    keys.push(request.headers.authorization, request.headers.cookie)
    if (request.url === '/broken.jpg') response.end('no picture at all')
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  context.onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const program = await startProgram(context)
  await program.api.connections.usePractice({})
  const found = await readText(
    program,
    ['gone', 'broken'].map((name) => `http://127.0.0.1:${port}/${name}.jpg`).join('\n'),
  )
  const { estimate } = await program.api.intake.estimate(choiceOf(program, found.draft))
  const { batch } = await program.api.intake.begin({ estimate, start: false })
  const { rows } = await program.api.images.page({ query: queryOf(batch), offset: 0, limit: 2 })
  for (let n = 0; n < 3; n += 1) {
    const gone = await ask(program, thumbnailPath(rows[0]!.id, 'source', 128, 1))
    expect([gone.status, await gone.text()]).toEqual([404, "The picture's address answers with status 404."])
    const broken = await ask(program, thumbnailPath(rows[1]!.id, 'source', 128, 1))
    expect([broken.status, broken.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8'])
  }
  expect(asked).toBe(2)
  expect(keys.every((key) => key === undefined)).toBe(true)
  await program.api.preferences.change({ thumbnails: false })
  const off = await ask(program, thumbnailPath(rows[0]!.id, 'source', 256, 1))
  expect(await off.text()).toContain('turned off')
  expect(program.faults).toEqual([])
})
