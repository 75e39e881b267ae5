import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { escapeHtml } from './contact-sheet.ts'
import { csvRows } from './csv.ts'
import { writeReport } from './write-report.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    ' =cmd|x',
    '\r=1',
    '"a",b',
    'a\r\nb',
    "'quoted",
    '',
  ),
)

test('a table reads back as it was, and no cell of it is a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.array(hostile, { minLength: 3, maxLength: 3 }), { minLength: 1 }), (rows) => {
      const text = csvRows(rows)
      expect(text.endsWith('\r\n')).toBe(true)
      const { data, errors } = Papa.parse<string[]>(text.slice(0, -2), { newline: '\r\n', delimiter: ',' })
      expect(errors).toEqual([])
      const isFormula = (cell: string) => /^\s*[=+\-@]/.test(cell)
      expect(data.flat().filter(isFormula)).toEqual([])
      const meant = rows.map((row) =>
        row.map((cell) => (isFormula(cell) || /^[\t\r\n]/.test(cell) ? `'${cell}` : cell)),
      )
      expect(data).toEqual(meant)
    }),
  )
})

test('numbers stay numbers', () => {
  expect(csvRows([['a', 5, null]])).toBe('a,5,\r\n')
})

test('no word of anybody else is markup', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(escapeHtml(`${text}<script>"'`)).not.toMatch(/[<>"']/)
    }),
  )
  expect(escapeHtml('a & "b"')).toBe('a &amp; &quot;b&quot;')
})

test('a report appears whole or not at all, and replaces nothing unasked', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-report-'))
  context.onTestFinished(async () => await rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'sheet.html')
  async function* chunks(text: string, fails = false) {
    yield text
    if (fails) throw new Error('no more')
  }
  await expect(writeReport(path, chunks('half', true), { replace: false })).rejects.toThrow('no more')
  expect(await readdir(folder)).toEqual([])
  await writeFile(path, 'mine')
  expect(await writeReport(path, chunks('new'), { replace: false })).toBe(false)
  expect(await readFile(path, 'utf8')).toBe('mine')
  expect(await writeReport(path, chunks('new'), { replace: true })).toBe(true)
  expect(await readFile(path, 'utf8')).toBe('new')
  expect(await readdir(folder)).toEqual(['sheet.html'])
})
