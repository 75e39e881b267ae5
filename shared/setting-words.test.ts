import { expect, test } from 'vitest'
import { settingTitle } from './setting-words.ts'
import { settingRules } from './settings.ts'

test('in English a setting is called as in the table', () => {
  for (const { key, title } of settingRules) expect(settingTitle(key)).toBe(title)
})
