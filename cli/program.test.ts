import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordSchemas } from './event-schema.ts'
import { practiceRecordSchema } from './records.ts'
import { addresses, stage } from './testing/stage.ts'

/** The real program as a process of its own: what only shows there. */

test.concurrent('prints its version and help on stdout, with 0', async (t) => {
  const { start } = await stage(t)
  const version = await start(['--version']).ended
  expect(version).toMatchObject({ status: 0, err: '' })
  expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/)
  const help = await start(['--help']).ended
  expect(help.status).toBe(0)
  for (const command of [
    'run',
    'resume',
    'status',
    'retry',
    'cancel',
    'release',
    'review',
    'runs',
    'serve',
  ]) {
    expect(help.out).toContain(`\n  ${command} `)
  }
  const wrong = await start(['run', '--app']).ended
  expect(wrong).toMatchObject({ status: 64, out: '' })
})

test.concurrent('reads a list from stdin and tells events on stdout', async (t) => {
  const { start, manifest } = await stage(t)
  const run = ['run', '-', '--app', 'rescue', '--out', 'out', '--json', '--yes']
  const done = await start(run, { stdin: `# a list\n${addresses(2).join('\n')}\n` }).ended
  expect(done.status, done.err).toBe(0)
  expect(done.summary()).toMatchObject({ images: 2, delivered: 2 })
  expect((await manifest()).map((line) => line['source'])).toEqual(addresses(2))
})

test.concurrent('SIGINT ends with 130 within two seconds, and resume finishes without a second charge', async (t) => {
  const { start, list, service, manifest } = await stage(t, { concurrency: 1 })
  service.control.hold()
  const running = start(['run', await list(4), '--app', 'rescue', '--out', 'out', '--json', '--yes'])
  await running.until('"state":"running"')
  const asked = performance.now()
  running.child.kill('SIGINT')
  const stopped = await running.ended
  expect(performance.now() - asked).toBeLessThan(10_000)
  expect(stopped.status, stopped.err).toBe(130)
  expect(stopped.summary()).toMatchObject({ stopped: 'interrupted', delivered: 0, exit: 130 })
  expect(stopped.err).toContain('vitrine resume')
  service.control.release()
  const resumed = await start(['resume', '--json']).ended
  expect(resumed.status, resumed.err).toBe(0)
  expect(resumed.summary()).toMatchObject({ delivered: 4, batch: stopped.summary().batch })
  expect(service.books().runs).toHaveLength(4)
  expect(await manifest()).toHaveLength(4)
})

test.concurrent('a service that never answers does not hold the end, and a second signal ends at once', async (t) => {
  const { start, list } = await stage(t, { faults: [{ on: 'submit', fault: { kind: 'silence' } }] })
  const running = start(['run', await list(1), '--app', 'rescue', '--out', 'out', '--json', '--yes'])
  await running.until('"state":"submitting"')
  running.child.kill('SIGTERM')
  expect((await running.ended).status).toBe(130)
  const again = start(['resume', '--json'])
  await again.until('"batch"')
  again.child.kill('SIGINT')
  setTimeout(() => again.child.kill('SIGINT'), 600)
  expect((await again.ended).status).toBe(130)
})

test.concurrent('a killed process is no loss: resume goes on where it was', async (t) => {
  const { start, list, service } = await stage(t, { concurrency: 1 })
  service.control.hold()
  const running = start(['run', await list(3), '--app', 'rescue', '--out', 'out', '--json', '--yes'])
  await running.until('"state":"running"')
  running.child.kill('SIGKILL')
  await running.ended
  service.control.release()
  const [status] = (await start(['status', '--json']).ended).records()
  expect(status).toMatchObject({ state: 'interrupted', images: 3 })
  expect(recordSchemas.status.safeParse(status).success).toBe(true)
  const resumed = await start(['resume', '--json']).ended
  expect(resumed.status, resumed.err).toBe(0)
  expect(resumed.summary().delivered).toBe(3)
  expect(service.books().runs).toHaveLength(3)
})

test.concurrent('a second process on the same data folder adds its batch and follows', async (t) => {
  const { start, list, service, folder } = await stage(t, { concurrency: 2 })
  service.control.hold()
  const command = ['--app', 'rescue', '--json', '--yes']
  const first = start(['run', await list(3), ...command, '--out', 'one'])
  await first.until('"state":"running"')
  const second = start(['run', await list(3, 'more.txt', 11), ...command, '--out', 'two'])
  await second.until('"state":"running"')
  expect((await start(['status', '--json']).ended).records()).toHaveLength(2)
  service.control.release()
  for (const { ended } of [first, second]) {
    const done = await ended
    expect(done.status, done.err).toBe(0)
    expect(done.summary()).toMatchObject({ images: 3, delivered: 3 })
  }
  expect(service.books().runs).toHaveLength(6)
  expect(readdirSync(join(folder, 'two')).filter((name) => name.endsWith('.png'))).toHaveLength(3)
})

test.concurrent('a following process that is interrupted leaves its batch to the one that works', async (t) => {
  const { start, list, service } = await stage(t, { concurrency: 2 })
  service.control.hold()
  const command = ['--app', 'rescue', '--json', '--yes']
  const first = start(['run', await list(2), ...command, '--out', 'one'])
  await first.until('"state":"running"')
  const second = start(['run', await list(2, 'more.txt', 11), ...command, '--out', 'two'])
  await second.until('"state":"running"')
  second.child.kill('SIGINT')
  const left = await second.ended
  expect(left.status, left.err).toBe(130)
  const { batch } = left.summary()
  expect(left.err).toContain(`Another Vitrine process goes on with batch ${batch}`)
  const told = (await start(['status', String(batch), '--json']).ended).records()
  expect(told[0]).toMatchObject({ state: 'running' })
  service.control.release()
  expect((await first.ended).status).toBe(0)
})

test.concurrent('cancel from another process reaches the one that works', async (t) => {
  const { start, list, service } = await stage(t, { concurrency: 1 })
  service.control.hold()
  const run = ['run', await list(5), '--app', 'rescue', '--out', 'out', '--json', '--yes', '--in-flight', '1']
  const running = start(run)
  await running.until('"state":"running"')
  expect((await start(['cancel', '--all', '--yes']).ended).status).toBe(0)
  service.control.release()
  const done = await running.ended
  expect(done.status).toBe(0)
  expect(done.summary()).toMatchObject({ delivered: 1, cancelled: 4 })
  expect(service.books().runs).toHaveLength(1)
})

test.concurrent('a reader of stdout that goes away ends the output, not the work', async (t) => {
  const { start, list, manifest } = await stage(t)
  const running = start(['run', await list(6), '--app', 'rescue', '--out', 'out', '--json', '--yes'])
  running.child.stdout!.destroy()
  expect((await running.ended).status).toBe(0)
  expect((await manifest()).every((line) => line['status'] === 'delivered')).toBe(true)
})

test.concurrent('practice prints the two lines to copy, serves until a signal, and ends with 0', async (t) => {
  const { start, folder } = await stage(t)
  const practice = start(['practice', '--echo', '--shoot', 'shoot', '--credits', '7', '--key', 'other'])
  await practice.until('VITRINE_API_KEY=other')
  await practice.until('until Ctrl-C')
  const url = /VITRINE_BASE_URL=(\S+)/.exec(practice.soFar().out)![1]
  const env = { VITRINE_BASE_URL: url, VITRINE_API_KEY: 'other' }
  const balance = await start(['balance', '--json'], { env }).ended
  expect(balance.records()).toEqual([
    {
      totalCredits: 7,
      subscriptionCredits: 7,
      otherCredits: 0,
      subscription: 'Pro',
      creditsExpire: null,
    },
  ])
  expect(existsSync(join(folder, 'shoot/Rings'))).toBe(true)
  practice.child.kill('SIGINT')
  expect((await practice.ended).status).toBe(0)
  const json = start(['practice', '--echo', '--json'])
  await json.until('until Ctrl-C')
  expect(practiceRecordSchema.safeParse(JSON.parse(json.soFar().out)).success).toBe(true)
  json.child.kill('SIGTERM')
  expect((await json.ended).status).toBe(0)
})
