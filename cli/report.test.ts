import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { writeShootLists } from '../practice-service/start.ts'
import { stage } from './testing/stage.ts'

test('a batch as a contact sheet and as a table, and what it cost', async (context) => {
  const { call, folder, service, read } = await stage(context)
  await writeShootLists(join(folder, 'Shoot'), service.origin)
  expect(await call(['report', '--csv', 'x.csv'])).toMatchObject({ status: 64 })
  const run = await call([
    'run',
    'Shoot/Rings',
    '--preset',
    'Retouch only',
    '--out',
    'out',
    '--yes',
    '--json',
  ])
  expect(run).toMatchObject({ status: 0 })
  const { delivered, creditsCharged } = run.summary()
  const written = await call(['report', '--html', 'sheet.html', '--csv', 'sheet.csv'])
  expect(written).toMatchObject({ status: 0 })
  const html = await read('sheet.html')
  expect(html.match(/<figure>/g)).toHaveLength(delivered)
  // Each has its source and its output embedded, and nothing is fetched or run.
  expect(html.match(/src="data:image\/webp;base64,/g)).toHaveLength(2 * delivered)
  expect(html).not.toMatch(/<script|src="http|href=|url\(/)
  expect(html).toContain('Done · ')
  for (const { runId } of service.books().runs) expect(html).toContain(runId)
  const table = await read('sheet.csv')
  const { data } = Papa.parse<Record<string, string>>(table, { header: true, skipEmptyLines: true })
  expect(data).toHaveLength(delivered)
  expect(data.reduce((sum, row) => sum + Number(row['credits']), 0)).toBe(creditsCharged)
  expect(data[0]).toMatchObject({ state: 'delivered', app: 'rescue', preset: 'Retouch only' })
  expect(await call(['report', '--pdf', 'sheet.pdf'])).toMatchObject({ status: 0 })
  const pdfium = await PDFiumLibrary.init()
  context.onTestFinished(() => pdfium.destroy())
  const pages = [...(await pdfium.loadDocument(await readFile(join(folder, 'sheet.pdf')))).pages()]
  const objects = pages.flatMap((page) => [...page.objects()])
  expect(objects.filter(({ type }) => type === 'image')).toHaveLength(2 * delivered)
  const text = pages.map((page) => page.getText()).join('')
  for (const { runId } of service.books().runs) expect(text).toContain(runId)
  expect((await call(['report', '--pdf', '-'])).status).toBe(64)
  // Nothing is replaced without a word.
  expect((await call(['report', '--csv', 'sheet.csv'])).status).toBe(64)
  expect((await call(['report', '--csv', 'sheet.csv', '--yes'])).status).toBe(0)
  const costs = (await call(['report', '--by', 'preset', '--json'])).records()
  expect(costs).toEqual([
    { by: 'preset', key: 'Retouch only', images: delivered, runs: delivered, credits: creditsCharged },
  ])
  const byFolder = await call(['report', '--by', 'folder', '--csv', '-', '--since', '2000-01-01'])
  expect(byFolder.out.split('\r\n')[0]).toBe('folder,images,runs,credits')
  expect(byFolder.out).toContain(join(folder, 'out'))
  expect((await call(['report', '--since', '2999-01-01'])).err).toContain('Nothing was sent in that time.')
  expect((await call(['report', '--since', '2026-02-31'])).status).toBe(64)
  expect((await call(['report', 'abc', '--by', 'day'])).status).toBe(64)
})
