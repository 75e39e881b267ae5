import { afterEach, expect, test } from 'vitest'
import { germanEngine } from '../../shared/language/german-window.ts'
import { hear, said } from '../../shared/language/said.ts'
import { speak } from '../../shared/language/text.ts'
import { settingRules } from '../../shared/settings.ts'
import { notSentSentence, settingNames } from './setting-sentences.ts'

afterEach(() => {
  speak('en', {})
  hear({})
})

test('settings are called what the table calls them', () => {
  expect(settingNames).toEqual(Object.fromEntries(settingRules.map(({ key, title }) => [key, title])))
})

test('every setting that can be left out is told whole in both languages', () => {
  speak('de', {}, 'de-DE')
  hear(germanEngine)
  const conditional = settingRules.flatMap(({ key, title, condition }) =>
    condition ? [{ key, title, unless: condition.unless }] : [],
  )
  expect(conditional.length).toBeGreaterThan(5)
  for (const { key, title, unless } of conditional) {
    const english = notSentSentence(key, unless)
    expect(english).toBe(`${title} is not sent: it only counts where ${unless}.`)
    expect(said(english)).toMatch(/wird nicht gesendet: zählt nur, wenn .*\.$/)
  }
})
