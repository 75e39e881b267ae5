import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { systemClock } from '../engine/clock.ts'
import { nodeFiles } from '../engine/delivery/node-files.ts'
import { createMemoryVault } from '../engine/vault/memory-vault.ts'
import { exitStatus } from './exit-status.ts'
import { stage } from './testing/stage.ts'

test.concurrent('a disk that is full in mid-run is 73, and resume finishes without a second charge', async (t) => {
  const { call, list, service } = await stage(t)
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  const files = { ...nodeFiles, create: () => Promise.reject(full) }
  const run = ['run', await list(2), '--app', 'rescue', '--out', 'out', '--json', '--yes']
  const stopped = await call(run, { overrides: { files } })
  expect(stopped.status, stopped.err).toBe(73)
  expect(stopped.summary()).toMatchObject({ stopped: 'unwritable', delivered: 0, active: 2, exit: 73 })
  expect(stopped.err).toContain('is full')
  const resumed = await call(['resume', '--json'])
  expect(resumed.status, resumed.err).toBe(0)
  expect(resumed.summary()).toMatchObject({ delivered: 2 })
  expect(service.books().runs).toHaveLength(2)
})

test.concurrent('a link that died before its file was fetched is renewed, at no cost', async (t) => {
  const { call, list, service } = await stage(t)
  // Links are good once there is a second generation of them.
  const isFirst = ({ path }: { path: string }) => path.includes('generation=0&')
  service.control.setFaults([{ on: 'file', fault: { kind: 'expired' }, when: isFirst }])
  const run = call(['run', await list(3), '--app', 'rescue', '--out', 'out', '--json', '--yes'])
  await expect.poll(() => service.books().faults['expired'] ?? 0).toBeGreaterThan(0)
  service.control.expireLinks()
  const { status, err, summary } = await run
  expect(status, err).toBe(0)
  expect(summary()).toMatchObject({ delivered: 3, failed: 0 })
  expect(service.books().runs).toHaveLength(3)
})

test.concurrent('a result that is paid for and never comes whole fails; a retry fetches it and pays nothing', async (t) => {
  const { call, list, service } = await stage(t)
  // Eight tries with growing pauses take two minutes, here a hundred times as fast.
  const clock = {
    ...systemClock,
    monotonic: () => systemClock.monotonic() * 100,
    sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal),
  }
  service.control.setFaults([{ on: 'file', fault: { kind: 'html-as-file' } }])
  const run = ['run', await list(2), '--app', 'rescue', '--out', 'out', '--json', '--yes']
  const failed = await call(run, { overrides: { clock } })
  expect(failed.status, failed.err).toBe(2)
  expect(failed.summary()).toMatchObject({ failed: 2, delivered: 0 })
  expect(failed.out).toContain('paid for')
  service.control.clearFaults()
  const retried = await call(['retry', '--all', '--json', '--yes'])
  expect(retried.status, retried.err).toBe(0)
  expect(retried.summary()).toMatchObject({ delivered: 2, failed: 0 })
  expect(service.books().runs).toHaveLength(2)
})

test.concurrent('a ledger that was changed behind its back stops every submission, with what to do', async (t) => {
  const { call, list, service, folder } = await stage(t)
  const run = async (first: number) =>
    await call(['run', await list(2, `${first}.txt`, first), '--app', 'rescue', '--out', 'out', '--yes'])
  expect((await run(1)).status).toBe(0)
  const db = new Database(join(folder, 'home/queue.db'))
  db.exec('UPDATE attempt SET credits = credits + 1 WHERE id = 1')
  db.close()
  for (const first of [11, 21]) {
    const told = await run(first)
    expect(told.status, told.err).toBe(exitStatus.fault)
    expect(told.err).toMatch(/ledger is damaged \(attempt 1\).* move queue\.db/)
  }
  expect((await call(['resume'])).err).toMatch(/ledger is damaged/)
  expect(service.books().runs).toHaveLength(2)
})

test.concurrent('a key that is rejected in mid-run is 4, and everything goes on with a good one', async (t) => {
  const { call, list, service } = await stage(t)
  service.control.setFaults([{ on: 'submit', nth: [2, 3, 4], fault: { kind: 'status', status: 401 } }])
  const run = ['run', await list(3), '--app', 'rescue', '--out', 'out', '--json', '--yes', '--in-flight', '1']
  const stopped = await call(run)
  expect(stopped.status, stopped.err).toBe(4)
  expect(stopped.summary()).toMatchObject({ stopped: 'key-rejected', failed: 0, exit: 4 })
  service.control.clearFaults()
  const resumed = await call(['resume', '--json'])
  expect(resumed.status, resumed.err).toBe(0)
  expect(resumed.summary()).toMatchObject({ delivered: 3 })
  expect(service.books().runs).toHaveLength(3)
})

test.concurrent('a fault of the program itself is 70: one sentence, and a report without secrets', async (t) => {
  const { call, list, read, folder } = await stage(t)
  const key = 'canary-key-0123456789'
  const openStore = () => {
    throw new TypeError(`cannot read x of undefined (${key}) https://files.example/a?sig=canary-signature`)
  }
  const options = { overrides: { openStore }, env: { VITRINE_API_KEY: key } }
  const told = await call(['status', '--json'], options)
  expect(told.status).toBe(70)
  expect(told.err.trim()).toBe(
    `Vitrine had to stop because of a fault of its own. Nothing is lost; "vitrine resume" goes on. A report is in ${join(folder, 'home/errors.log')}`,
  )
  expect(told.events()).toEqual([{ event: 'error', message: told.err.trim(), exit: 70 }])
  const report = await read('home/errors.log')
  expect(report).toContain('TypeError')
  expect(report).toContain('at ')
  expect(report).not.toContain('canary-signature')
  expect(await list(1)).toContain(folder)
})

test.concurrent('the key is in no file, event or message, whatever happens', async (t) => {
  const key = 'canary-key-0123456789'
  const { call, list, folder, service } = await stage(t, {
    accounts: [{ key, subscriptionCredits: 5 }],
    outcome: (run) => (run.sequence === 1 ? { fail: `The key ${key} was used.` } : undefined),
  })
  const run = ['run', await list(4), '--app', 'rescue', '--out', 'out', '--json', '--yes']
  const texts: string[] = []
  for (const args of [run, ['status'], ['runs', '--json'], ['resume', '--json'], ['review'], ['balance']]) {
    const { out, err } = await call(args)
    texts.push(out, err)
  }
  expect(service.keys).toEqual([key])
  const files = filesBelow(folder)
  for (const path of files) expect(readFileSync(path).includes(key), path).toBe(false)
  expect(files.length).toBeGreaterThan(3)
  expect(texts.join('\n')).not.toContain(key)
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}

test.concurrent('the key store is asked where the environment holds no key', async (t) => {
  const { call, service } = await stage(t)
  const vault = createMemoryVault({ [service.url]: 'practice' })
  const env = { VITRINE_API_KEY: undefined }
  expect((await call(['balance'], { env, overrides: { vault } })).status).toBe(0)
  expect((await call(['balance'], { env })).status).toBe(4)
  const unavailable = () => Promise.resolve({ kind: 'unavailable' as const, message: 'none' })
  const protection = () => Promise.resolve({ available: false, sentence: 'none', choice: false })
  const none = { read: unavailable, keep: unavailable, forget: unavailable, protection }
  const told = await call(['balance'], { env, overrides: { vault: none } })
  expect(told.status).toBe(4)
  expect(told.err).toContain('no key store that works. Set VITRINE_API_KEY')
})

test.concurrent('resume goes on with every unfinished batch, and the summary tells each', async (t) => {
  const accounts = [{ key: 'practice', subscriptionCredits: 2 }]
  const { call, list, service } = await stage(t, { accounts })
  const tail = ['--app', 'rescue', '--json', '--yes', '--out']
  const one = (await call(['run', await list(2), ...tail, 'one'])).summary()
  const two = (await call(['run', await list(2, 'more.txt', 5), ...tail, 'two'])).summary()
  service.control.topUp('practice', 100)
  const resumed = await call(['resume', '--json'])
  expect(resumed.status, resumed.err).toBe(0)
  expect(resumed.summary()).toMatchObject({
    batch: null,
    images: 4,
    delivered: 4,
    batches: [
      { batch: one.batch, delivered: 2 },
      { batch: two.batch, delivered: 2 },
    ],
  })
})

test.concurrent('a batch of another account is left alone; one that was never sent moves to the account at hand', async (t) => {
  const accounts = [
    { key: 'practice', subscriptionCredits: 2 },
    { key: 'other', subscriptionCredits: 50 },
  ]
  const { call, list, service } = await stage(t, { accounts })
  const run = ['run', await list(2), '--app', 'rescue', '--out', 'out', '--json', '--yes']
  const { batch } = (await call(run)).summary()
  const env = { VITRINE_API_KEY: 'other' }
  const refused = await call(['resume', batch!], { env })
  expect(refused.status).toBe(64)
  expect(refused.err).toContain(`Batch ${batch} belongs to another account`)
  expect(service.books().runs).toHaveLength(1)

  const unsent = (
    await call(['run', await list(1, 'more.txt', 9), ...run.slice(2), '--budget', '0'])
  ).summary()
  expect(unsent).toMatchObject({ waiting: 1, stopped: 'budget' })
  const moved = await call(['resume', unsent.batch!, '--budget', '10', '--json'], { env })
  expect(moved.status, moved.err).toBe(0)
  expect(service.books().runs.at(-1)).toMatchObject({ account: 'other' })
})

test.concurrent('a signal before anything was sent ends with 130 at once', async (t) => {
  const { start, list, service } = await stage(t, { faults: [{ on: 'balance', fault: { kind: 'silence' } }] })
  const running = start(['run', await list(1), '--app', 'rescue', '--out', 'out', '--yes', '--json'])
  while ((service.books().requests.balance?.count ?? 0) === 0)
    await new Promise((resolve) => setTimeout(resolve, 20))
  running.child.kill('SIGINT')
  const done = await running.ended
  expect(done.status).toBe(130)
  expect(done.events()).toEqual([{ event: 'error', message: 'Interrupted. Nothing was begun.', exit: 130 }])
  expect(service.books().runs).toHaveLength(0)
})
