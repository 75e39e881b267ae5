import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hear, said } from '../../shared/language/said.ts'
import { localeOf, speak, spoken, t } from '../../shared/language/text.ts'
import { keepLanguage, startLanguage } from './language.ts'

const place = 'vitrine.language'
const page = { documentElement: { lang: '' } }

beforeEach(() => void vi.stubGlobal('document', page))
afterEach(() => {
  vi.unstubAllGlobals()
  speak('en', {})
  hear({})
})

/** What a browser keeps, with what was chosen before. */
function storage(chosen?: string) {
  const kept = new Map(chosen === undefined ? [] : [[place, chosen]])
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    chosen: () => kept.get(place),
  }
}

describe('a window starts', () => {
  test.each([
    [undefined, ['de-AT', 'en'], 'de', 'de-AT', 'de'],
    [undefined, ['fr-FR'], 'en', undefined, 'en'],
    ['de', ['en-US'], 'de', 'de-DE', 'de'],
    ['en', ['de-DE'], 'en', 'en-GB', 'en'],
    // The words of the layout's tests are English ones.
    ['long', ['de-DE'], 'long', undefined, 'en'],
  ] as const)('with %s kept, on a machine of %j: in %s', async (chosen, machine, language, locale, lang) => {
    await startLanguage(storage(chosen), machine)
    expect([spoken(), localeOf(), page.documentElement.lang]).toEqual([language, locale, lang])
  })

  test('with its own texts and those of the engine', async () => {
    await startLanguage(storage('de'), ['en-US'])
    expect([t`Cancel`, said('Not installed.')]).toEqual(['Abbrechen', 'Nicht installiert.'])
    await startLanguage(storage('en'), ['en-US'])
    expect([t`Cancel`, said('Not installed.')]).toEqual(['Cancel', 'Not installed.'])
  })
})

describe('what was chosen is kept, and the page loaded anew', () => {
  test.each([
    ['another language than is spoken', undefined, 'en', 'de', ['en-US'], true],
    ['the language that the machine has as well', undefined, 'de', 'de', ['de-AT'], false],
    ['the machine’s, which is another', 'de', 'de', 'system', ['en-US'], true],
    ['the machine’s, which is the same', 'de', 'de', 'system', ['de-DE'], false],
    ['what is kept already, though something else is spoken', 'de', 'en', 'de', ['en-US'], false],
  ] as const)('%s', (_, before, now, choice, machine, isAnew) => {
    speak(now, {})
    const kept = storage(before)
    expect(keepLanguage(choice, kept, machine)).toBe(isAnew)
    expect(kept.chosen()).toBe(choice)
  })

  test('where nothing is kept, the page is not loaded anew without end', () => {
    speak('en', {})
    const kept = { getItem: () => null, setItem: () => undefined }
    expect(keepLanguage('de', kept, ['en-US'])).toBe(false)
  })

  test('but for what a test of the layout has asked for', () => {
    speak('long', {})
    const kept = storage('long')
    expect(keepLanguage('de', kept, ['de-DE'])).toBe(false)
    expect(kept.chosen()).toBe('long')
  })
})
