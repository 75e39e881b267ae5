import { PDFiumLibrary } from '@hyzyla/pdfium'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
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
  images: readonly { name: string; error?: string }[],
  options: { title?: string; before?: boolean } = {},
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
  const recipe = { appId: 'rescue', settings: { debanding: true }, parameters: {} }
  const rows = images.map(({ name }, at) => ({
    source: `https://pictures.example/${at}.jpg`,
    folder: '',
    name,
    state: 'waiting' as const,
    earlierImageId: null,
  }))
  store.transaction(() => store.images.add(batch.seq, 0, recipe, '/out', rows))
  const red = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#c01010' } })
    .jpeg()
    .toBuffer()
  const picture = (_: number, which: string) => Promise.resolve(which === 'source' ? red : undefined)
  const title = options.title ?? 'Spring'
  const chunks: Uint8Array[] = []
  for await (const chunk of pdfSheet({
    store,
    batch,
    title,
    now: 5000,
    picture,
    before: options.before ?? true,
  })) {
    chunks.push(chunk)
  }
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
