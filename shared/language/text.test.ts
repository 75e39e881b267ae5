import { afterEach, describe, expect, test } from 'vitest'
import { speakProgram } from './speak-program.ts'
import { figure, longer, piecesOf, plural, speak, spoken, t } from './text.ts'

afterEach(() => speak('en', {}))

const words = {
  '{0} of {1} are done': 'Von {1} sind {0} fertig',
  '{0} image': '{0} Bild',
  '{0} images': '{0} Bilder',
  'Not yet': '',
  '{0} box': '{0} Kiste',
  '{0} boxes': '{0} Kisten',
}

describe('a text', () => {
  test('has its values where its language wants them', () => {
    expect(t`${3} of ${'seven'} are done`).toBe('3 of seven are done')
    speak('de', words)
    expect(t`${3} of ${'seven'} are done`).toBe('Von seven sind 3 fertig')
  })

  test('without its German stays English', () => {
    speak('de', words)
    expect([t`Not yet`, t`Never heard of ${1}`]).toEqual(['Not yet', 'Never heard of 1'])
  })

  test('leaves values as they are, whatever is in them', () => {
    speak('de', words)
    expect(t`${'{1}'} of ${'$&'} are done`).toBe('Von $& sind {1} fertig')
  })

  test('comes in pieces for what stands within it', () => {
    speak('de', words)
    expect(piecesOf(['', ' of ', ' are done'])).toEqual(['Von ', 1, ' sind ', 0, ' fertig'])
  })
})

describe('figures and numbers of things', () => {
  test.each([
    [0, '0 images', '0 Bilder'],
    [1, '1 image', '1 Bild'],
    [2, '2 images', '2 Bilder'],
    [1284, '1,284 images', '1.284 Bilder'],
  ])('%i', (count, english, german) => {
    speak('en', {}, 'en-US')
    expect(plural(count, 'image')).toBe(english)
    speak('de', words, 'de-DE')
    expect(plural(count, 'image')).toBe(german)
  })

  test('an irregular plural is one of its own', () => {
    speak('en', {}, 'en-US')
    expect([plural(1, 'box', 'boxes'), plural(2, 'box', 'boxes')]).toEqual(['1 box', '2 boxes'])
    speak('de', words, 'de-DE')
    expect(plural(2, 'box', 'boxes')).toBe('2 Kisten')
  })

  test('two places of a fraction are shown', () => {
    speak('en', {}, 'en-US')
    expect([figure(0.856), figure(12.5), figure(1e6)]).toEqual(['0.86', '12.5', '1,000,000'])
    speak('de', {}, 'de-DE')
    expect(figure(1234.567)).toBe('1.234,57')
  })
})

test('a text for tests of the layout is 40 % longer than what is seen of it, and begins as it does', () => {
  const english = 'The folder of this batch cannot be written to'
  expect(longer(english)).toMatch(/^The folder of this batch cannot be written to o+( o+)*$/)
  const more = longer(english).slice(english.length).replaceAll(' ', '')
  expect(more).toHaveLength(Math.ceil(english.length * 0.4))
  // The place of a value is not seen.
  expect(longer('{0}: done').slice('{0}: done'.length)).toBe(longer(': done').slice(': done'.length))
  speak('long', {})
  expect(t`Save`).toBe('Save oo')
})

test('of two languages that are asked for in a row the later one is spoken, whichever is loaded first', async () => {
  await Promise.all([speakProgram('de', []), speakProgram('en', [])])
  expect(spoken()).toBe('en')
  await Promise.all([speakProgram('en', []), speakProgram('de', [])])
  expect(spoken()).toBe('de')
  await speakProgram('en', [])
})
