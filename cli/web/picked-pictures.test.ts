import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startStorageServer, storageKeys } from '../../engine/own-files/testing/storage-server.ts'
import { thumbnailPath } from '../../shared/contract/pictures.ts'
import {
  batchOnce,
  choiceOf,
  queryOf,
  readDrop,
  readText,
  startProgram,
  until,
  type TestEnd,
} from './testing/program.ts'

/** A batch of one image whose link leads nowhere, and pictures of this computer. */
async function studio(t: TestEnd) {
  const server = await startStorageServer()
  t.onTestFinished(async () => await server.close())
  const program = await startProgram(t, { practiceService: { imageWork: 'real' } })
  const { api } = program
  await api.connections.usePractice({})
  await until(api.queue.watch({}), ({ balance }) => balance !== null)
  const folder = join(program.home, '..', 'Shoot')
  await mkdir(folder, { recursive: true })
  const draw = async (name: string, background: string) => {
    const create = { width: 48, height: 48, channels: 3, background } as const
    await writeFile(join(folder, name), await sharp({ create }).png().toBuffer())
  }
  await draw('gold.png', '#aa8844')
  await draw('rose.png', '#aa6666')
  await writeFile(join(folder, 'IMG.NEF'), 'raw')
  await writeFile(join(folder, 'empty.jpg'), '')
  await writeFile(join(folder, 'notes.txt'), 'ask for the ring again')
  const link = `${program.practice().origin}/shoot/none-such.jpg`
  const found = await readText(program, link)
  const { estimate } = await api.intake.estimate(choiceOf(program, found.draft))
  const { batch } = await api.intake.begin({ estimate, start: true })
  await batchOnce(program, batch, ({ state }) => state === 'finished')
  const row = async () => (await api.images.page({ query: queryOf(batch), offset: 0, limit: 9 })).rows[0]!
  const { id } = await row()
  const plan = (...names: string[]) =>
    api.images.planPick({
      image: id,
      drop: program.engine.drops.addPaths(names.map((name) => join(folder, name))),
    })
  const setUp = () =>
    api.ownFiles.setStorage({ storage: server.storage, keys: storageKeys, unprotected: false })
  const manifest = async () =>
    (await readFile(join(program.out, 'Rings', 'manifest.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { program, api, server, folder, link, batch, id, row, plan, setUp, manifest, draw }
}

test('a link that leads nowhere, and a picture of this computer in its place: delivered under the same name, charged once', async (t) => {
  const { program, api, folder, link, batch, id, row, plan, setUp, manifest, server } = await studio(t)
  const before = await api.images.details({ image: id })
  expect(before).toMatchObject({ source: link, formerSource: null, pickRefusal: null })
  expect(before.image).toMatchObject({
    state: 'failed',
    title: 'none-such.jpg',
    reason: 'Link not reachable',
  })
  await expect(plan('gold.png')).rejects.toThrow('set up own files in the settings first')
  await setUp()
  const planned = await plan('gold.png')
  expect(planned).toMatchObject({ paid: 1, free: 0, file: 'gold.png' })
  // Nothing has happened so far.
  expect(await row()).toEqual(before.image)
  expect(program.practice().books().runs).toHaveLength(1)
  expect(await api.images.retry({ plan: planned.plan })).toEqual({ images: 1 })
  const done = await batchOnce(
    program,
    batch,
    ({ counts, state }) => counts.delivered === 1 && state === 'finished',
  )
  const { runs } = program.practice().books()
  expect(runs.map(({ status }) => status)).toEqual(['FAILED', 'SUCCESS'])
  expect(done.charged).toBe(runs.reduce((sum, { charged }) => sum + charged, 0))
  const after = await api.images.details({ image: id })
  expect(after).toMatchObject({
    source: expect.stringContaining(join('Shoot', 'gold.png')) as string,
    formerSource: link,
    recipe: before.recipe,
    pickRefusal: expect.stringContaining('has failed') as string,
    attempts: [{ runId: runs[0]!.runId }, { runId: runs[1]!.runId }],
    outputs: [{ path: 'none-such.png', present: true }],
  })
  expect(after.image).toMatchObject({ id, position: 0, title: 'none-such.jpg', state: 'delivered' })
  expect(readdirSync(join(program.out, 'Rings')).toSorted()).toEqual(['manifest.jsonl', 'none-such.png'])
  expect(await manifest()).toMatchObject([
    {
      source: after.source,
      status: 'delivered',
      runId: runs[1]!.runId,
      outputs: [{ path: 'none-such.png' }],
    },
  ])
  // The picked picture is known as delivered, the link is not.
  const own = await readDrop(program, [join(folder, 'gold.png')])
  const linked = await readText(program, link)
  const again = await api.intake.estimate(choiceOf(program, own.draft))
  const anew = await api.intake.estimate(choiceOf(program, linked.draft))
  expect([again.skipped, anew.skipped]).toEqual([1, 0])
  await expect.poll(() => server.objects(), { timeout: 10_000 }).toEqual([])
  expect(program.heard()).not.toMatch(/canary|X-Amz/)
  expect(program.faults).toEqual([])
})

test('what cannot be sent is refused as intake refuses it, and a plan is carried out once', async (t) => {
  const { program, api, row, plan, setUp, id, folder, batch } = await studio(t)
  await setUp()
  const before = await row()
  await expect(plan('IMG.NEF')).rejects.toThrow(/IMG\.NEF is a RAW file, which the service does not read/)
  await expect(plan('empty.jpg')).rejects.toThrow('empty.jpg is empty')
  await expect(plan('not-there.png')).rejects.toThrow('not-there.png')
  for (const names of [['notes.txt'], ['gold.png', 'rose.png'], ['']]) {
    await expect(plan(...names), names.join()).rejects.toMatchObject({ code: 'refused' })
  }
  await expect(api.images.planPick({ image: id, drop: 'x' })).rejects.toMatchObject({ code: 'gone' })
  expect(await row()).toEqual(before)
  // Of two plans the first is carried out; the other is about an image that has changed.
  const [one, two] = [await plan('gold.png'), await plan('rose.png')]
  await api.images.retry({ plan: one.plan })
  await expect(api.images.retry({ plan: one.plan })).rejects.toMatchObject({ code: 'gone' })
  await expect(api.images.retry({ plan: two.plan })).rejects.toMatchObject({ code: 'refused' })
  await batchOnce(program, batch, ({ counts }) => counts.delivered === 1)
  await expect(plan('rose.png')).rejects.toThrow('Only an image that has failed')
  expect(program.practice().books().runs).toHaveLength(2)
  expect((await api.images.details({ image: id })).source).toContain(join(basename(folder), 'gold.png'))
  expect(program.faults).toEqual([])
})

test('the picture that is shown is the new one at once, under an address of its own', async (t) => {
  const { program, api, row, plan, setUp, id, batch } = await studio(t)
  await setUp()
  program.practice().control.hold()
  const before = await row()
  const shown = async (version: number) =>
    (
      await program.engine.pictures(
        new Request(`http://127.0.0.1/${thumbnailPath(id, 'source', 128, version)}`),
      )
    ).status
  expect(await shown(before.version)).not.toBe(200)
  await api.images.retry({ plan: (await plan('gold.png')).plan })
  await batchOnce(program, batch, ({ counts }) => counts.running === 1)
  const after = await row()
  expect(after.version).not.toBe(before.version)
  expect(await shown(after.version)).toBe(200)
  program.practice().control.release()
  await batchOnce(program, batch, ({ counts }) => counts.delivered === 1)
})

test('a picture of a published folder is sent by its address, and one that lies elsewhere is refused', async (t) => {
  const { program, api, plan, folder, batch, draw, id } = await studio(t)
  const shop = join(folder, 'shop')
  await mkdir(shop)
  await draw('shop/silver.png', '#999999')
  const web = createServer((request, response) => {
    void readFile(join(shop, basename(request.url!))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  t.onTestFinished(() => {
    web.closeAllConnections()
    web.close()
  })
  await once(web, 'listening')
  const address = `http://127.0.0.1:${(web.address() as AddressInfo).port}/aw25/`
  await api.ownFiles.setPublished({ folder: shop, address })
  await expect(plan('gold.png')).rejects.toThrow('gold.png does not lie in the published folder')
  await draw('shop/gone.png', '#333333')
  web.prependOnceListener('request', (request) => (request.url = '/aw25/none'))
  await expect(plan('shop/gone.png')).rejects.toThrow(/is not to be had under/)
  await api.images.retry({ plan: (await plan('shop/silver.png')).plan })
  await batchOnce(program, batch, ({ counts }) => counts.delivered === 1)
  expect(await api.images.details({ image: id })).toMatchObject({
    source: `${address}silver.png`,
    outputs: [{ path: 'none-such.png' }],
  })
})
