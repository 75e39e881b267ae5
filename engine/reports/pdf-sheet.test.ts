import { PDFiumLibrary } from '@hyzyla/pdfium'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { speakProgram } from '../../shared/language/speak-program.ts'
import type { Recipe } from '../store/rows.ts'
import { Store } from '../store/store.ts'
import { pdfSheet } from './pdf-sheet.ts'
import { drawable, linesOf, type Measures } from './pdf-text.ts'

let pdfium: PDFiumLibrary
beforeAll(async () => {
  pdfium = await PDFiumLibrary.init()
})
afterAll(() => pdfium.destroy())

/** The sheet of a batch, read back by another library than wrote it. */
async function sheetOf(
  images: readonly { name: string; error?: string; runId?: string }[],
  options: {
    title?: string
    before?: boolean
    picture?: Buffer
    most?: number
    settings?: Recipe['settings']
  } = {},
) {
  const store = new Store(':memory:', { now: () => 5000 })
  onTestFinished(() => store.close())
  const connection = store.connections.add('http://127.0.0.1/api/v1', 'key')
  const batch = store.batches.add({
    id: 'b',
    connectionId: connection.id,
    created: 1,
    outDir: '/out',
    preset: 'Soft ground',
    nameTemplate: '{name}.{ext}',
    onConflict: 'rename',
    webhookUrl: 'https://vitrine.invalid/',
    budget: null,
    inFlight: null,
  })
  const recipe = { appId: 'rescue', settings: options.settings ?? { debanding: true }, parameters: {} }
  const rows = images.map(({ name }, at) => ({
    source: `https://pictures.example/${at}.jpg`,
    folder: '',
    name,
    state: 'waiting' as const,
    earlierImageId: null,
  }))
  store.transaction(() => store.images.add(batch.seq, 0, recipe, '/out', rows))
  for (const [at, { id }] of store.images.page(batch.seq, -1, images.length).entries()) {
    const { error, runId } = images[at]!
    if (error === undefined) continue
    store.images.move(id, 'waiting', 'submitting')
    store.images.move(id, 'submitting', 'failed', { error, runId: runId ?? null })
  }
  const red = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#c01010' } })
    .jpeg()
    .toBuffer()
  const picture = (_: number, which: string) =>
    Promise.resolve(which === 'source' ? (options.picture ?? red) : undefined)
  const title = options.title ?? 'Spring'
  const chunks: Uint8Array[] = []
  const parts = { store, batch, title, now: 5000, picture, before: options.before ?? true }
  for await (const chunk of pdfSheet(parts, options.most)) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const document = await pdfium.loadDocument(bytes)
  onTestFinished(() => document.destroy())
  return { bytes, pages: [...document.pages()] }
}

const picturesOn = (page: { objects(): Iterable<{ type: string }> }) =>
  [...page.objects()].filter(({ type }) => type === 'image').length

test('every image has a place with its picture and words, and no page is half full but the last', async () => {
  const images = Array.from({ length: 14 }, (_, at) => ({ name: `Ring ${at + 1}` }))
  const { pages, bytes } = await sheetOf(images)
  expect(pages.map(picturesOn)).toEqual([6, 6, 2])
  const texts = pages.map((page) => page.getText())
  expect(texts[0]).toContain('Spring')
  expect(texts[0]).toContain('14 images')
  expect(texts[0]).toContain('Soft ground · rescue')
  const named = texts.flatMap((text) => text.match(/Ring \d+/g) ?? [])
  expect(named).toEqual(images.map(({ name }) => name))
  expect(texts.map((text) => /Page \d/.exec(text)?.[0])).toEqual(['Page 1', 'Page 2', 'Page 3'])
  // The picture is seen where it stands, in its own colour.
  const { width, data } = await pages[0]!.render({ scale: 1, render: 'bitmap' })
  const reds = Array.from({ length: data.length / 4 }, (_, at) => at * 4).filter(
    (at) => data[at]! > 150 && data[at + 1]! < 60 && data[at + 2]! < 60,
  )
  expect(reds.length).toBeGreaterThan(6 * 110 * 70)
  expect(reds.every((at) => (at / 4) % width > 30)).toBe(true)
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
})

test('long and hostile words are cut and change nothing else', async () => {
  const hostile = ') Tj ET /JS (app.alert(1)) \u202egpj.exe \u001b[31m <</S/JavaScript>> endobj'
  const { pages, bytes } = await sheetOf(
    [
      { name: `${'W'.repeat(400)} end` },
      { name: hostile },
      { name: 'Örhängen – Ďábel, Ελλάδα, Москва' },
      { name: '指輪 👑 5' },
    ],
    { title: hostile },
  )
  expect(pages).toHaveLength(1)
  const text = pages[0]!.getText()
  expect(text).toMatch(/W{10,60}…/)
  expect(text).not.toContain('end\n')
  expect(text).toContain(') Tj ET /JS (app.alert(1))')
  expect(text).toContain('Örhängen – Ďábel, Ελλάδα, Москва')
  // What the font lacks is a box each, not nothing.
  expect(text).toContain('□□ □ 5')
  expect(picturesOn(pages[0]!)).toBe(4)
  // What stands outside of strings and of what is compressed is structure.
  const structure = bytes
    .toString('latin1')
    .replace(/stream\r?\n[\s\S]*?endstream/g, '')
    .replace(/\((?:\\[\s\S]|[^()\\])*\)/g, '')
  expect(structure).toContain('/Type /Catalog')
  expect(structure).not.toMatch(/\/(JS|JavaScript|OpenAction|AA|Launch|URI|EmbeddedFile)\b/)
})

test('results alone are nine a page', async () => {
  const images = Array.from({ length: 20 }, (_, at) => ({ name: `Ring ${at + 1}` }))
  const { pages } = await sheetOf(images, { before: false })
  expect(pages.map((page) => page.getText().match(/Ring \d+/g)?.length)).toEqual([9, 9, 2])
})

test('the title and what is known of the batch stand on the first page alone', async () => {
  const { pages } = await sheetOf(Array.from({ length: 7 }, (_, at) => ({ name: `Ring ${at}` })))
  expect(pages.map((page) => page.getText().includes('7 images'))).toEqual([true, false])
  // On the others it stands small at the foot.
  expect(pages.map((page) => page.getText().match(/Spring/g)?.length)).toEqual([2, 1])
})

test('why an image failed stands there, and its run in full however much is set', async () => {
  const settings = {
    debanding: true,
    bg_mode: 'solid',
    bg_color: '#F4F4F4',
    bg_shadow: true,
    shadow_intensity: 0.85,
    framing_enabled: true,
    framing_pad_top: 11.25,
    framing_pad_bottom: 12.25,
    framing_pad_left: 13.25,
    framing_pad_right: 14.25,
  } as const
  const error = `No ring in the picture: ${'the light was too weak to tell it from its ground '.repeat(6)}`
  const runId = 'run-0123456789-abcdef'
  const { pages } = await sheetOf([{ name: 'W'.repeat(300), error, runId }], { settings, before: false })
  const text = pages[0]!.getText()
  expect(text).toContain('No ring in the picture')
  expect(text).toContain(runId)
  // Nothing stands below the frame but the foot of the page.
  const { width, height, data } = await pages[0]!.render({ scale: 2, render: 'bitmap' })
  const isInk = (x: number, y: number) => data[(y * width + x) * 4 + 1]! < 235
  const rows = Array.from({ length: height }, (_, y) => y)
  const frameEnd = rows.findLast((y) => [71, 72, 73].some((x) => isInk(x, y)) && y < height - 120)!
  const inkedBelow = rows
    .filter((y) => y > frameEnd + 8 && y < height - 120)
    .filter((y) => Array.from({ length: width }, (_, x) => x).some((x) => isInk(x, y)))
  expect(frameEnd).toBeGreaterThan(300)
  expect(inkedBelow).toEqual([])
})

test('a picture that cannot be understood is one that is missing, and stops nothing', async () => {
  const { pages } = await sheetOf([{ name: 'Ring 1' }, { name: 'Ring 2' }], {
    picture: Buffer.from('\u00ff\u00d8 but no picture', 'latin1'),
  })
  expect(picturesOn(pages[0]!)).toBe(0)
  expect(pages[0]!.getText().match(/no picture/g)).toHaveLength(4)
})

test('more images than a sheet has room for are counted at the end', async () => {
  const images = Array.from({ length: 9 }, (_, at) => ({ name: `Ring ${at + 1}` }))
  const { pages } = await sheetOf(images, { most: 7 })
  const texts = pages.map((page) => page.getText())
  expect(texts.flatMap((text) => text.match(/Ring \d/g) ?? [])).toHaveLength(7)
  expect(texts.at(-1)).toContain('2 more images are in the CSV of this batch.')
})

test('a document says which language it is in', async () => {
  expect((await sheetOf([])).bytes.toString('latin1')).toContain('/Lang (en)')
  onTestFinished(async () => await speakProgram('en', []))
  await speakProgram('de', [])
  const { bytes, pages } = await sheetOf([])
  expect(bytes.toString('latin1')).toContain('/Lang (de)')
  expect(pages[0]!.getText()).toContain('0 Bilder')
})

test('a batch without images is a page that says so', async () => {
  const { pages } = await sheetOf([])
  expect(pages).toHaveLength(1)
  expect(pages[0]!.getText()).toContain('0 images')
})

test('lines never pass their width or their number, and lose no letter before the cut', () => {
  const measures: Measures = { has: (one) => one < 0x3000, width: (text) => Array.from(text).length }
  const words = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 12 })
  fc.assert(
    fc.property(
      words,
      fc.integer({ min: 6, max: 30 }),
      fc.integer({ min: 1, max: 4 }),
      (parts, width, most) => {
        const text = parts.join(' ')
        const lines = linesOf(text, width, most, measures)
        expect(lines.length).toBeLessThanOrEqual(most)
        // A letter of many code points may be wider than the line by itself.
        const wide = Math.max(
          1,
          ...Array.from(
            new Intl.Segmenter().segment(drawable(text, measures)),
            ({ segment }) => Array.from(segment).length,
          ),
        )
        for (const line of lines) expect(measures.width(line)).toBeLessThanOrEqual(Math.max(width, wide + 1))
        const kept = lines.join('').replaceAll(' ', '').replace(/…$/, '')
        const whole = drawable(text, measures).replaceAll(' ', '')
        expect(whole.startsWith(kept)).toBe(true)
      },
    ),
  )
})
