import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fileResponse, partOf } from './file-response.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vitrine-file-'))
  await writeFile(join(home, 'clip'), '0123456789')
})
afterAll(() => rm(home, { recursive: true, force: true }))

const ask = (range?: string) =>
  fileResponse(
    new Request('http://here/whole', range === undefined ? {} : { headers: { range } }),
    { path: join(home, 'clip'), type: 'video/webm' },
    true,
  )

it('sends the whole file, or the part that was asked for', async () => {
  const whole = await ask()
  expect([whole.status, await whole.text()]).toEqual([200, '0123456789'])
  const part = await ask('bytes=2-4')
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
    206,
    'bytes 2-4/10',
    '234',
  ])
  expect(await (await ask('bytes=-3')).text()).toBe('789')
  expect((await ask('bytes=10-')).status).toBe(416)
  expect((await ask('lines=1-2')).status).toBe(200)
})

it('never names a part that is not in the file', () => {
  const range = fc.oneof(
    fc.string(),
    fc.tuple(fc.option(fc.nat(30)), fc.option(fc.nat(30))).map(([a, b]) => `bytes=${a ?? ''}-${b ?? ''}`),
  )
  fc.assert(
    fc.property(range, fc.nat(20), (range, size) => {
      const part = partOf(range, size)
      return typeof part !== 'object' || (part.from >= 0 && part.from <= part.to && part.to < size)
    }),
  )
})
