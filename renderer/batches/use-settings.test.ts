import { expect, test } from 'vitest'
import { changedShared, sharedOf, type SettingsAnswer } from './use-settings.ts'

const answer: SettingsAnswer = {
  recipe: { appId: 'rescue', settings: { framing_enabled: true }, parameters: {} },
  mixed: ['bg_mode', 'shadow_size', 'preset'],
  ranges: { shadow_size: { min: 0.8, max: 1.6 } },
  values: { bg_mode: ['solid', null] },
  images: 4,
  editable: 4,
  preset: null,
  pricePerImage: null,
  extras: { min: 0, max: 4 },
}

test('mixed keys show their values, or the ends of their range where those are not named', () => {
  const shared = sharedOf(answer)
  expect(shared.mixed.get('bg_mode')).toEqual(['solid', undefined])
  expect(shared.mixed.get('shadow_size')).toEqual([0.8, 1.6])
  expect([...shared.mixed.keys()]).toEqual(['bg_mode', 'shadow_size'])
  expect(shared.apps).toEqual(['rescue'])
})

test('a key that is touched is not mixed any more; the others stay as they are', () => {
  const changed = changedShared(sharedOf(answer), {
    set: { bg_mode: 'transparent' },
    unset: ['framing_enabled'],
  })
  expect(changed.recipe.settings).toEqual({ bg_mode: 'transparent' })
  expect([...changed.mixed.keys()]).toEqual(['shadow_size'])
})
