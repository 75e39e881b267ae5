import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startPracticeService } from '../../practice-service/start.ts'
import { addresses, batchOnce, begin, startProgram, until } from './testing/program.ts'

const key = 'key-of-the-studio-1234567890'

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('the window program hears notices where the preferences say, from the moment they say so', async (context) => {
  const service = await startPracticeService({
    imageWork: 'echo',
    processing: 0.3,
    accounts: [{ key, subscriptionCredits: 500 }],
  })
  context.onTestFinished(async () => await service.close())
  const program = await startProgram(context)
  const { api } = program
  await api.connections.add({ name: 'Studio', baseUrl: service.url, key, unprotected: false })
  const port = await freePort()
  // The practice service is on this computer, so no tunnel is needed.
  await api.preferences.change({ webhookUrl: `http://127.0.0.1:${port}/studio`, webhookPort: port })
  const { batch } = await begin(program, 6)
  await batchOnce(program, batch, ({ state }) => state === 'finished')
  const { runs, webhooks } = service.books()
  expect(new Set(runs.map((run) => run.webhookUrl)).size).toBe(6)
  expect(webhooks.delivered).toBeGreaterThan(0)
  // Neither secrets nor links of notices reach the page.
  for (const run of runs) expect(program.heard()).not.toContain(run.webhookUrl.split('/').at(-1))
  expect(program.faults).toEqual([])

  await api.preferences.change({ webhookPort: null })
  const { batch: second } = await begin(program, 1, { again: true })
  await batchOnce(program, second, ({ state }) => state === 'finished')
  expect(service.books().runs.at(-1)!.webhookUrl).toBe(`http://127.0.0.1:${port}/studio`)
})

test('a hot folder writes the metadata that the preferences say', async (context) => {
  const program = await startProgram(context, {
    hotFolderPace: { quietMs: 120, quietPolledMs: 200, lookMs: 400 },
  })
  const { api } = program
  const watched = join(program.home, '..', 'Studio')
  await mkdir(watched, { recursive: true })
  await api.connections.usePractice({})
  await until(api.queue.watch({}), ({ balance }) => balance !== null)
  await api.preferences.change({ metadata: 'sidecar' })
  const outDir = join(program.out, 'Hot')
  const choice = { name: 'Studio A', path: watched, preset: 'Retouch only', outDir, budget: null }
  await api.hotFolders.add({ ...choice, moveDone: false, polling: false, takeExisting: false })
  await writeFile(join(watched, 'list.txt'), addresses(1))
  const { batches } = await until(api.batches.watch({}), (seen) => seen.batches.length > 0)
  await batchOnce(program, batches[0]!.id, ({ state }) => state === 'finished')
  expect((await readdir(outDir)).filter((name) => name.startsWith('ring')).toSorted()).toEqual([
    'ring-1.png',
    'ring-1.png.xmp',
  ])
  expect(program.faults).toEqual([])
})
