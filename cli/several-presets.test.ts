import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { formatPresetFile } from '../shared/presets.ts'
import { addresses, stage, type Stage } from './testing/stage.ts'

const presets = ['--preset', 'Catalogue white', '--preset', 'Cut-out', '--preset', 'Retouch only']
const names = ['Catalogue white', 'Cut-out', 'Retouch only']

/** How often the service took each picture with each background, by its own books. */
function charged({ service }: Stage): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { appId, parameters } of service.books().runs) {
    const { image, bg_mode = 'none' } = parameters as { image: string; bg_mode?: string }
    const key = `${image} ${appId} ${bg_mode}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

function onceEach(count: number): Record<string, number> {
  const made = ['precision solid', 'precision transparent', 'rescue none']
  return Object.fromEntries(addresses(count).flatMap((image) => made.map((how) => [`${image} ${how}`, 1])))
}

test.concurrent('each picture is made once with each preset: charges, names, manifest and events say which', async (t) => {
  const at = await stage(t)
  const run = ['run', await at.list(3), ...presets, '--out', 'out', '--json', '--yes']
  const done = await at.call(run)
  expect(done.status, done.err).toBe(0)
  expect(done.summary()).toMatchObject({ images: 9, delivered: 9 })
  expect(charged(at)).toEqual(onceEach(3))
  expect(done.events()[0]).toMatchObject({
    event: 'batch',
    images: 9,
    presets: names,
    preset: names.join(' + '),
  })
  expect(done.err).toContain('3 pictures × 3 presets')

  const lines = await at.manifest()
  expect(lines.map(({ source, preset }) => [source, preset])).toEqual(
    addresses(3).flatMap((source) => names.map((preset) => [source, preset])),
  )
  expect(new Set(lines.map(({ runId }) => runId)).size).toBe(9)
  const files = readdirSync(join(at.folder, 'out')).filter((name) => !name.endsWith('.jsonl'))
  // Two of the presets have de-banding, which makes two files.
  expect(files).toHaveLength(15)
  for (const [index, name] of names.entries()) {
    const [primary] = lines[index]!['outputs'] as { path: string }[]
    expect(primary!.path).toMatch(new RegExp(`^ring-1-${name}\\.\\w+$`))
    expect(existsSync(join(at.folder, 'out', primary!.path))).toBe(true)
  }

  const delivered = done.events().flatMap((event) => (event.event === 'image' ? [event] : []))
  const last = new Map(delivered.map((event) => [event.position, event]))
  expect([...last.entries()].toSorted(([a], [b]) => a - b).map(([, { preset }]) => preset)).toEqual(
    lines.map(({ preset }) => preset),
  )

  const again = await at.call(run.filter((word) => word !== '--yes'))
  expect(again.summary()).toMatchObject({ images: 9, skipped: 9, creditsCharged: 0 })
  expect(charged(at)).toEqual(onceEach(3))
})

test.concurrent('killed in the middle and gone on with: still once each', async (t) => {
  const at = await stage(t)
  at.service.control.hold()
  const run = ['run', await at.list(4), ...presets, '--out', 'out', '--in-flight', '5', '--yes', '--json']
  const first = at.start(run)
  await vi.waitUntil(() => at.service.books().runs.length >= 3, { timeout: 60_000 })
  first.child.kill('SIGKILL')
  await once(first.child, 'close')
  const before = at.service.books().runs.length
  expect(before).toBeLessThan(12)
  at.service.control.release()
  const done = await at.call(['resume', '--json', '--yes'], { env: { VITRINE_SETTLE_SECONDS: '2' } })
  expect(done.status, done.err).toBe(0)
  expect(done.summary()).toMatchObject({ images: 12, delivered: 12 })
  expect(charged(at)).toEqual(onceEach(4))
  const byRun = new Map(at.service.books().runs.map((made) => [made.runId, made]))
  for (const { source, preset, runId } of await at.manifest()) {
    const { appId, parameters } = byRun.get(String(runId))!
    const background = { 'Catalogue white': 'solid', 'Cut-out': 'transparent' }[String(preset)]
    expect(parameters).toMatchObject({ image: source, ...(background && { bg_mode: background }) })
    expect(appId).toBe(preset === 'Retouch only' ? 'rescue' : 'precision')
  }
})

test.concurrent('only what is missing is sent: one preset was delivered before, another is under way', async (t) => {
  const at = await stage(t)
  const source = await at.list(2)
  const common = ['--out', 'out', '--json', '--yes']
  const named = ['--name', '{name}-{preset}{suffix}.{ext}']
  const white = ['run', source, '--preset', 'Catalogue white', ...named, ...common]
  expect((await at.call(white)).status).toBe(0)
  const both = ['run', source, '--preset', 'Catalogue white', '--preset', 'Cut-out', ...common]
  const done = await at.call(both)
  expect(done.summary()).toMatchObject({ images: 4, skipped: 2, delivered: 2 })
  expect(at.service.books().runs).toHaveLength(4)
  const held = await at.call(['run', source, ...presets, '--test', '1', ...common, '--again'])
  // One picture goes with every preset, the other waits with every preset.
  expect(held.summary()).toMatchObject({ images: 6, delivered: 3, held: 3 })
})

test.concurrent('--dry-run shows what it would cost, adds nothing and makes no folder', async (t) => {
  const at = await stage(t)
  const source = await at.list(4)
  const dry = ['run', source, ...presets, '--out', 'out', '--dry-run']
  const unknown = await at.call(dry)
  expect(unknown.status, unknown.err).toBe(0)
  expect(unknown.err).toContain("4 pictures × 3 presets, each at the app's base price (not known yet)")
  expect(existsSync(join(at.folder, 'out'))).toBe(false)
  expect(at.service.books().runs).toHaveLength(0)
  expect((await at.call(['status'])).out).toBe('')

  for (const app of ['rescue', 'precision']) {
    await at.call(['run', addresses(1, 9)[0]!, '--app', app, '--out', app, '--yes'])
  }
  const known = await at.call([...dry, '--json'])
  expect(known.status, known.err).toBe(0)
  const [event] = known.events().slice(-1)
  const prices =
    event?.event === 'dry-run' ? event.presets.map(({ pricePerImage }) => pricePerImage!.max) : []
  const total = prices.reduce((sum, price) => sum + 4 * price, 0)
  expect(event).toMatchObject({
    event: 'dry-run',
    pictures: 4,
    images: 12,
    waiting: 12,
    estimate: { min: total, max: total },
    nameTemplate: '{folder}/{name}-{preset}{suffix}.{ext}',
  })
  expect(known.err).toContain(`4 pictures × 3 presets (${prices.join(' + ')} credits) = ${total} credits.`)
  expect(known.err).toContain('nothing was sent')
  expect(at.service.books().runs).toHaveLength(2)
})

test.concurrent('presets that send the same are taken once; names that cannot be told apart are refused', async (t) => {
  const at = await stage(t)
  const source = await at.list(2)
  const file = (name: string, settings: object, n: number) =>
    at.write(`${n}.vitrinepreset`, formatPresetFile({ name, appId: 'rescue', settings, parameters: {} }))
  const twin = await file('Plain', {}, 1)
  const run = ['run', source, '--preset', 'Retouch only', '--preset', twin, '--out', 'out', '--json', '--yes']
  const done = await at.call(run)
  expect(done.status, done.err).toBe(0)
  expect(done.err).toContain('“Plain” sends the same as “Retouch only”')
  expect(done.summary()).toMatchObject({ images: 2 })
  // One preset is left: names are as ever.
  expect(
    existsSync(join(at.folder, 'out', 'ring-1.jpg')) || existsSync(join(at.folder, 'out', 'ring-1.png')),
  ).toBe(true)

  const a = await file('A/B', { bg_mode: 'transparent' }, 2)
  const b = await file('a:b', {}, 3)
  const clash = await at.call(['run', source, '--preset', a, '--preset', b, '--out', 'out', '--yes'])
  expect(clash.status).toBe(64)
  expect(clash.err).toContain('give the same file names; rename one of the presets')
  const byRun = ['--name', '{run}{suffix}.{ext}', '--dry-run']
  expect(
    (await at.call(['run', source, '--preset', a, '--preset', b, '--out', 'out', ...byRun])).status,
  ).toBe(0)
  const nine = Array.from({ length: 9 }, () => ['--preset', 'Cut-out']).flat()
  expect((await at.call(['run', source, ...nine, '--out', 'out', '--yes'])).status).toBe(64)
  expect(at.service.books().runs).toHaveLength(2)
})
