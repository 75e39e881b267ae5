import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startStorageServer, storageKeys } from '../../engine/own-files/testing/storage-server.ts'
import type { Storage } from '../../shared/own-files.ts'
import { thumbnailPath } from '../../shared/contract/pictures.ts'
import { batchOnce, choiceOf, readDrop, startProgram, until, type TestEnd } from './testing/program.ts'

async function studio(t: TestEnd) {
  const server = await startStorageServer()
  t.onTestFinished(async () => await server.close())
  const program = await startProgram(t, { practiceService: { imageWork: 'real' } })
  await program.api.connections.usePractice({})
  await until(program.api.queue.watch({}), ({ balance }) => balance !== null)
  const setUp = (storage: Storage = server.storage, keys: typeof storageKeys | null = storageKeys) =>
    program.api.ownFiles.setStorage({ storage, keys, unprotected: false })
  const folder = join(program.home, '..', 'Shoot')
  await mkdir(join(folder, 'rings'), { recursive: true })
  const create = { width: 48, height: 48, channels: 3, background: '#aa8844' } as const
  const picture = await sharp({ create }).png().toBuffer()
  await writeFile(join(folder, 'rings', 'gold.png'), picture)
  await writeFile(join(folder, 'rings', 'copy.png'), picture)
  await writeFile(join(folder, 'IMG.NEF'), 'raw')
  return { server, program, setUp, folder }
}

test('the sheet says what is uploaded; the source is shown from this computer', async (t) => {
  const { program, setUp, folder, server } = await studio(t)
  const before = await readDrop(program, [folder])
  expect(before).toMatchObject({ images: 0, localPictures: 3, ownPictures: { uploads: 0 } })
  await setUp()
  const found = await readDrop(program, [folder])
  expect(found).toMatchObject({
    images: 1,
    localPictures: 0,
    duplicateCount: 1,
    problemCount: 1,
    nothing: null,
    ownPictures: { uploads: 1, published: 0 },
  })
  expect(found.problems[0]!.reason).toContain('RAW file')
  const { estimate } = await program.api.intake.estimate(choiceOf(program, found.draft))
  const { batch } = await program.api.intake.begin({ estimate, start: true })
  await batchOnce(program, batch, ({ state }) => state === 'finished')
  expect(program.practice().books().runs).toHaveLength(1)
  const [image] = program.store.images.page(program.store.batches.byId(batch)!.seq, -1, 9)
  expect(await program.api.images.details({ image: image!.id })).toMatchObject({
    source: expect.stringContaining(join('Shoot', 'rings')) as string,
  })
  // The link is dead by now, and so is the object: what is shown comes from the disk.
  const request = new Request(`http://127.0.0.1/${thumbnailPath(image!.id, 'source', 128, 0)}`)
  expect((await program.engine.pictures(request)).status).toBe(200)
  const looked = await program.api.compare.look({ of: { image: image!.id }, which: 'source', ahead: false })
  expect(looked).toMatchObject({ info: { width: 48, height: 48 } })
  await expect.poll(() => server.objects(), { timeout: 10_000 }).toEqual([])
  expect(program.heard()).not.toMatch(/canary|X-Amz/)
  expect(program.faults).toEqual([])
})

test('keys are never shown, and go to no other storage', async (t) => {
  const { program, setUp, server } = await studio(t)
  const wrong = { accessKey: 'NOBODY', secretKey: 'x' }
  await expect(setUp(server.storage, wrong)).rejects.toThrow('rejected the keys')
  await expect(setUp(server.storage, null)).rejects.toThrow('Give the keys')
  await setUp()
  const record = await until(program.api.ownFiles.watch({}), () => true)
  expect(record).toMatchObject({ keysKnown: true, storage: { bucket: 'pictures' } })
  // Other settings of the same storage need no keys; another place does.
  await setUp({ ...server.storage, keep: true }, null)
  const elsewhere = { ...server.storage, endpoint: 'https://elsewhere.invalid' }
  await expect(setUp(elsewhere, null)).rejects.toThrow('Give the keys')
  expect(await program.api.ownFiles.check({ kind: 'storage' })).toMatchObject({ ok: true })
  await program.api.ownFiles.remove({ kind: 'storage' })
  expect(await until(program.api.ownFiles.watch({}), () => true)).toEqual({
    published: null,
    storage: null,
    keysKnown: false,
    uploading: null,
    trouble: null,
  })
  expect(program.heard()).not.toMatch(/canary/)
  expect(program.faults).toEqual([])
})
