import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { spoken } from '../../shared/language/text.ts'
import { speakChosen } from './speak-chosen.ts'
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

test('a sheet is in the language that is chosen in the window, from the moment it is', async (context) => {
  const program = await startProgram(context)
  const { api } = program
  const end = speakChosen(program.engine, 'de-AT', (error) => void program.faults.push(error))
  context.onTestFinished(end)
  // Nobody has chosen yet, so it is that of this computer.
  await vi.waitFor(() => expect(spoken()).toBe('de'))
  await api.connections.usePractice({})
  await until(api.queue.watch({}), ({ balance }) => balance !== null)
  const { batch } = await begin(program, 1)
  await batchOnce(program, batch, ({ state }) => state === 'finished')
  const sheet = async () => {
    const { file } = await api.reports.write({ batch, kind: 'contact-sheet' })
    return await readFile(join(program.out, 'Rings', file), 'utf8')
  }
  expect(await sheet()).toMatch(/<html lang="de">.*1 Bild · 1 fertig · \d+ Credits berechnet.*Vorher/s)
  await api.preferences.change({ language: 'en' })
  await vi.waitFor(() => expect(spoken()).toBe('en'))
  expect(await sheet()).toMatch(/<html lang="en">.*1 image · 1 done · \d+ credits charged.*Before/s)
  await api.preferences.change({ language: 'de' })
  await vi.waitFor(() => expect(spoken()).toBe('de'))
  await end()
  expect(spoken()).toBe('en')
  expect(program.faults).toEqual([])
})
