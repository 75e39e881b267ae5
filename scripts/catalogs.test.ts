import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkCatalogs } from './catalogs.ts'

test('every text of the program passes through the catalogs, and has its German', () => {
  // `npm run strings -- --write` makes the empty places, and takes out what is not used any more.
  expect(checkCatalogs()).toEqual({ missing: [], unused: [], faults: [] })
})

/** A project of these files. */
function project(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'vitrine-catalogs-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const german = (file: string) =>
    JSON.parse(readFileSync(join(root, 'shared/language/german', file), 'utf8')) as Record<string, string>
  return { check: (write = false) => checkCatalogs(write, root), german }
}

const german = (file: string, words: Record<string, string>) => ({
  [`shared/language/german/${file}`]: JSON.stringify(words),
})
const clean = { missing: [], unused: [], faults: [] }

describe('what is to be mended in a text', () => {
  test('no German, or an empty place for it', () => {
    const source = { 'renderer/app/a.ts': 'export const a = () => [t`One`, t`Two`, t`Three`]' }
    const { check } = project({ ...source, ...german('window/app.json', { One: 'Eins', Two: '' }) })
    const missing = ['Two', 'Three'].map((text) => ({ place: 'renderer/app/a.ts', text }))
    expect(check()).toEqual({ ...clean, missing })
  })

  test('German that nobody says', () => {
    const { check } = project({
      'engine/a.ts': 'export const a = say`One`',
      ...german('engine/engine.json', { One: 'Eins', Two: 'Zwei' }),
    })
    expect(check()).toEqual({ ...clean, unused: ['Two'] })
  })

  test('German that lacks a value, or has one twice', () => {
    const { check } = project({
      'engine/a.ts': 'export const a = (n) => [say`${n} of ${n}`, say`${n} is full`, say`${n} for ${n}`]',
      ...german('engine/engine.json', {
        '{0} of {1}': 'Von {1}',
        '{0} is full': '{0}, {0} ist voll',
        '{0} for {1}': 'Für {1} {0}',
      }),
    })
    expect(check().faults.map(({ text }) => text)).toEqual([
      'The German has other values: {0} of {1}',
      'The German has other values: {0} is full',
    ])
  })

  // Before a program knows its language; a window's is known before its modules are loaded.
  test('a text that the program makes while a module is loaded', () => {
    const sources = Object.fromEntries(
      ['renderer/app', 'engine', 'electron', 'shared'].map((room) => [
        `${room}/a.ts`,
        [
          'export const a = t`Early`',
          'export const b = () => t`Early`',
          'class A { b() { return t`Early` } }',
        ].join('\n'),
      ]),
    )
    const words = { Early: 'Früh' }
    const { check } = project({
      ...sources,
      ...german('window/app.json', words),
      ...german('program/electron.json', words),
    })
    expect(new Set(check().faults.map(({ place }) => place))).toEqual(
      new Set(['electron/a.ts:1', 'engine/a.ts:1', 'shared/a.ts:1']),
    )
  })

  test('words that are shown and not marked', () => {
    const { check } = project({
      'renderer/app/a.tsx': [
        'export const A = () => (',
        '  <p title="Not marked" className="plain" aria-label={t`Marked`}>',
        '    Bare words ×',
        '    <b alt="×">×</b>',
        '    {plural(3, word)}',
        '  </p>',
        ')',
      ].join('\n'),
      ...german('window/app.json', { Marked: 'Bezeichnet' }),
    })
    expect(check().faults).toEqual([
      { place: 'renderer/app/a.tsx:2', text: 'Not marked: Not marked' },
      { place: 'renderer/app/a.tsx:2', text: 'Not marked: Bare words ×' },
      { place: 'renderer/app/a.tsx:5', text: 'plural() needs its words as literals.' },
    ])
  })
})

test('every way to mark a text has its key; tests and the makers’ own pages have none', () => {
  const sources = {
    'renderer/app/a.tsx':
      'export const A = ({ n }) => [t`${n} of ${n}`, rich`Press ${n}`, plural(n, "ring"), plural(n, "box", "boxes")]',
    'renderer/app/a.test.ts': 'test(t`Not a text`)',
    'renderer/app/testing/a.ts': 'export const a = t`Not a text`',
    'renderer/dev/a.ts': 'export const a = t`Not a text`',
  }
  const { check } = project(sources)
  expect(check().missing.map(({ text }) => text)).toEqual([
    '{0} of {1}',
    'Press {0}',
    '{0} ring',
    '{0} rings',
    '{0} box',
    '{0} boxes',
  ])
})

test('writing makes the empty places, keeps the German, and leaves nothing that is not used', () => {
  const { check, german: written } = project({
    'renderer/batches/a.ts': 'export const a = () => [t`Moved`, t`New`]',
    ...german('window/batches.json', { Old: 'Alt' }),
    ...german('window/app.json', { Moved: 'Verschoben' }),
  })
  check(true)
  expect(written('window/batches.json')).toEqual({ Moved: 'Verschoben', New: '' })
  expect(written('window/app.json')).toEqual({})
  expect(check()).toEqual({ ...clean, missing: [{ place: 'renderer/batches/a.ts', text: 'New' }] })
})
