import { existsSync } from 'node:fs'
import { appendFile, copyFile, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { startStorageServer, storageKeys } from '../../engine/own-files/testing/storage-server.ts'
import type { HotFolderRecord } from '../../shared/contract/hot-folder-records.ts'
import {
  addresses,
  batchOnce,
  emptyFolder,
  startProgram,
  until,
  type ProgramOptions,
  type RunningProgram,
  type TestEnd,
} from './testing/program.ts'

const pace = { quietMs: 120, quietPolledMs: 200, lookMs: 400 }

async function withHotFolder(
  test: TestEnd,
  more: Partial<HotFolderRecord> & { readonly takeExisting?: boolean } = {},
  options: ProgramOptions = {},
) {
  const program = await startProgram(test, { hotFolderPace: pace, ...options })
  const watched = join(program.home, '..', 'Studio')
  await mkdir(watched, { recursive: true })
  await program.api.connections.usePractice({})
  await until(program.api.queue.watch({}), ({ balance }) => balance !== null)
  const add = async () => {
    const { budget = null, moveDone = false, polling = false, takeExisting = false } = more
    const outDir = join(program.out, 'Hot')
    const choice = { name: 'Studio A', path: watched, preset: 'Retouch only', outDir, budget }
    return await program.api.hotFolders.add({ ...choice, moveDone, polling, takeExisting })
  }
  return { program, watched, add }
}

const folderOnce = async ({ api }: RunningProgram, fits: (folder: HotFolderRecord) => boolean) =>
  (await until(api.hotFolders.watch({}), ({ folders }) => folders.some(fits))).folders.find(fits)!

const firstBatch = async (program: RunningProgram) =>
  (await until(program.api.batches.watch({}), ({ batches }) => batches.length > 0)).batches[0]!

test('a list that settles becomes one batch; what was there before is left alone', async (context) => {
  const { program, watched, add } = await withHotFolder(context, { moveDone: true })
  await writeFile(join(watched, 'old.txt'), addresses(3, 100))
  await add()
  await mkdir(join(watched, 'Rings'))
  await writeFile(join(watched, 'Rings', 'list.txt.part'), addresses(2))
  await rename(join(watched, 'Rings', 'list.txt.part'), join(watched, 'Rings', 'list.txt'))
  const { id } = await firstBatch(program)
  const batch = await batchOnce(program, id, ({ state }) => state === 'finished')
  expect(batch).toMatchObject({ name: 'Studio A · list.txt', total: 2, budget: null })
  expect((await readdir(join(program.out, 'Hot', 'Rings'))).toSorted()).toEqual(['ring-1.png', 'ring-2.png'])
  await vi.waitUntil(async () => (await readdir(join(watched, 'Done', 'Rings')).catch(() => [])).length > 0)
  expect(await readdir(watched)).toEqual(['Done', 'Rings', 'old.txt'])
  expect(program.practice().books().runs).toHaveLength(2)
  expect(await folderOnce(program, () => true)).toMatchObject({
    imagesToday: 2,
    state: 'watching',
    trouble: null,
  })
  expect(program.faults).toEqual([])
})

test('over a restart each list is taken once, and what came meanwhile is taken', async (context) => {
  const home = join(await emptyFolder(context), 'home')
  const first = await withHotFolder(context, {}, { home })
  await first.add()
  await writeFile(join(first.watched, 'one.txt'), addresses(2))
  const { id } = await firstBatch(first.program)
  await batchOnce(first.program, id, ({ state }) => state === 'finished')
  await first.program.close()
  await writeFile(join(first.watched, 'two.txt'), addresses(1, 50))
  // Saved again with the same content: nothing new.
  await writeFile(join(first.watched, 'one.txt'), addresses(2))
  const second = await startProgram(context, { home, hotFolderPace: pace })
  const item = await until(second.api.batches.watch({}), ({ batches }) =>
    batches.some(({ name, state }) => name.endsWith('two.txt') && state === 'finished'),
  )
  expect(item.batches.length).toBeLessThanOrEqual(2)
  expect(second.store.batches.all()).toHaveLength(2)
  // A list that grows becomes a batch of what is new in it.
  await appendFile(join(first.watched, 'one.txt'), `\n${addresses(1, 70)}`)
  await vi.waitUntil(() => second.store.batches.all().length === 3, { timeout: 10_000 })
  const third = await batchOnce(
    second,
    second.store.batches.all()[2]!.id,
    ({ state }) => state === 'finished',
  )
  expect(third.counts).toMatchObject({ delivered: 1, skipped: 2 })
  expect(second.practice().books().runs.length).toBe(4)
})

test('two programs on one data folder make one batch of a list', async (context) => {
  const { program, watched, add } = await withHotFolder(context)
  await add()
  const other = await startProgram(context, { home: program.home, hotFolderPace: pace })
  await until(other.api.hotFolders.watch({}), ({ folders }) => folders[0]?.state === 'watching')
  await writeFile(join(watched, 'list.txt'), addresses(3))
  const { id } = await firstBatch(program)
  await batchOnce(program, id, ({ state }) => state === 'finished')
  await new Promise((resolve) => setTimeout(resolve, 3 * pace.lookMs))
  expect(program.store.batches.all()).toHaveLength(1)
  expect(program.practice().books().runs).toHaveLength(3)
  await other.close()
})

test('the budget of a day holds over all batches of a folder, and the next day goes on', async (context) => {
  const day = { shift: 0 }
  const { systemClock } = await import('../../engine/clock.ts')
  const clock = { ...systemClock, now: () => Date.now() + day.shift }
  const { program, watched, add } = await withHotFolder(context, { budget: 7 }, { clock })
  await add()
  await writeFile(join(watched, 'a.txt'), addresses(3))
  await vi.waitUntil(() => program.store.batches.all().length === 1, { timeout: 10_000 })
  await writeFile(join(watched, 'b.txt'), addresses(3, 50))
  await vi.waitUntil(() => program.store.batches.all().length === 2, { timeout: 10_000 })
  const stopped = () =>
    program.store.batches.all().every(({ state }) => state === 'stopped' || state === 'finished')
  await vi.waitUntil(stopped, { timeout: 20_000 })
  const charged = () => program.store.batches.all().reduce((sum, batch) => sum + batch.charged, 0)
  const first = charged()
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThanOrEqual(7)
  expect((await folderOnce(program, () => true)).chargedToday).toBe(first)
  day.shift = 24 * 3600 * 1000
  await vi.waitUntil(() => charged() > first, { timeout: 20_000 })
  await vi.waitUntil(stopped, { timeout: 20_000 })
  expect(charged() - first).toBeLessThanOrEqual(7)
})

test('a picture of this computer is named as what the service cannot read', async (context) => {
  const { program, watched, add } = await withHotFolder(context)
  await add()
  await writeFile(join(watched, 'R1187.CR3'), 'raw')
  const folder = await folderOnce(program, ({ pictures }) => pictures !== null)
  expect(folder.pictures).toBe(
    'Studio A: 1 picture on this computer cannot be sent: the service reads pictures from the web only; ' +
      'set up own files, or put a list of their web addresses here.',
  )
  expect(program.store.batches.all()).toEqual([])
})

test('a folder that is polled is watched too, and paused folders wait', async (context) => {
  const { program, watched, add } = await withHotFolder(context, { polling: true })
  const { id } = await add()
  await program.api.hotFolders.setPaused({ id, paused: true })
  await writeFile(join(watched, 'list.txt'), addresses(1))
  await new Promise((resolve) => setTimeout(resolve, 3 * pace.lookMs))
  expect(program.store.batches.all()).toEqual([])
  await program.api.hotFolders.setPaused({ id, paused: false })
  await vi.waitUntil(() => program.store.batches.all().length === 1, { timeout: 10_000 })
  await program.api.hotFolders.remove({ id })
  expect(await until(program.api.hotFolders.watch({}), () => true)).toEqual({ folders: [] })
})

test('what cannot be set up is refused with a sentence', async (context) => {
  const { program, watched, add } = await withHotFolder(context)
  await add()
  const wanted = {
    name: '',
    preset: 'Retouch only',
    budget: null,
    moveDone: false,
    polling: false,
    takeExisting: false,
  }
  const refused = async (more: object) =>
    await program.api.hotFolders.add({ ...wanted, path: watched, outDir: program.out, ...more }).then(
      () => '',
      (error: Error) => error.message,
    )
  expect(await refused({})).toMatch(/^The hot folder Studio A watches .* already\.$/)
  expect(await refused({ path: join(watched, 'none') })).toMatch(/^There is no folder /)
  expect(await refused({ path: program.home, preset: 'Nope' })).toBe(
    'There is no preset "Nope"; choose another.',
  )
  expect(await refused({ path: program.home, outDir: program.home })).toMatch(
    /^Choose an output folder other/,
  )
})

test('a picture that settles is uploaded and retouched where own files are set up, once, and moved when it is done', async (context) => {
  const storage = await startStorageServer()
  context.onTestFinished(async () => await storage.close())
  const practiceService = { imageWork: 'real' } as const
  const { program, watched, add } = await withHotFolder(context, { moveDone: true }, { practiceService })
  await program.api.ownFiles.setStorage({ storage: storage.storage, keys: storageKeys, unprotected: false })
  await add()
  await mkdir(join(watched, 'Rings'))
  const create = { width: 32, height: 32, channels: 3, background: '#886644' } as const
  await sharp({ create })
    .png()
    .toFile(join(watched, 'Rings', 'R1187.png'))
  await writeFile(join(watched, 'Rings', 'R1187.CR3'), 'raw')
  const { id } = await firstBatch(program)
  await batchOnce(program, id, ({ state }) => state === 'finished')
  expect(program.practice().books().runs).toHaveLength(1)
  await vi.waitUntil(() => existsSync(join(watched, 'Done', 'Rings', 'R1187.png')), { timeout: 10_000 })
  await vi.waitUntil(async () => (await storage.objects()).length === 0, { timeout: 10_000 })
  const folder = await folderOnce(program, ({ pictures }) => pictures !== null)
  expect(folder.pictures).toContain('1 picture here is not sent: RAW')
  // The same picture under another name is not sent once more.
  await copyFile(join(watched, 'Done', 'Rings', 'R1187.png'), join(watched, 'again.png'))
  await vi.waitUntil(() => existsSync(join(watched, 'Done', 'again.png')), { timeout: 10_000 })
  expect(program.practice().books().runs).toHaveLength(1)
  expect(program.heard()).not.toMatch(/canary|X-Amz/)
  expect(program.faults).toEqual([])
})
