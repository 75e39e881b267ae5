import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { batchOnce, begin, queryOf, startProgram, until } from './testing/program.ts'

test('from nothing to a finished batch on the practice service', async (context) => {
  const program = await startProgram(context)
  const { api } = program
  expect(await until(api.connections.watch({}), () => true)).toEqual({ connections: [] })
  await api.connections.usePractice({})
  const { connections } = await until(api.connections.watch({}), () => true)
  expect(connections).toMatchObject([{ id: 'practice', kind: 'practice', active: true }])
  const queue = await until(api.queue.watch({}), ({ balance }) => balance !== null)
  expect(queue).toMatchObject({ connectionId: 'practice', state: 'running', balance: { total: 500 } })
  const { batch, estimate } = await begin(program, 5)
  expect(estimate).toMatchObject({ images: 5, toSubmit: 5, held: 0, skipped: 0, outDirTrouble: null })
  expect(estimate.examples).toEqual([{ label: 'Result', path: 'ring-1.jpg' }])
  const done = await batchOnce(program, batch, ({ state }) => state === 'finished')
  expect(done).toMatchObject({ name: 'Rings', total: 5, connectionId: 'practice' })
  expect(done.counts.delivered).toBe(5)
  expect(done.charged).toBeGreaterThan(0)
  expect(done.finished).toBeGreaterThan(done.created - 1)
  const page = await api.images.page({ query: queryOf(batch), offset: 0, limit: 10 })
  expect(page.total).toBe(5)
  expect(page.rows[0]).toMatchObject({
    title: 'ring-1.jpg',
    state: 'delivered',
    outputs: [{ slug: 'primary', label: 'Result', isVideo: false }],
  })
  expect(page.rows[0]!.took).toBeGreaterThanOrEqual(0)
  expect(await readdir(join(program.out, 'Rings'))).toContain('ring-1.png')
  const manifest = await readFile(join(program.out, 'Rings', 'manifest.jsonl'), 'utf8')
  expect(manifest.trim().split('\n')).toHaveLength(5)
  expect(program.practice().books().runs).toHaveLength(5)
  expect(program.faults).toEqual([])
})
