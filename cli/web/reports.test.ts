import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { batchOnce, begin, startProgram, until } from './testing/program.ts'

test('reports lie in the output folder under names of their own', async (context) => {
  const program = await startProgram(context)
  const { api } = program
  await api.connections.usePractice({})
  await until(api.queue.watch({}), ({ balance }) => balance !== null)
  const { batch } = await begin(program, 2)
  await batchOnce(program, batch, ({ state }) => state === 'finished')
  expect(await api.reports.write({ batch, kind: 'csv' })).toEqual({ file: 'Rings.csv' })
  expect(await api.reports.write({ batch, kind: 'csv' })).toEqual({ file: 'Rings (2).csv' })
  expect(await readFile(join(program.out, 'Rings', 'Rings.csv'), 'utf8')).toContain('ring-1.jpg')
  const { file } = await api.reports.write({ batch, kind: 'contact-sheet' })
  expect(file).toBe('Rings contact sheet.html')
  const html = await readFile(join(program.out, 'Rings', file), 'utf8')
  // These sources are nowhere; the outputs are there.
  expect(html.match(/data:image\/webp/g)).toHaveLength(2)
  expect(html.match(/no picture/g)).toHaveLength(2)
  expect(await api.reports.write({ batch, kind: 'pdf' })).toEqual({ file: 'Rings contact sheet.pdf' })
  const pdf = await readFile(join(program.out, 'Rings', 'Rings contact sheet.pdf'), 'latin1')
  expect(pdf.match(/\/Subtype ?\/Image/g)).toHaveLength(2)
  expect(program.faults).toEqual([])
})
