import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { openPreferenceFile } from '../preferences/preference-file.ts'
import { createDownloads } from '../service/undici-downloads.ts'
import { Store } from '../store/store.ts'
import { listHotFolder } from './listing.ts'
import { takeIn } from './take-in.ts'

const child = fileURLToPath(new URL('testing/killed-child.ts', import.meta.url))

test('a program killed between adding the batch and noting its list makes no second batch', async (context) => {
  const home = await mkdtemp(join(tmpdir(), 'vitrine-hot-'))
  context.onTestFinished(async () => await rm(home, { recursive: true, force: true }))
  const path = join(home, 'Studio')
  await mkdir(path)
  await writeFile(join(path, 'list.txt'), 'https://pictures.example/a.jpg\nhttps://pictures.example/b.jpg')
  const open = () => new Store(join(home, 'queue.db'))
  const first = open()
  first.hotFolders.add({
    connectionId: first.connections.add('https://service.example/api/v1', 'key').id,
    name: 'Studio',
    path,
    preset: 'Retouch only',
    outDir: join(home, 'out'),
    budget: 10,
    moveDone: 0,
    polling: 0,
    created: 1,
  })
  first.close()
  const run = (when: string) => spawnSync(process.execPath, [child, home, when], { timeout: 20_000 })
  expect(run('kill').signal).toBe('SIGKILL')
  const after = open()
  expect(after.batches.all()).toEqual([])
  after.close()
  // The next start takes the list, and the one after it leaves it alone.
  for (const when of ['take', 'take', 'kill']) expect(run(when).signal).toBe(null)
  const store = open()
  context.onTestFinished(() => store.close())
  const [batch, ...more] = store.batches.all()
  expect(more).toEqual([])
  expect(batch).toMatchObject({ name: 'Studio · list.txt', budget: 10, preset: 'Retouch only' })
  expect(store.hotFolders.files(1)).toMatchObject([{ path: 'list.txt', outcome: 'batch', images: 2 }])
})

test('two programs that see a list at the same time make one batch of it', async (context) => {
  const home = await mkdtemp(join(tmpdir(), 'vitrine-hot-'))
  const path = join(home, 'Studio')
  await mkdir(path)
  await writeFile(join(path, 'list.txt'), 'https://pictures.example/a.jpg')
  const stores = [1, 2].map(() => new Store(join(home, 'queue.db')))
  context.onTestFinished(async () => {
    for (const store of stores) store.close()
    await rm(home, { recursive: true, force: true })
  })
  const outDir = join(home, 'out')
  stores[0]!.hotFolders.add({
    connectionId: stores[0]!.connections.add('https://service.example/api/v1', 'key').id,
    name: 'Studio',
    path,
    preset: 'Retouch only',
    outDir,
    budget: null,
    moveDone: 0,
    polling: 0,
    created: 1,
  })
  const files = await listHotFolder(path, outDir)
  const preferences = openPreferenceFile(home)
  const openDownloads = () => createDownloads({ baseUrl: 'http://127.0.0.1:1/' })
  const taken = await Promise.all(
    stores.map((store) => {
      const [folder] = store.hotFolders.all()
      return takeIn({ store, preferences, clock: systemClock, openDownloads }, folder!, files, outDir)
    }),
  )
  expect(taken.filter(({ batch }) => batch !== undefined)).toHaveLength(1)
  expect(stores[0]!.batches.all()).toHaveLength(1)
})
