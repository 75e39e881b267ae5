import { assert, property, string } from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { hear, said } from './said.ts'
import { longer, speak } from './text.ts'

const words = {
  'The disk of {0} is full; make room, then go on.':
    'Der Datenträger von {0} ist voll; Platz schaffen, dann weiter.',
  '{0}: {1}': '{0}: {1}',
  '{0} of {1} were sent.': 'Von {1} wurden {0} gesendet.',
  'Nothing is lost.': 'Nichts ist verloren.',
  'No German {0} yet.': '',
}

afterEach(() => {
  speak('en', {})
  hear({})
})

describe('a sentence of the engine', () => {
  test.each([
    ['Nothing is lost.', 'Nichts ist verloren.'],
    [
      'The disk of /a b is full; make room, then go on.',
      'Der Datenträger von /a b ist voll; Platz schaffen, dann weiter.',
    ],
    ['3 of 1,284 were sent.', 'Von 1.284 wurden 3 gesendet.'],
    ['list.txt: Nothing is lost.', 'list.txt: Nichts ist verloren.'],
    ['Nothing is lost. 3 of 4 were sent.', 'Nichts ist verloren. Von 4 wurden 3 gesendet.'],
    ['No German at all yet.', 'No German at all yet.'],
    ['Never heard of.', 'Never heard of.'],
  ])('%s', (english, german) => {
    speak('de', {}, 'de-DE')
    hear(words)
    expect(said(english)).toBe(german)
  })

  test('is as it is where English is spoken', () => {
    hear(words)
    expect(said('Nothing is lost.')).toBe('Nothing is lost.')
  })

  test('is longer where the layout is tested', () => {
    speak('long', {})
    hear(words)
    expect(said('Nothing is lost.')).toBe(longer('Nothing is lost.'))
  })

  test('is said in new words as soon as these are heard', () => {
    speak('de', {}, 'de-DE')
    hear(words)
    expect(said('Nothing is lost.')).toBe('Nichts ist verloren.')
    hear({ 'Nothing is lost.': 'Alles ist da.' })
    expect(said('Nothing is lost.')).toBe('Alles ist da.')
  })

  test('however often it is nested, is no burden: what lies deep stays as it is', () => {
    speak('de', {}, 'de-DE')
    hear(words)
    const deep = `${'list.txt: '.repeat(20_000)}Nothing is lost.`
    expect(said(deep)).toBe(deep)
    expect(said('a: b: Nothing is lost.')).toBe('a: b: Nichts ist verloren.')
  })

  test('a value stays whatever it is, letter for letter', () => {
    speak('de', {}, 'de-DE')
    hear({ 'The file {0} is gone.': 'Die Datei {0} ist weg.' })
    assert(
      property(string({ unit: 'binary' }), (name) => {
        expect(said(`The file ${name} is gone.`)).toBe(
          /^\d{1,3}(,\d{3})+$/.test(name) ? expect.anything() : `Die Datei ${name} ist weg.`,
        )
      }),
    )
  })
})
