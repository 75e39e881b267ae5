import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stage } from './testing/stage.ts'

test('a hot folder is set up, watched by the program without a window, paused and removed', async (context) => {
  const { call, folder, start, service } = await stage(context)
  const watched = join(folder, 'Studio')
  await mkdir(watched)
  expect((await call(['watch'])).err).toContain('There is no hot folder yet')
  const settings = ['--preset', 'Retouch only', '--out', 'out', '--budget', '50', '--move-done', '--poll']
  const added = await call(['hot-folders', 'add', 'Studio', ...settings])
  expect(added).toMatchObject({ status: 0 })
  expect(added.err).toContain('The hot folder "Studio" is set up')
  const again = await call(['hot-folders', 'add', 'Studio', ...settings])
  expect(again).toMatchObject({ status: 64 })
  expect(again.err).toContain('watches')
  expect((await call(['hot-folders', '--json'])).records()).toMatchObject([
    {
      name: 'Studio',
      preset: 'Retouch only',
      budget: 50,
      paused: false,
      moveDone: true,
      poll: true,
      imagesToday: 0,
    },
  ])
  const watching = start(['watch'])
  await watching.until('Studio watches')
  await writeFile(join(watched, 'list.txt'), 'https://pictures.example/ring-1.jpg')
  await watching.until('is finished: 1 image delivered')
  watching.child.kill('SIGINT')
  expect((await watching.ended).status).toBe(0)
  expect(service.books().runs).toHaveLength(1)
  expect((await call(['hot-folders', '--json'])).records()).toMatchObject([{ imagesToday: 1 }])
  await call(['hot-folders', 'pause', 'studio'])
  expect((await call(['hot-folders'])).out).toContain('paused')
  expect((await call(['hot-folders', 'remove', watched])).status).toBe(0)
  expect((await call(['hot-folders', 'remove', 'Studio'])).status).toBe(64)
})
