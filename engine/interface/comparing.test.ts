import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Subject } from '../../shared/contract/compare-records.ts'
import { systemClock } from '../clock.ts'
import { nodeFiles } from '../delivery/node-files.ts'
import { createPictureWorkers } from '../pictures/picture-workers.ts'
import { preferencesOver } from '../preferences/preferences.ts'
import { createDownloads } from '../service/undici-downloads.ts'
import { Store } from '../store/store.ts'
import { openComparing } from './comparing.ts'

let picture: Buffer
beforeAll(async () => {
  picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#804020' } })
    .png()
    .toBuffer()
})

const context = { signal: new AbortController().signal }

/** A batch of three delivered images with two outputs each, and a place that serves their sources. */
/** @param hasPresets the first two images are made of one picture with two presets */
async function setUp(hasPresets = false) {
  const home = mkdtempSync(join(tmpdir(), 'vitrine-comparing-'))
  const outDir = join(home, 'out')
  mkdirSync(join(outDir, 'Rings'), { recursive: true })
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? 'no key'}`)
    if (request.url === '/gone.png') response.writeHead(404).end()
    else response.writeHead(200, { 'content-length': picture.length }).end(picture)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const store = new Store(':memory:', { now: () => 5000 })
  const connection = store.connections.add(`${origin}/api/v1`, 'key')
  const batch = store.batches.add({
    id: 'b',
    connectionId: connection.id,
    created: 1,
    outDir,
    preset: 'Catalogue white',
    nameTemplate: '{name}.{ext}',
    onConflict: 'rename',
    webhookUrl: 'https://vitrine.invalid/',
    budget: null,
    inFlight: null,
  })
  const recipe = {
    appId: 'precision',
    settings: { bg_mode: 'solid', debanding: true } as const,
    parameters: {},
  }
  const names = ['one', 'two', 'gone']
  const rows = names.map((name, index) => ({
    source: `${origin}/${name}.png`,
    folder: 'Rings',
    name: null,
    state: 'waiting' as const,
    earlierImageId: null,
    ...(hasPresets && index < 2 ? { variant: { preset: `Preset ${index}`, recipe, picture: 0 } } : {}),
  }))
  store.transaction(() => store.images.add(batch.seq, 0, recipe, outDir, rows))
  const images = store.lists.window(batch.seq, 0, 3)
  for (const [index, { id }] of images.entries()) {
    for (const [from, to] of [
      ['waiting', 'submitting'],
      ['submitting', 'running'],
      ['running', 'downloading'],
    ] as const) {
      store.images.move(id, from, to)
    }
    store.images.move(id, 'downloading', 'delivered', { runId: `run-${id}` })
    for (const [position, slug] of ['primary', 'original'].entries()) {
      const path = join(outDir, 'Rings', `${names[index]}${position === 0 ? '' : '-original'}.png`)
      writeFileSync(path, Buffer.concat([picture, Buffer.from(`${id}${slug}`)]))
      const output = { imageId: id, slug, position, label: position === 0 ? 'De-Banded' : 'Original', path }
      const facts = { part: null, bytes: 0, sha256: '' }
      store.outputs.name({ ...output, ...facts }, `${outDir}\nRings/${names[index]}${position}`)
      store.outputs.placed(id, slug)
    }
  }
  const workers = createPictureWorkers()
  const values = new Map<string, unknown>()
  const moved: number[] = []
  const comparing = openComparing({
    home,
    store,
    preferences: preferencesOver({
      get: (key) => values.get(key),
      set: (key, value) => void values.set(key, value),
      delete: (key) => void values.delete(key),
    }),
    clock: systemClock,
    files: nodeFiles,
    workers,
    client: () => {
      throw new Error('Not asked here.')
    },
    openDownloads: (baseUrl) => createDownloads({ baseUrl }),
    onPathsChanged: (seq) => moved.push(seq),
  })
  onTestFinished(async () => {
    await comparing.close()
    workers.close()
    store.close()
    server.close()
    rmSync(home, { recursive: true, force: true })
  })
  const ids = images.map(({ id }) => id)
  const of = (index: number): Subject => ({ image: ids[index]! })
  return { ...comparing, store, outDir, home, ids, of, asked, moved }
}

test('presets of one picture: the first output of each, by a name that leads to no other picture', async () => {
  const { handlers, ids } = await setUp(true)
  const of = { image: ids[1]!, presets: true as const }
  const record = await handlers.subject({ of }, context)
  expect(record.presets).toBe(2)
  expect(record.pictures.map(({ which, label, role }) => [which, label, role])).toEqual([
    [`@${ids[0]}.primary`, 'Preset 0', 'preset'],
    [`@${ids[1]}.primary`, 'Preset 1', 'preset'],
    ['source', 'Source', 'source'],
  ])
  expect(record.pictures.map(({ made }) => made?.image)).toEqual([ids[0], ids[1], undefined])
  const look = async (which: string, presets: boolean) =>
    (await handlers.look({ of: presets ? of : { image: ids[1]! }, which, ahead: false }, context)).kind
  expect(await look(`@${ids[0]}.primary`, true)).toBe('picture')
  // An image of another picture is not in its company, and alone no output has such a name.
  expect(await look(`@${ids[2]}.primary`, true)).toBe('trouble')
  expect(await look(`@${ids[0]}.primary`, false)).toBe('trouble')
  // What is the only one of its picture has its own outputs.
  const alone = await handlers.subject({ of: { image: ids[2]!, presets: true } }, context)
  expect(alone.pictures.map(({ role }) => role)).toEqual(['primary', 'extra', 'source'])
})

describe('what is compared', () => {
  test('are the outputs in their order and the source, with what differs from the preset', async () => {
    const { handlers, of } = await setUp()
    const record = await handlers.subject({ of: of(0) }, context)
    expect(record.pictures.map(({ which, role }) => [which, role])).toEqual([
      ['primary', 'primary'],
      ['original', 'extra'],
      ['source', 'source'],
    ])
    expect(record.app).toBe('Precision')
    expect(record.differs).toContainEqual({ key: 'Contact shadow', here: 'account default', preset: 'true' })
    expect(record.differs.some(({ key }) => key === 'Background')).toBe(false)
    expect(record.presets).toBeUndefined()
    await expect(async () => handlers.subject({ of: { image: 999 } }, context)).rejects.toThrow(
      /not there any more/,
    )
  })

  test('a source is fetched once, without a key, and one that is gone is a sentence', async () => {
    const { handlers, of, asked, pictures } = await setUp()
    const look = { of: of(0), which: 'source', ahead: false }
    const [first, second] = await Promise.all([handlers.look(look, context), handlers.look(look, context)])
    expect(first).toMatchObject({ kind: 'picture', info: { width: 60, height: 40 } })
    expect(second).toEqual(first)
    expect(asked).toEqual(['/one.png no key'])
    const gone = await handlers.look({ of: of(2), which: 'source', ahead: false }, context)
    expect(gone).toMatchObject({
      kind: 'trouble',
      sentence: expect.stringMatching(/404|link|gone/i) as string,
    })
    const stamp = first.kind === 'picture' ? first.info.stamp : ''
    const address = (v: string) =>
      `http://here/pictures/${(of(0) as { image: number }).image}/source/quick?v=${v}`
    const answer = await pictures(new Request(address(stamp)))
    expect(answer?.headers.get('content-type')).toBe('image/png')
    expect((await pictures(new Request(address('0'.repeat(32)))))?.status).toBe(404)
    expect(await pictures(new Request('http://here/pictures/1/source/thumb-128?v=1'))).toBeUndefined()
  })

  test('a recorded path that leads out of the output folder is not opened', async () => {
    const { handlers, store, of, ids, home, outDir } = await setUp()
    writeFileSync(join(home, 'secret.png'), picture)
    const output = store.outputs.ofImage(ids[0]!)[0]!
    store.outputs.name({ ...output, path: join(outDir, '..', 'secret.png') }, 'x')
    store.outputs.placed(ids[0]!, 'primary')
    const look = await handlers.look({ of: of(0), which: 'primary', ahead: false }, context)
    expect(look.kind).toBe('trouble')
  })
})

describe('placing marked files', () => {
  test('copies what was kept, overwrites nothing, and takes back what nobody changed', async () => {
    const { handlers, store, ids, outDir } = await setUp()
    store.images.setMark(ids[0]!, 'keep-1')
    store.images.setMark(ids[1]!, 'keep-2')
    mkdirSync(join(outDir, 'Kept'))
    writeFileSync(join(outDir, 'Kept', 'one.png'), 'mine')
    const request = { batch: 'b', what: 'kept', how: 'copy', to: { folder: 'Kept' } } as const
    const placed = await handlers.place(request, context)
    expect(placed).toMatchObject({ files: 2, problems: [] })
    expect(readdirSync(join(outDir, 'Kept')).sort()).toEqual(['one (2).png', 'one.png', 'two-original.png'])
    expect(readFileSync(join(outDir, 'Kept', 'one.png'), 'utf8')).toBe('mine')
    writeFileSync(join(outDir, 'Kept', 'two-original.png'), 'changed by a person')
    const back = await handlers.unplace({ record: placed.record! }, context)
    expect(back.files).toBe(1)
    expect(back.problems[0]).toMatch(/was changed/)
    expect(readdirSync(join(outDir, 'Kept')).sort()).toEqual(['one.png', 'two-original.png'])
    await expect(async () => handlers.unplace({ record: placed.record! }, context)).rejects.toThrow(/already/)
  })

  test('moves rejected files within the output folder; they are found there, and come back', async () => {
    const { handlers, store, ids, outDir, of, moved } = await setUp()
    store.images.setMark(ids[1]!, 'reject')
    const request = { batch: 'b', what: 'rejected', how: 'move', to: { folder: '../Rejected' } } as const
    const placed = await handlers.place(request, context)
    expect(placed.files).toBe(2)
    const folder = readdirSync(outDir).find((name) => /Rejected/.test(name))!
    expect(readdirSync(join(outDir, folder)).sort()).toEqual(['two-original.png', 'two.png'])
    expect(existsSync(join(outDir, 'Rings', 'two.png'))).toBe(false)
    expect((await handlers.look({ of: of(1), which: 'primary', ahead: false }, context)).kind).toBe('picture')
    expect(moved).toHaveLength(1)
    expect((await handlers.unplace({ record: placed.record! }, context)).files).toBe(2)
    expect(existsSync(join(outDir, 'Rings', 'two.png'))).toBe(true)
    expect(store.outputs.ofImage(ids[1]!)[0]!.path).toBe(join(outDir, 'Rings', 'two.png'))
  })

  test('to another folder it only copies, and only to one that is there', async () => {
    const { handlers, store, ids, home } = await setUp()
    store.images.setMark(ids[0]!, 'keep-1')
    const to = { path: join(home, 'elsewhere') }
    const copy = { batch: 'b', what: 'kept', how: 'copy', to } as const
    await expect(async () => handlers.place(copy, context)).rejects.toThrow(/does not exist/)
    await expect(async () => handlers.place({ ...copy, how: 'move' }, context)).rejects.toThrow(
      /within the output folder/,
    )
    mkdirSync(to.path)
    expect((await handlers.place(copy, context)).files).toBe(1)
    expect(readdirSync(to.path)).toEqual(['one.png'])
    expect(await handlers.marks({ batch: 'b' }, context)).toEqual({ kept: 1, rejected: 0, delivered: 3 })
  })
})
