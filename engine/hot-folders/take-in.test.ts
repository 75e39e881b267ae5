import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Store } from '../store/store.ts'

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
