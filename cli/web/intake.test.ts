import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FoundRecord } from '../../shared/contract/intake-records.ts'
import {
  addresses,
  batchOnce,
  begin,
  choiceOf,
  emptyFolder,
  queryOf,
  readDrop,
  readText,
  startProgram,
  until,
  type RunningProgram,
  type TestEnd,
} from './testing/program.ts'

async function practising(test: TestEnd): Promise<RunningProgram> {
  const program = await startProgram(test)
  await program.api.connections.usePractice({})
  await until(program.api.queue.watch({}), ({ balance }) => balance !== null)
  return program
}

test('what was dropped is shown whole: folders, lists, duplicates, bad lines with their repair, local pictures', async (context) => {
  const program = await practising(context)
  const folder = join(await emptyFolder(context), 'Spring shoot')
  await mkdir(join(folder, 'rings'), { recursive: true })
  await writeFile(join(folder, 'rings', 'list.txt'), `${addresses(3)}\nhttps://pictures.example/ring-1.jpg\n`)
  await writeFile(
    join(folder, 'top.csv'),
    'sku,image\nA 1,https://pictures.example/a.jpg\nA 2,//pictures.example/b.jpg\n',
  )
  await writeFile(join(folder, 'local.jpg'), 'a picture of this computer')
  const found = await readDrop(program, [folder])
  expect(found).toMatchObject({
    images: 4,
    listsRead: 2,
    duplicateCount: 1,
    localPictures: 1,
    stopped: false,
    nothing: null,
    suggestedName: 'Spring shoot',
  })
  expect(found.folders).toEqual([
    { folder: 'rings', images: 3 },
    { folder: '', images: 1 },
  ])
  expect(found.duplicates[0]).toMatchObject({ url: 'https://pictures.example/ring-1.jpg' })
  expect(found.duplicates[0]!.first).toMatch(/list\.txt, line 1$/)
  expect(found.problems).toMatchObject([{ index: 0, line: 3, repair: expect.stringContaining('https') }])
  const images = async (more: object) => {
    const choice = choiceOf(program, found.draft, more)
    return (await program.api.intake.estimate(choice)).images
  }
  expect(await images({})).toBe(4)
  expect(await images({ includeDuplicates: true })).toBe(5)
  expect(await images({ repairs: [0] })).toBe(5)
  expect(await images({ repairs: [0, 0, 7] })).toBe(5)
  expect(await images({ without: ['rings'] })).toBe(1)
  expect(await images({ without: ['rings', ''] })).toBe(0)
})

test('nothing found is a sentence; a drop that is not known is gone; a token stops the reading', async (context) => {
  const program = await practising(context)
  const found = await readText(program, 'no address in here')
  expect([found.images, found.nothing]).toEqual([0, expect.stringContaining('no image address')])
  await expect(
    until(program.api.intake.read({ sources: [{ kind: 'drop', drop: 'x' }], token: 't' }), () => true),
  ).rejects.toMatchObject({ code: 'gone' })
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-many-'))
  for (let n = 0; n < 40; n += 1) await writeFile(join(folder, `${n}.txt`), addresses(500, n * 500))
  const reading = program.api.intake.read({
    sources: [{ kind: 'drop', drop: program.engine.drops.addPaths([folder]) }],
    token: 'stop me',
  })
  let last: FoundRecord | undefined
  for await (const item of reading) {
    if (item.kind === 'found') last = item.found
    else await program.api.intake.stop({ token: 'stop me' })
  }
  expect(last!.stopped || last!.images === 20_000).toBe(true)
})

test('an estimate says what it costs and how far the balance reaches, and Start keeps to it', async (context) => {
  const program = await practising(context)
  const { api, store } = program
  const first = await begin(program, 3)
  // The base price was never seen: nothing is invented.
  expect(first.estimate).toMatchObject({ pricePerImage: null, cost: null, covers: null, balanceAfter: null })
  await batchOnce(program, first.batch, ({ state }) => state === 'finished')
  await until(api.queue.watch({}), ({ balance }) => balance!.total < 500)
  const found = await readText(program, addresses(300, 100))
  const recipe = { appId: 'rescue', settings: { bg_mode: 'solid', shadow_size: 2 }, parameters: {} } as const
  const estimate = await api.intake.estimate(choiceOf(program, found.draft, { recipe }))
  expect(estimate).toMatchObject({ images: 300, toSubmit: 300, extras: { min: 3, max: 4 } })
  expect(estimate.words).toEqual([expect.stringContaining('Size is not sent')])
  const { pricePerImage, balance, cost, covers } = estimate
  expect(cost).toEqual({ min: 300 * pricePerImage!.min, max: 300 * pricePerImage!.max })
  expect(covers).toBe(Math.floor(balance!.total / pricePerImage!.max))
  expect(estimate.balanceAfter).toBe(balance!.total - cost!.max)
  // The price that was shown is not the price any more.
  store.connections.learnBasePrice(1, 'rescue', 50)
  await expect(api.intake.begin({ estimate: estimate.estimate, start: true })).rejects.toThrow(
    'Things have changed',
  )
  await expect(api.intake.begin({ estimate: estimate.estimate, start: true })).rejects.toMatchObject({
    code: 'gone',
  })
  expect(store.batches.all()).toHaveLength(1)
})

test('what is there already is skipped, what is under way elsewhere is gone on with, and a batch can be added to', async (context) => {
  const program = await practising(context)
  const { api } = program
  const { batch } = await begin(program, 3)
  await batchOnce(program, batch, ({ state }) => state === 'finished')
  const again = await begin(program, 4)
  expect(again.estimate).toMatchObject({ images: 4, skipped: 3, toSubmit: 1, elsewhere: 0 })
  const done = await batchOnce(program, again.batch, ({ state }) => state === 'finished')
  expect(done.counts).toMatchObject({ skipped: 3, delivered: 1 })
  const ready = await begin(program, 2, { first: 30, start: false })
  const same = await readText(program, addresses(3, 30))
  const estimate = await api.intake.estimate(choiceOf(program, same.draft))
  expect(estimate).toMatchObject({ images: 3, toSubmit: 1, elsewhere: 2 })
  await api.intake.begin({ estimate: estimate.estimate, start: true })
  expect((await batchOnce(program, ready.batch, ({ state }) => state === 'finished')).counts.delivered).toBe(
    2,
  )
  const more = await readText(program, addresses(2, 60))
  const added = await api.intake.estimate(choiceOf(program, more.draft, { addTo: batch, outDir: '/nowhere' }))
  expect(added.outDirTrouble).toBeNull()
  expect((await api.intake.begin({ estimate: added.estimate, start: true })).batch).toBe(batch)
  expect((await batchOnce(program, batch, ({ counts }) => counts.delivered === 5)).total).toBe(5)
  expect(await readdir(join(program.out, 'Rings'))).toContain('ring-61.png')
  const { rows } = await api.images.page({ query: queryOf(batch), offset: 3, limit: 2 })
  expect(rows.map(({ position }) => position)).toEqual([3, 4])
  const sent = program
    .practice()
    .books()
    .runs.map(({ source }) => source)
  expect([sent.length, new Set(sent).size]).toEqual([9, 9])
  expect(program.faults).toEqual([])
})

test('names are shown before anything is sent, and what cannot be used is said', async (context) => {
  const program = await practising(context)
  const { api } = program
  const found = await readText(
    program,
    'https://a.example/one.jpg\nhttps://b.example/one.jpg\nhttps://b.example/two.png',
  )
  const estimate = async (more: object) => await api.intake.estimate(choiceOf(program, found.draft, more))
  const recipe = { appId: 'rescue', settings: { debanding: true, bg_mode: 'transparent' }, parameters: {} }
  expect(
    await estimate({ recipe, preset: 'Cut-out', nameTemplate: '{preset}/{n}-{name}{suffix}.{ext}' }),
  ).toMatchObject({
    examples: [
      { label: 'De-Banded', path: 'Cut-out/1-one.png' },
      { label: 'Original', path: 'Cut-out/1-one-original.png' },
    ],
    collisions: 0,
    templateTrouble: null,
  })
  expect(await estimate({ recipe })).toMatchObject({ collisions: 2 })
  expect((await estimate({ nameTemplate: '{nonsense}.{ext}' })).templateTrouble).toContain('{nonsense}')
  expect((await estimate({ outDir: 'relative' })).outDirTrouble).toContain('whole path')
  const file = join(await emptyFolder(context), 'file')
  await writeFile(file, '')
  const blocked = await estimate({ outDir: join(file, 'below') })
  expect(blocked.outDirTrouble).toContain('A file stands at')
  await expect(api.intake.begin({ estimate: blocked.estimate, start: true })).rejects.toMatchObject({
    code: 'refused',
  })
  const fine = await estimate({})
  expect(fine.diskFree).toBeGreaterThan(0)
  await api.intake.discard({ draft: found.draft })
  await expect(estimate({})).rejects.toMatchObject({ code: 'gone' })
  expect(program.practice().books().runs).toHaveLength(0)
})

test('several presets: the price of each, names that tell them apart, and images that know their picture', async (context) => {
  const program = await practising(context)
  const { api, store } = program
  const app = (appId: string, settings: object) => ({ appId, settings, parameters: {} })
  store.connections.learnBasePrice(1, 'rescue', 2)
  store.connections.learnBasePrice(1, 'precision', 6)
  const others = [
    { preset: 'Cut-out', recipe: app('precision', { bg_mode: 'transparent', debanding: true }) },
    { preset: 'Twin', recipe: app('rescue', {}) },
  ]
  const found = await readText(program, addresses(4))
  const choice = choiceOf(program, found.draft, {
    recipe: app('rescue', {}),
    preset: 'Plain',
    others,
    test: 1,
  })
  const estimate = await api.intake.estimate(choice)
  expect(estimate).toMatchObject({
    pictures: 4,
    images: 8,
    toSubmit: 2,
    held: 6,
    presets: [
      { preset: 'Plain', images: 4, pricePerImage: { min: 2, max: 2 } },
      { preset: 'Cut-out', images: 4, pricePerImage: { min: 10, max: 10 } },
    ],
    cost: { min: 48, max: 48 },
    collisions: 0,
    templateTrouble: null,
  })
  expect(estimate.nameTemplate).toContain('{preset}')
  expect(estimate.examples.map(({ label, path }) => [label, path.includes(label)])).toEqual([
    ['Plain', true],
    ['Cut-out', true],
  ])
  expect(estimate.words).toContainEqual(expect.stringContaining('“Twin” sends the same as “Plain”'))

  const { batch } = await api.intake.begin({ estimate: estimate.estimate, start: false })
  const query = { batch, states: [] }
  const { rows } = await api.images.page({ query, offset: 0, limit: 10 })
  expect(rows.map(({ preset, picture }) => [preset, picture])).toEqual(
    [0, 1, 2, 3].flatMap((picture) => [
      ['Plain', picture],
      ['Cut-out', picture],
    ]),
  )
  const record = await batchOnce(program, batch, () => true)
  expect(record).toMatchObject({ preset: 'Plain + Cut-out', hasSeveralPresets: true })
  // Searched by preset; and no edit makes two presets of one picture the same.
  const cutOuts = { ...query, search: 'cut-out' }
  expect((await api.images.page({ query: cutOuts, offset: 0, limit: 10 })).rows).toHaveLength(4)
  const plain = { appId: 'rescue', set: { bg_mode: null, debanding: null }, preset: 'Plain' }
  await expect(api.images.edit({ target: { query: cutOuts }, ...plain })).rejects.toThrow(
    'both would be charged',
  )
  const { images } = await api.images.edit({ target: { query: cutOuts }, set: { bg_mode: 'off' } })
  expect(images).toBe(4)
  // To a batch whose names do not tell presets apart only one can be added.
  const single = await begin(program, 1, { first: 50, start: false })
  const more = await readText(program, addresses(2, 60))
  const added = choiceOf(program, more.draft, {
    ...choice,
    draft: more.draft,
    addTo: single.batch,
    test: null,
  })
  const refused = await api.intake.estimate(added)
  expect(refused.templateTrouble).toContain('make a new batch')
  await expect(api.intake.begin({ estimate: refused.estimate, start: false })).rejects.toThrow(
    'make a new batch',
  )
})
