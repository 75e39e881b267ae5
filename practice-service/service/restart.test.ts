import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bench, goodBody } from '../http/testing/client.ts'
import { startPracticeService } from '../start.ts'

let stateFolder: string
beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'practice-restart-'))
})
afterEach(() => rm(stateFolder, { recursive: true, force: true }))

const accounts = [{ key: 'k', name: 'studio', subscriptionCredits: 5, otherCredits: 20 }]

test('runs, credits, links and outputs survive a restart', async () => {
  const first = await bench({
    stateFolder,
    accounts,
    outcome: ({ sequence }) => (sequence === 2 ? { fail: 'no' } : undefined),
  })
  const good = await first.accepted({ parameters: { ...goodBody.parameters, debanding: true } })
  const bad = await first.accepted()
  await first.service.control.idle()
  first.service.control.topUp('studio', 4)
  const before = [await first.record(good), await first.record(bad), (await first.get('/balance')).body]
  const list = (await first.get('/runs')).body
  const { pathname, search } = new URL((before[0] as { output_url: string }).output_url)
  const picture = Buffer.from(
    await (await fetch(`${first.service.origin}${pathname}${search}`)).arrayBuffer(),
  )
  await first.service.close()

  const second = await bench({ stateFolder, accounts })
  const withoutLinks = (record: unknown) =>
    JSON.parse(JSON.stringify(record).replaceAll(/"http:[^"]*"/g, '"link"')) as unknown
  const after = [await second.record(good), await second.record(bad), (await second.get('/balance')).body]
  expect(withoutLinks(after)).toEqual(withoutLinks(before))
  expect((await second.get('/runs')).body).toEqual(list)
  const again = await fetch(`${second.service.origin}${pathname}${search}`)
  expect(Buffer.from(await again.arrayBuffer())).toEqual(picture)
})

test('runs in hand at the end are queued again and charged once', async () => {
  const first = await bench({ stateFolder, accounts, processing: 3600, concurrency: 1 })
  const ids = [await first.accepted(), await first.accepted(), await first.accepted()]
  expect(await first.record(ids[0]!)).toMatchObject({ status: 'IN_PROGRESS' })
  await first.service.close()

  const busy = await bench({ stateFolder, accounts, processing: 3600, concurrency: 1 })
  const statuses = await Promise.all(ids.map(async (id) => (await busy.record(id))['status']))
  expect(statuses).toEqual(['IN_PROGRESS', 'IN_QUEUE', 'IN_QUEUE'])
  await busy.service.close()

  const second = await bench({ stateFolder, accounts })
  await second.service.control.idle()
  for (const id of ids)
    expect(await second.record(id)).toMatchObject({ status: 'SUCCESS', credits_charged: 2 })
  expect((await second.get('/balance')).body).toMatchObject({ subscription_credits: 0, other_credits: 19 })
  expect(second.service.books().accounts['studio']).toMatchObject({ charged: 6, refunded: 0 })
})

test('a journal cut off anywhere is read up to its last whole line', async () => {
  const first = await bench({ stateFolder, accounts })
  await first.accepted()
  await first.accepted()
  await first.service.control.idle()
  await first.service.close()
  const path = join(stateFolder, 'journal.jsonl')
  const whole = await readFile(path)
  for (const size of [0, 1, 90, Math.floor(whole.length / 2), whole.length - 1]) {
    await writeFile(path, whole)
    await truncate(path, size)
    const { service, accepted, get } = await bench({ stateFolder, accounts })
    await service.control.idle()
    const { runs, accounts: books } = service.books()
    expect(books['studio']!.charged).toBe(runs.length * 2)
    expect(runs.every((run) => run.status === 'SUCCESS')).toBe(true)
    await accepted()
    expect((await get('/runs')).body).toMatchObject({ total: runs.length + 1 })
    await service.close()
  }
})

test('a journal that is damaged is refused with its line', async () => {
  const first = await bench({ stateFolder, accounts })
  await first.service.close()
  await appendFile(join(stateFolder, 'journal.jsonl'), '{"event":"gift"}\n')
  await expect(startPracticeService({ stateFolder, accounts })).rejects.toThrow(/Line 3 of .*journal\.jsonl/)
})
