import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { takeLease } from '../../engine/store/lease.ts'
import { dataFolder } from '../../engine/data-folder.ts'
import { createMemoryVault } from '../../engine/vault/memory-vault.ts'
import type { KeyVault } from '../../engine/vault/vault.ts'
import { startPracticeService, type PracticeOptions } from '../../practice-service/start.ts'
import { call } from '../testing/stage.ts'
import {
  batchOnce,
  begin,
  choiceOf,
  emptyFolder,
  queryOf,
  readText,
  startProgram,
  until,
  type RunningProgram,
  type TestEnd,
} from './testing/program.ts'

const key = 'key-of-the-studio-1234567890'

async function service(test: TestEnd, options: PracticeOptions = {}) {
  const accounts = (options.accounts ?? []).map((account) => ({ subscriptionCredits: 500, ...account }))
  const running = await startPracticeService({ imageWork: 'echo', processing: 0.05, ...options, accounts })
  test.onTestFinished(async () => await running.close())
  return running
}

const connect = async ({ api }: RunningProgram, baseUrl: string, text = key, name = 'Studio') =>
  await api.connections.add({ name, baseUrl, key: text, unprotected: false })

const connectionsOf = async ({ api }: RunningProgram) =>
  (await until(api.connections.watch({}), () => true)).connections

/** A vault as a system with a key store has it. */
function protectedVault(): KeyVault {
  return {
    ...createMemoryVault(),
    protection: () => Promise.resolve({ available: true, sentence: null, choice: false }),
  }
}

test('a key is checked before anything is kept, and what is wrong is named', async (context) => {
  const { url } = await service(context, { accounts: [{ key }] })
  const program = await startProgram(context)
  const { api } = program
  const check = async (baseUrl: string, text: string) => await api.connections.check({ baseUrl, key: text })
  expect(await check(url, key)).toMatchObject({ ok: true, baseUrl: url, balance: { total: 500 } })
  expect(await check(url, 'wrong')).toMatchObject({
    ok: false,
    field: 'key',
    message: 'The service rejected this key (401). Copy it again, or create a new one.',
  })
  expect(await check('nonsense', key)).toMatchObject({ ok: false, field: 'baseUrl' })
  expect(await check('http://service.example/api/v1', key)).toMatchObject({ ok: false, field: 'baseUrl' })
  expect(await check(url.replace('/api/v1', '/elsewhere'), key)).toMatchObject({
    ok: false,
    field: 'baseUrl',
  })
  expect(await check('http://127.0.0.1:1/api/v1', key)).toMatchObject({ ok: false, field: 'service' })
  expect(await connect(program, url, 'wrong')).toMatchObject({ ok: false, field: 'key' })
  expect(await connectionsOf(program)).toEqual([])
  expect(await api.connections.protection({})).toMatchObject({ available: false, choice: false })
})

test('the key is kept in the vault and nowhere else, and is there after a restart', async (context) => {
  const { url } = await service(context, { accounts: [{ key }] })
  const vault = protectedVault()
  const home = join(await emptyFolder(context), 'home')
  const first = await startProgram(context, { home, vault })
  expect(await connect(first, url)).toMatchObject({ ok: true })
  expect(await connectionsOf(first)).toMatchObject([
    { name: 'Studio', baseUrl: url, active: true, key: 'key-store' },
  ])
  const { batch } = await begin(first, 1)
  await batchOnce(first, batch, ({ state }) => state === 'finished')
  await first.api.runs.list({ page: 1, limit: 5, status: null })
  await first.api.preferences.places({})
  expect(first.heard()).toContain('"runId"')
  for (const part of [key, key.slice(-8)]) expect(first.heard()).not.toContain(part)
  await first.close()
  for (const name of await readdir(home, { recursive: true })) {
    const text = await readFile(join(home, name), 'latin1').catch(() => '')
    expect([name, text.includes(key)]).toEqual([name, false])
  }
  const second = await startProgram(context, { home, vault })
  expect(await connectionsOf(second)).toMatchObject([{ active: true, key: 'key-store' }])
  expect(await until(second.api.queue.watch({}), ({ balance }) => balance !== null)).toMatchObject({
    state: 'running',
  })
})

test('a key that was for one run is asked for again, and its batches go on then', async (context) => {
  const { url } = await service(context, { accounts: [{ key }] })
  const home = join(await emptyFolder(context), 'home')
  const nowhere: KeyVault = {
    ...createMemoryVault(),
    keep: () => Promise.resolve({ kind: 'unavailable', message: 'No key store.' }),
  }
  const first = await startProgram(context, { home, vault: nowhere })
  await connect(first, url)
  expect(await connectionsOf(first)).toMatchObject([{ key: 'this-run' }])
  const { batch } = await begin(first, 2, { start: false })
  await first.close()
  const second = await startProgram(context, { home, vault: nowhere })
  const [saved] = await connectionsOf(second)
  expect(saved).toMatchObject({ key: 'missing', active: true })
  const stands = await until(second.api.queue.watch({}), ({ state }) => state === 'key-rejected')
  expect(stands.message).toBe('No key is known for Studio; give it again.')
  await expect(second.api.batches.start({ batch })).rejects.toMatchObject({ code: 'refused' })
  expect(await second.api.connections.replaceKey({ id: saved!.id, key, unprotected: false })).toMatchObject({
    ok: true,
  })
  await second.api.batches.start({ batch })
  expect(await batchOnce(second, batch, ({ state }) => state === 'finished')).toMatchObject({
    connectionId: saved!.id,
    counts: { delivered: 2 },
  })
})

test('changing the connection in mid-batch loses nothing and charges nothing twice', async (context) => {
  const one = await service(context, { accounts: [{ key }], concurrency: 2 })
  const two = await service(context, { accounts: [{ key }] })
  const program = await startProgram(context)
  await connect(program, one.url, key, 'One')
  one.control.hold()
  const first = await begin(program, 6)
  await vi.waitFor(() => expect(one.books().runs.length).toBeGreaterThan(2), 20_000)
  // Two runs are begun, and none after them: however slow the machine, the batch is in its middle.
  one.control.release()
  one.control.hold()
  await batchOnce(program, first.batch, ({ counts }) => counts.delivered === 2)
  await connect(program, two.url, key, 'Two')
  const [oneSaved, twoSaved] = await connectionsOf(program)
  expect(twoSaved).toMatchObject({ name: 'Two', active: true })
  await expect(program.api.batches.start({ batch: first.batch })).rejects.toThrow('switch to that connection')
  const second = await begin(program, 3, { first: 50, outDir: join(program.out, 'Two') })
  await batchOnce(program, second.batch, ({ state }) => state === 'finished')
  expect(await batchOnce(program, first.batch, () => true)).toMatchObject({ state: 'interrupted' })
  one.control.release()
  await program.api.connections.activate({ id: oneSaved!.id })
  const done = await batchOnce(program, first.batch, ({ state }) => state === 'finished')
  expect(done.counts.delivered).toBe(6)
  expect(one.books().runs).toHaveLength(6)
  expect(two.books().runs).toHaveLength(3)
  expect(program.faults).toEqual([])
})

test('a new key of the same account keeps the batches; that of another account is refused', async (context) => {
  const other = 'key-of-somebody-else-123456'
  const fresh = 'key-of-the-studio-renewed-1'
  const { url } = await service(context, { accounts: [{ key: [key, fresh] }, { key: other }] })
  const program = await startProgram(context)
  await connect(program, url)
  const { batch } = await begin(program, 2)
  await batchOnce(program, batch, ({ state }) => state === 'finished')
  const [saved] = await connectionsOf(program)
  const replace = async (text: string) =>
    await program.api.connections.replaceKey({ id: saved!.id, key: text, unprotected: false })
  expect(await replace(other)).toMatchObject({ ok: false, field: 'key' })
  expect(await replace(fresh)).toMatchObject({ ok: true })
  const again = await begin(program, 2, { first: 10 })
  const done = await batchOnce(program, again.batch, ({ state }) => state === 'finished')
  expect([done.connectionId, (await batchOnce(program, batch, () => true)).connectionId]).toEqual([
    saved!.id,
    saved!.id,
  ])
})

test('an account that is connected twice is one connection, under whichever of its keys', async (context) => {
  const fresh = 'key-of-the-studio-renewed-1'
  const { url } = await service(context, { accounts: [{ key: [key, fresh] }] })
  const program = await startProgram(context)
  await connect(program, url)
  await connect(program, url, key, 'Again')
  expect(await connectionsOf(program)).toMatchObject([{ name: 'Again', active: true }])
  const { batch } = await begin(program, 1)
  await batchOnce(program, batch, ({ state }) => state === 'finished')
  await connect(program, url, fresh, 'Fresh')
  expect(await connectionsOf(program)).toMatchObject([{ name: 'Fresh', active: true }])
  const [saved] = await connectionsOf(program)
  expect((await batchOnce(program, batch, () => true)).connectionId).toBe(saved!.id)
})

test('an account that is removed leaves its batches readable, and its key is forgotten', async (context) => {
  const { url } = await service(context, { accounts: [{ key }] })
  const vault = protectedVault()
  const program = await startProgram(context, { vault })
  await connect(program, url)
  const { batch } = await begin(program, 1)
  await batchOnce(program, batch, ({ state }) => state === 'finished')
  const [saved] = await connectionsOf(program)
  await program.api.connections.rename({ id: saved!.id, name: 'Old studio' })
  expect(await connectionsOf(program)).toMatchObject([{ name: 'Old studio' }])
  await program.api.connections.remove({ id: saved!.id })
  expect(await connectionsOf(program)).toEqual([])
  expect(await vault.read(url)).toEqual({ kind: 'none' })
  expect(await batchOnce(program, batch, ({ connectionId }) => connectionId === null)).toMatchObject({
    total: 1,
  })
  const { rows } = await program.api.images.page({ query: queryOf(batch), offset: 0, limit: 5 })
  expect(rows).toMatchObject([{ state: 'delivered' }])
  await expect(program.api.batches.start({ batch })).rejects.toThrow('not connected any more')
  await expect(program.api.apps.list({})).rejects.toThrow('No account is connected')
})

test('credits that run out stop nothing for good: it goes on by itself when they are there', async (context) => {
  const running = await service(context, { accounts: [{ key, subscriptionCredits: 4, otherCredits: 0 }] })
  const program = await startProgram(context)
  await connect(program, running.url)
  const { batch } = await begin(program, 5)
  const stands = await until(program.api.queue.watch({}), ({ state }) => state === 'out-of-credits')
  expect(stands.nextTry! - Date.now()).toBeLessThanOrEqual(61_000)
  const waits = await batchOnce(program, batch, ({ counts }) => counts.waiting > 0 && counts.running === 0)
  expect(waits.counts.failed).toBe(0)
  running.control.topUp(key, 100)
  expect((await program.api.queue.checkBalance({})).balance.total).toBeGreaterThan(99)
  const done = await batchOnce(program, batch, ({ state }) => state === 'finished')
  expect(done.counts.delivered).toBe(5)
  expect(running.books().runs).toHaveLength(5)
})

test('a key that is rejected in mid-batch holds everything until it is replaced', async (context) => {
  const fresh = 'key-of-the-studio-renewed-1'
  const running = await service(context, { accounts: [{ key: [key, fresh] }], processing: 0.1 })
  const program = await startProgram(context)
  await connect(program, running.url)
  const [saved] = await connectionsOf(program)
  running.control.addFault({ on: 'submit', fault: { kind: 'status', status: 401 } })
  const { batch } = await begin(program, 3)
  await until(program.api.queue.watch({}), ({ state }) => state === 'key-rejected')
  expect((await batchOnce(program, batch, () => true)).counts).toMatchObject({ waiting: 3, failed: 0 })
  running.control.clearFaults()
  await program.api.connections.replaceKey({ id: saved!.id, key: fresh, unprotected: false })
  expect((await batchOnce(program, batch, ({ state }) => state === 'finished')).counts.delivered).toBe(3)
})

test('the practice service keeps its batches when its port is taken', async (context) => {
  const home = join(await emptyFolder(context), 'home')
  const first = await startProgram(context, { home })
  await first.api.connections.usePractice({})
  const { baseUrl } = (await connectionsOf(first))[0]!
  const { batch } = await begin(first, 2)
  await batchOnce(first, batch, ({ state }) => state === 'finished')
  const { batch: later } = await begin(first, 2, { first: 20, start: false })
  const own = `${new URL(baseUrl).origin}/shoot/ring.jpg`
  const found = await readText(first, own)
  const { estimate } = await first.api.intake.estimate(choiceOf(first, found.draft))
  const { batch: samples } = await first.api.intake.begin({ estimate, start: false })
  await first.close()
  await service(context, { port: Number(new URL(baseUrl).port), accounts: [{ key }] })
  const second = await startProgram(context, { home })
  const moved = await until(
    second.api.connections.watch({}),
    ({ connections }) => connections[0]?.baseUrl !== baseUrl,
  )
  expect(moved.connections).toHaveLength(1)
  await until(second.api.queue.watch({}), ({ balance }) => balance !== null)
  await second.api.batches.start({ batch: later })
  expect(await batchOnce(second, later, ({ state }) => state === 'finished')).toMatchObject({
    connectionId: 'practice',
    counts: { delivered: 2 },
  })
  expect((await batchOnce(second, batch, () => true)).connectionId).toBe('practice')
  const runs = await second.api.runs.list({ page: 1, limit: 50, status: null })
  expect(runs.runs).toHaveLength(4)
  const { rows } = await second.api.images.page({ query: queryOf(samples), offset: 0, limit: 1 })
  const { source } = await second.api.images.details({ image: rows[0]!.id })
  expect(source).toBe(`${new URL(moved.connections[0]!.baseUrl).origin}/shoot/ring.jpg`)
})

test('two programs on one data folder share the practice service, and the second inherits it', async (context) => {
  const home = join(await emptyFolder(context), 'home')
  const first = await startProgram(context, { home, practiceService: { processing: 0.4, concurrency: 1 } })
  await first.api.connections.usePractice({})
  const { batch } = await begin(first, 5)
  await batchOnce(first, batch, ({ counts }) => counts.delivered >= 1)
  const second = await startProgram(context, { home })
  await until(second.api.queue.watch({}), ({ following, balance }) => following && balance !== null)
  expect(await connectionsOf(second)).toHaveLength(1)
  await first.close()
  const done = await batchOnce(second, batch, ({ state }) => state === 'finished')
  expect(done.counts.delivered).toBe(5)
  const { batch: later } = await begin(second, 1, { first: 80 })
  await batchOnce(second, later, ({ state }) => state === 'finished')
  expect(second.practice().books().runs).toHaveLength(6)
})

test('while another process has the lease this one follows, and takes over when it ends', async (context) => {
  const home = join(await emptyFolder(context), 'home')
  const lease = takeLease(dataFolder(home).lease)!
  const program = await startProgram(context, { home })
  await program.api.connections.usePractice({})
  await until(program.api.queue.watch({}), ({ following }) => following)
  const { batch } = await begin(program, 2)
  expect(await batchOnce(program, batch, () => true)).toMatchObject({
    state: 'running',
    counts: { waiting: 2 },
  })
  lease.release()
  expect((await batchOnce(program, batch, ({ state }) => state === 'finished')).counts.delivered).toBe(2)
})

test('a ledger that was changed behind its back stops every submission, and the page is told', async (context) => {
  const home = join(await emptyFolder(context), 'home')
  const other = await service(context, { accounts: [{ key }] })
  const first = await startProgram(context, { home })
  await first.api.connections.add({ name: 'Studio', baseUrl: other.url, key, unprotected: false })
  const { batch } = await begin(first, 2)
  await batchOnce(first, batch, ({ state }) => state === 'finished')
  await first.close()
  const db = new Database(dataFolder(home).queue)
  db.exec('UPDATE attempt SET credits = credits + 1 WHERE id = 1')
  db.close()
  const again = await startProgram(context, { home, vault: createMemoryVault({ [other.url]: key }) })
  const { batch: more } = await begin(again, 2, { first: 11 })
  const paused = until(again.api.queue.watch({}), ({ state }) => state === 'paused').catch(() => undefined)
  await expect.poll(again.heard, { timeout: 30_000 }).toMatch(/ledger is damaged/)
  expect((await paused)?.message).toMatch(/ledger is damaged/)
  expect(await batchOnce(again, more, () => true)).toMatchObject({ counts: { waiting: 2 } })
  expect(other.books().runs).toHaveLength(2)
})

test('a command for another account says why it waits, and goes on when this program ends', async (context) => {
  const other = await service(context, { accounts: [{ key }] })
  const folder = await emptyFolder(context)
  const home = join(folder, 'home')
  const program = await startProgram(context, { home })
  await program.api.connections.usePractice({})
  await until(program.api.queue.watch({}), ({ balance }) => balance !== null)
  const env = { VITRINE_HOME: home, VITRINE_BASE_URL: other.url, VITRINE_API_KEY: key }
  let told = () => {}
  const waits = new Promise<void>((resolve) => {
    told = resolve
  })
  const run = call(
    [
      'run',
      'https://pictures.example/ring.jpg',
      '--app',
      'rescue',
      '--out',
      join(folder, 'out'),
      '--yes',
      '--json',
    ],
    env,
    folder,
    { onOut: (text) => text.includes('works with another account') && told() },
  )
  await waits
  expect(other.books().runs).toHaveLength(0)
  await program.close()
  expect((await run).summary()).toMatchObject({ delivered: 1 })
})

test('a given connection is there for this run, and nothing of it is kept', async (context) => {
  const { url } = await service(context, { accounts: [{ key }] })
  const home = join(await emptyFolder(context), 'home')
  const program = await startProgram(context, { home, given: { baseUrl: url, key } })
  expect(await connectionsOf(program)).toMatchObject([{ baseUrl: url, active: true, key: 'this-run' }])
  const { batch } = await begin(program, 1)
  await batchOnce(program, batch, ({ state }) => state === 'finished')
  await program.close()
  expect(await connectionsOf(await startProgram(context, { home }))).toEqual([])
})
