import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { frameAround } from '../../shared/framing.ts'
import { previewPath } from '../../shared/contract/pictures.ts'
import type { PreviewItem } from '../../shared/contract/preview-records.ts'
import type { RecipeRecord } from '../../shared/contract/records.ts'
import {
  batchOnce,
  choiceOf,
  queryOf,
  startProgram,
  until,
  type ProgramOptions,
  type RunningProgram,
  type TestEnd,
} from './testing/program.ts'

const plain: RecipeRecord = { appId: 'rescue', settings: { debanding: false }, parameters: {} }
const onWhite: RecipeRecord = {
  ...plain,
  settings: { debanding: false, bg_mode: 'solid', bg_color: '#FFFFFF' },
}

/** One folder of the sample shoot in a batch that is not begun; its first picture. */
async function oneRing(context: TestEnd, options: ProgramOptions = {}, of = 'Solitaire') {
  const program = await startProgram(context, options)
  await program.api.connections.usePractice({})
  const read = await until(
    program.api.intake.read({ sources: [{ kind: 'samples' }], token: 's' }),
    ({ kind }) => kind === 'found',
  )
  if (read.kind !== 'found') throw new Error('No samples.')
  const without = read.found.folders.map(({ folder }) => folder).filter((name) => !name.endsWith(of))
  const choice = choiceOf(program, read.found.draft, { without })
  const { estimate } = await program.api.intake.estimate(choice)
  const { batch } = await program.api.intake.begin({ estimate, start: false })
  const { rows } = await program.api.images.page({ query: queryOf(batch), offset: 0, limit: 9 })
  return { program, batch, image: rows[0]!.id }
}

async function ask({ engine }: RunningProgram, path: string): Promise<Response> {
  return await engine.pictures(new Request(`http://127.0.0.1/${path}`))
}

function found(item: PreviewItem) {
  if (item.kind !== 'item') throw new Error(item.sentence)
  return item
}

async function tried({ api }: RunningProgram, image: number, recipe: RecipeRecord) {
  const { plan } = await api.preview.planTry({ image, recipe })
  const made = await api.preview.try({ plan })
  return await until(api.preview.follow({ image: made.image }), ({ state }) => state === 'delivered')
}

test('the item of a source is found once, with its layers behind addresses', async (context) => {
  const { program, image } = await oneRing(context)
  const { api } = program
  const [first, again] = await Promise.all([api.preview.item({ image }), api.preview.item({ image })])
  const item = found(first)
  expect(again).toEqual(first)
  expect(item).toMatchObject({
    origin: 'estimate',
    source: { width: 1600, height: 2000 },
    size: { width: 800, height: 1000 },
    doubts: [],
  })
  expect(item.confidence).toBeGreaterThan(0.6)
  expect(item.box!.width).toBeGreaterThan(800)
  const layers = []
  for (const layer of ['picture', 'cut-out', 'ground'] as const) {
    const answer = await ask(program, previewPath(image, layer, item.stamp))
    const meta = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    layers.push([answer.status, meta.format, meta.width, meta.hasAlpha])
  }
  expect(layers).toEqual([
    [200, 'png', 800, false],
    [200, 'png', 800, true],
    [200, 'png', 38, false],
  ])
  const wrong = [
    previewPath(image, 'picture', item.stamp.replace(/./g, '0')),
    previewPath(image + 1, 'picture', item.stamp),
    `pictures/${image}/source/preview-other?v=${item.stamp}`,
    `pictures/${image}/source/preview-..%2fitem.json?v=${item.stamp}`,
  ]
  for (const path of wrong) expect([path, (await ask(program, path)).status]).toEqual([path, 404])
  expect(program.faults).toEqual([])
})

test('a source that cannot be had says so', async (context) => {
  const { program, image } = await oneRing(context)
  await program.api.preferences.change({ thumbnails: false })
  expect(await program.api.preview.item({ image })).toEqual({
    kind: 'trouble',
    sentence: 'Small pictures are turned off in the preferences.',
  })
  await program.api.preferences.change({ thumbnails: true })
  expect(await program.api.preview.item({ image: 999_999 })).toEqual({
    kind: 'trouble',
    sentence: 'This image is not there any more.',
  })
})

test('a try is one run with its price, in a batch of its own that goes first, and is never made twice', async (context) => {
  const { program, batch, image } = await oneRing(context)
  const { api, store } = program
  const first = await api.preview.planTry({ image, recipe: onWhite })
  expect(first).toMatchObject({ price: null, extras: { min: 3, max: 3 }, known: null })
  const other = await api.preview.planTry({ image, recipe: onWhite })
  const made = await Promise.all(
    [first, first, other].map(async ({ plan }) => await api.preview.try({ plan })),
  )
  expect(new Set(made.map((one) => one.image)).size).toBe(1)
  const [one] = made
  const record = await until(api.preview.follow({ image: one!.image }), ({ state }) => state === 'delivered')
  expect(record.outputs.length).toBeGreaterThan(0)
  await batchOnce(program, one!.batch, ({ name, total, charged, state }) => {
    return name === 'Tries of Rings' && total === 1 && charged > 3 && state === 'finished'
  })
  expect(store.batches.listed().map(({ id }) => id)).toEqual([one!.batch, batch])
  expect(store.batches.byId(batch)!.state).toBe('paused')
  expect((await api.runs.list({ page: 1, limit: 5, status: null })).runs).toHaveLength(1)
  // The same settings once more cost nothing: what is there is shown. Others have a price now.
  const repeated = await api.preview.planTry({ image, recipe: onWhite })
  expect(repeated.known).toBe(one!.image)
  expect(await api.preview.try({ plan: repeated.plan })).toEqual(one)
  const dark = { ...onWhite, settings: { ...onWhite.settings, bg_color: '#1E1E1E' } }
  const second = await api.preview.planTry({ image, recipe: dark })
  expect(second).toMatchObject({ price: { min: record.credits, max: record.credits }, known: null })
  expect((await api.preview.try({ plan: second.plan })).batch).toBe(one!.batch)
  await expect(api.preview.try({ plan: 'none' })).rejects.toThrow('too old')
  expect(program.faults).toEqual([])
})

test('a try that cannot be paid is not sent', async (context) => {
  const { program, image } = await oneRing(context, {
    practiceService: { accounts: [{ key: 'practice', subscriptionCredits: 7, otherCredits: 0 }] },
  })
  const { api } = program
  await tried(program, image, onWhite)
  await api.queue.checkBalance({})
  const recipe = { ...plain, settings: { debanding: false, bg_mode: 'transparent' as const } }
  const { plan } = await api.preview.planTry({ image, recipe })
  await expect(api.preview.try({ plan })).rejects.toThrow(/^A try costs \d+ credits, and \d+ are left\.$/)
})

test('the matte of a delivered cut-out takes the place of the estimate', async (context) => {
  const { program, image } = await oneRing(context, { practiceService: { imageWork: 'real' } })
  const { api } = program
  const guess = found(await api.preview.item({ image }))
  await tried(program, image, { ...plain, settings: { bg_mode: 'transparent' } })
  const real = found(await api.preview.item({ image }))
  expect(real).toMatchObject({ origin: 'cut-out', confidence: 1, doubts: [], source: guess.source })
  expect(real.stamp).not.toBe(guess.stamp)
  for (const side of ['left', 'top', 'width', 'height'] as const) {
    expect(Number.isInteger(real.box![side])).toBe(true)
    expect(Math.abs(real.box![side] - guess.box![side])).toBeLessThanOrEqual(boxError)
  }
  expect(program.faults).toEqual([])
}, 120_000)

/** The first file of a delivered try, as RGBA. */
async function filesPixels(program: RunningProgram, image: number) {
  const [output] = program.store.outputs.ofImage(image)
  const { data, info } = await sharp(output!.path).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** The matte that a preview is drawn with. */
async function matteLayer(program: RunningProgram, image: number, stamp: string) {
  const answer = await ask(program, previewPath(image, 'cut-out', stamp))
  return await sharp(Buffer.from(await answer.arrayBuffer()))
    .extractChannel('alpha')
    .raw()
    .toBuffer()
}

/** Pixels that differ. */
function apartIn(a: Buffer, b: Buffer): number {
  return a.length === b.length ? a.reduce((count, value, i) => count + (value === b[i] ? 0 : 1), 0) : Infinity
}

const pads = { top: 8, right: 31, bottom: 14, left: 20 }
const framed = {
  framing_enabled: true,
  framing_pad_top: pads.top,
  framing_pad_right: pads.right,
  framing_pad_bottom: pads.bottom,
  framing_pad_left: pads.left,
} as const

test('a framed cut-out whose run framed otherwise than its settings say leaves the estimate', async (context) => {
  const { program, image } = await oneRing(context, { practiceService: { imageWork: 'real' } })
  const guess = found(await program.api.preview.item({ image }))
  const settings = { debanding: false, bg_mode: 'transparent', ...framed } as const
  const { id } = await tried(program, image, { ...plain, settings })
  const [output] = program.store.outputs.ofImage(id)
  // A row less than the frame has: nobody knows which.
  const { width, height } = await sharp(output!.path).metadata()
  const cut = await sharp(output!.path)
    .extract({ left: 0, top: 0, width, height: height - 1 })
    .toBuffer()
  await writeFile(output!.path, cut)
  const now = found(await program.api.preview.item({ image }))
  expect(now).toMatchObject({ origin: 'estimate', box: guess.box })
  expect(program.faults).toEqual([])
}, 120_000)

/**
 * Pixels of a source of 2000 by which an edge of an estimated box may be off: over the 24 pieces of the sample shoot the
 * farthest was off by 4, all but three by 1.2 at most.
 */
const boxError = 5

test.for(['Solitaire', 'Studs', 'Cuff'])(
  'the frame of %s is the service’s to the pixel from its own matte, and as near as the box from the estimate',
  { timeout: 240_000 },
  async (folder, context) => {
    const { program, image } = await oneRing(context, { practiceService: { imageWork: 'real' } }, folder)
    const guess = found(await program.api.preview.item({ image }))
    const settings = { debanding: false, bg_mode: 'transparent' } as const
    const whole = await tried(program, image, { ...plain, settings })
    const real = found(await program.api.preview.item({ image }))
    const mask = await matteLayer(program, image, real.stamp)
    const result = await tried(program, image, { ...plain, settings: { ...settings, ...framed } })
    // The framed one is the newest: laid back over the source, it is the same matte.
    const laidBack = found(await program.api.preview.item({ image }))
    expect(laidBack.stamp).not.toBe(real.stamp)
    expect(laidBack).toMatchObject({ origin: 'cut-out', box: real.box, source: real.source, doubts: [] })
    expect(apartIn(await matteLayer(program, image, laidBack.stamp), mask)).toBe(0)
    const frame = frameAround(real.box!, pads, real.source)
    const cutOut = await filesPixels(program, whole.id)
    const output = await filesPixels(program, result.id)
    expect({ width: output.width, height: output.height }).toEqual({
      width: frame.width,
      height: frame.height,
    })
    // Every pixel of the result is the one of the cut-out that the frame says.
    let wrong = 0
    for (let y = 0; y < frame.height; y += 1) {
      for (let x = 0; x < frame.width; x += 1) {
        const [u, v] = [x + frame.left, y + frame.top]
        const isInside = u >= 0 && v >= 0 && u < cutOut.width && v < cutOut.height
        const expected = isInside ? cutOut.data[4 * (v * cutOut.width + u) + 3]! : 0
        if (output.data[4 * (y * frame.width + x) + 3] !== expected) wrong += 1
      }
    }
    expect(wrong).toBe(0)
    const box = guess.box!
    const edges = (of: typeof box) => [of.left, of.top, of.left + of.width, of.top + of.height]
    const off = edges(box).map((edge, index) => Math.abs(edge - edges(real.box!)[index]!))
    expect(Math.max(...off)).toBeLessThanOrEqual(boxError)
    // Two edges move the frame, and the pads grow with the item's side.
    const guessed = frameAround(box, pads, guess.source)
    const apart = edges(guessed).map((edge, index) => Math.abs(edge - edges(frame)[index]!))
    expect(Math.max(...apart)).toBeLessThanOrEqual(3 * boxError)
    expect(program.faults).toEqual([])
  },
)
