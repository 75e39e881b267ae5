import { assert, array, constantFrom, property } from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { germanProgram } from './german-program.ts'
import { germanEngine, germanWindow } from './german-window.ts'
import { hear, said } from './said.ts'
import { speak } from './text.ts'

beforeEach(() => {
  speak('de', germanWindow, 'de-DE')
  hear(germanEngine)
})

afterEach(() => {
  speak('en', {})
  hear({})
})

const fill = (key: string, values: readonly string[]) =>
  key.replaceAll(/\{(\d+)\}/g, (_, n: string) => values[Number(n)]!)

/** What stands in sentences of the engine: paths, names, hosts, codes and figures, none of which is a word of its own. */
const value = constantFrom(
  '/home/mara/Ringe 2026/R1195-set.jpg',
  String.raw`D:\Shooting\Ohrringe & Ketten`,
  '“Velvet, dark”',
  '404',
  'EACCES',
  'service.example:8443',
  'https://pictures.example/a%20b.jpg?x=1#2',
  '12ab-34cd',
  'x',
)

describe('whatever the engine says', () => {
  // A pattern that is like another's sentences would take them for its own.
  test.each(Object.entries(germanEngine))('%s', (key, german) => {
    assert(
      property(array(value, { minLength: 4, maxLength: 4 }), (values) => {
        expect(said(fill(key, values))).toBe(fill(german, values))
      }),
      { numRuns: 40 },
    )
  })
})

test('sentences within sentences are said as well', () => {
  expect(said('Run 7: it failed: no memory')).toBe('Lauf 7: Er ist fehlgeschlagen: no memory')
  expect(said('Accepted by the service; failed: The service gave no reason.')).toBe(
    'Vom Dienst angenommen; fehlgeschlagen: Der Dienst nannte keinen Grund.',
  )
  expect(
    said('The link to the result was refused. The result is paid for; a retry fetches it again at no cost.'),
  ).toBe(
    'Der Link zum Ergebnis wurde abgelehnt. Das Ergebnis ist bezahlt; Wiederholen holt es kostenlos erneut.',
  )
  expect(said('list.csv, line 3: There is no address in this row. (“a;b”)')).toBe(
    'list.csv, Zeile 3: In dieser Zeile steht keine Adresse. („a;b“)',
  )
  expect(said('Ring 1: it is delivered without its metadata. The colour profile changed.')).toBe(
    'Ring 1: Es wird ohne seine Metadaten geliefert. Das Farbprofil hat sich geändert.',
  )
})

test.each([
  ['the window', germanWindow],
  ['the engine', germanEngine],
  ['the program', germanProgram],
])('the German of %s has the values of its English, and marks quotations as German does', (_, words) => {
  const valuesOf = (text: string) => (text.match(/\{\d+\}/g) ?? []).toSorted()
  for (const [key, german] of Object.entries(words).filter(([, text]) => text !== '')) {
    expect([key, valuesOf(german)]).toEqual([key, valuesOf(key)])
    expect([key, /“[^„”]*”/.test(german)]).toEqual([key, false])
  }
})
