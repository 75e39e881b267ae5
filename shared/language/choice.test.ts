import { array, assert, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { speechOf } from './choice.ts'

test.each([
  ['system', ['de-AT', 'en-US'], 'de', 'de-AT'],
  ['system', ['DE-ch'], 'de', 'DE-ch'],
  ['system', ['de'], 'de', 'de'],
  // A person who wants French before German is spoken to in English, and has dates written as the machine does.
  ['system', ['fr-FR', 'de-DE'], 'en', undefined],
  ['system', ['en-US', 'de-DE'], 'en', undefined],
  ['system', ['den-CA'], 'en', undefined],
  ['system', [], 'en', undefined],
  [null, ['de-DE'], 'de', 'de-DE'],
  ['klingonisch', ['de-DE'], 'de', 'de-DE'],
  ['klingonisch', ['en-GB'], 'en', undefined],
  ['de', ['en-US', 'fr-FR'], 'de', 'de-DE'],
  ['de', ['en-US', 'de-AT', 'de-DE'], 'de', 'de-AT'],
  ['de', ['den-CA'], 'de', 'de-DE'],
  ['de', [], 'de', 'de-DE'],
  ['en', ['de-DE'], 'en', 'en-GB'],
  ['en', ['de-DE', 'en-US'], 'en', 'en-US'],
  ['en', ['enm-GB'], 'en', 'en-GB'],
  ['long', ['de-DE'], 'long', undefined],
] as const)('%s on a machine of %j: %s, written as in %s', (choice, machine, language, locale) => {
  expect(speechOf(choice, machine)).toEqual({ language, locale })
})

test('whatever is chosen and whatever the machine has, dates and numbers are written in the language that is spoken', () => {
  const tag = constantFrom('de', 'de-AT', 'DE-DE', 'en', 'en-US', 'fr-FR', 'den', 'enm-GB', 'zh-Hans-CN')
  assert(
    property(
      constantFrom('system', 'en', 'de', null),
      array(tag, { maxLength: 4 }),
      string(),
      (choice, machine, strange) => {
        for (const one of [choice, strange]) {
          const { language, locale } = speechOf(one, machine)
          if (locale !== undefined) expect(new Intl.Locale(locale).language).toBe(language)
          if (one === 'en' || one === 'de') expect([language, locale]).toEqual([one, expect.any(String)])
        }
      },
    ),
  )
})
