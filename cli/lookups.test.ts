import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordSchemas } from './event-schema.ts'
import { stage } from './testing/stage.ts'

test.concurrent('runs lists what the service has, also of others, and shows what is known of one', async (t) => {
  const { call, list, service } = await stage(t)
  const run = ['run', await list(2), '--app', 'precision', '--set', 'debanding=true', '--out', 'out']
  const { batch } = (await call([...run, '--json', '--yes'])).summary()
  service.control.submitAsStranger('practice', 'rescue', { image: 'https://other.example/x.jpg' })
  await service.control.idle()
  const all = (await call(['runs', '--json'])).records()
  for (const record of all) expect(recordSchemas.run.safeParse(record).success).toBe(true)
  expect(all).toMatchObject([{ image: null }, { image: `${batch}/2`, credits: 4 }, { image: `${batch}/1` }])
  const page = await call(['runs', '--page', '2', '--limit', '1', '--json'])
  expect(page.records()).toEqual([all[1]])
  expect((await call(['runs', '--status', 'FAILED'])).err).toContain('No runs.')
  expect((await call(['runs'])).out).toContain('Precision')

  const { runId } = all[1] as { runId: string }
  const [detail] = (await call(['runs', 'show', runId, '--json'])).records()
  expect(recordSchemas.runDetail.safeParse(detail).success).toBe(true)
  expect(detail).toMatchObject({
    runId,
    status: 'SUCCESS',
    outputs: [{ label: 'De-Banded' }, { label: 'Original', slug: 'original' }],
  })
  const shown = await call(['runs', 'show', runId])
  expect(shown.out).toContain('De-Banded, Original')
  expect(shown.out).not.toContain('http')
  expect((await call(['runs', 'show', 'run_none'])).status).toBe(64)
})

test.concurrent('runs download brings every output, verified, and twice is once', async (t) => {
  const { call, service, folder } = await stage(t)
  const runId = service.control.submitAsStranger('practice', 'rescue', {
    image: 'https://other.example/x.jpg',
    debanding: true,
  })
  await service.control.idle()
  const done = await call(['runs', 'download', runId, '--out', 'dl', '--json'])
  expect(done.status, done.err).toBe(0)
  const records = done.records() as { file: string; sha256: string; written: boolean; slug: string }[]
  expect(records.map((record) => record.slug)).toEqual(['primary', 'original'])
  for (const record of records) {
    expect(recordSchemas.download.safeParse(record).success).toBe(true)
    expect(createHash('sha256').update(readFileSync(record.file)).digest('hex')).toBe(record.sha256)
  }
  const again = await call(['runs', 'download', runId, '--out', 'dl', '--json'])
  expect(again.records()).toMatchObject([{ written: false }, { written: false }])
  expect(readdirSync(join(folder, 'dl'))).toHaveLength(2)
  const named = await call(['runs', 'download', runId, '--out', 'dl2', '--name', '{run}{suffix}.{ext}'])
  expect(named.status, named.err).toBe(0)
  expect(existsSync(join(folder, 'dl2', `${runId}.png`))).toBe(true)
})

test.concurrent('a run that failed or is not finished cannot be downloaded: 2', async (t) => {
  const { call, service } = await stage(t, { outcome: () => ({ fail: 'The image could not be read.' }) })
  const submit = () =>
    service.control.submitAsStranger('practice', 'rescue', { image: 'https://x.example/x.jpg' })
  const failed = submit()
  await service.control.idle()
  const told = await call(['runs', 'download', failed, '--out', 'dl'])
  expect(told.status).toBe(2)
  expect(told.err).toContain('could not be read')
  service.control.hold()
  const waiting = await call(['runs', 'download', submit(), '--out', 'dl'])
  expect(waiting.status).toBe(2)
  expect(waiting.err).toContain('not finished yet')
})

test.concurrent('balance and apps print for people and for scripts; apps needs no key', async (t) => {
  const { call } = await stage(t)
  const balance = await call(['balance'])
  expect(balance.out).toBe(
    '500 credits (400 from the subscription, 100 bought). Subscription: Pro. They do not expire.\n',
  )
  expect(recordSchemas.balance.safeParse((await call(['balance', '--json'])).records()[0]).success).toBe(true)
  const apps = await call(['apps', '--json'], { env: { VITRINE_API_KEY: undefined } })
  expect(apps.status).toBe(0)
  for (const app of apps.records()) expect(recordSchemas.app.safeParse(app).success).toBe(true)
  expect(apps.records()).toMatchObject([
    { id: 'rescue', retoucher: true },
    { id: 'precision', retoucher: true },
    { id: 'studio-background', retoucher: false },
  ])
  expect((await call(['apps'])).out).toContain('studio-background')
})

test.concurrent('presets are saved, used, exported, imported and never replaced without a word', async (t) => {
  const { call, list, read, write, service } = await stage(t)
  const saved = await call([
    'presets',
    'save',
    'Grey',
    '--preset',
    'soft grey',
    '--app',
    'precision',
    '--set',
    'bg_color=#D0D0D0',
  ])
  expect(saved.status, saved.err).toBe(0)
  const all = (await call(['presets', 'list', '--json'])).records()
  for (const preset of all) expect(recordSchemas.preset.safeParse(preset).success).toBe(true)
  expect(all[0]).toMatchObject({ name: 'Grey', builtIn: false, app: 'precision' })
  expect((await call(['presets'])).out).toContain('Catalogue white')
  expect((await call(['presets', 'show', 'GREY'])).out).toContain('#D0D0D0')
  expect((await call(['presets', 'save', 'grey', '--app', 'rescue'])).status).toBe(64)
  expect((await call(['presets', 'save', 'Cut-out', '--app', 'rescue', '--yes'])).err).toContain('built-in')
  expect((await call(['presets', 'show', 'none'])).status).toBe(64)

  expect((await call(['presets', 'export', 'grey'])).status).toBe(0)
  expect(JSON.parse(await read('Grey.vitrinepreset'))).toMatchObject({
    vitrinePreset: 1,
    preset: { name: 'Grey' },
  })
  expect((await call(['presets', 'export', 'grey'])).status).toBe(64)
  expect((await call(['presets', 'export', 'grey', '--yes'])).status).toBe(0)
  expect((await call(['presets', 'export', 'grey', 'no/such/folder.vitrinepreset'])).status).toBe(73)
  const text = (await call(['presets', 'export', 'grey', '-'])).out
  const renamed = await write('b.vitrinepreset', text.replace('"Grey"', '"Grey two"'))
  expect((await call(['presets', 'import', renamed])).status).toBe(0)
  expect((await call(['presets', 'import', renamed])).status).toBe(64)
  const bad = await call([
    'presets',
    'import',
    await write('c.vitrinepreset', text.replace('#D0D0D0', 'grey')),
  ])
  expect(bad.status).toBe(64)
  expect(bad.err).toContain('bg_color')

  const run = ['run', await list(1), '--preset', 'grey two', '--out', 'out', '--yes']
  const done = await call(run)
  expect(done.status, done.err).toBe(0)
  expect(service.books().runs[0]).toMatchObject({ appId: 'precision', parameters: { bg_color: '#D0D0D0' } })
  expect((await call(run.with(3, renamed))).err).toContain('already delivered')
})
