import { describe, expect, test } from 'vitest'
import { chooseVariants, presetsName, type Variant } from './variants.ts'

const made = (preset: string | null, debanding = true): Variant => ({
  preset,
  recipe: { appId: 'rescue', settings: { debanding }, parameters: {} },
})
const namesOf = (variants: readonly Variant[]) => variants.map(({ preset }) => preset)

describe('of presets that send the same', () => {
  test('the first is made, and a person is told of the others', () => {
    const { variants, words, trouble } = chooseVariants(
      [made('Plain'), made('Cut-out', false), made('Twin'), made(null)],
      '{name}.{ext}',
    )
    expect(namesOf(variants)).toEqual(['Plain', 'Cut-out'])
    expect(words).toEqual([
      '“Twin” sends the same as “Plain”: each picture is made once.',
      '“No preset” sends the same as “Plain”: each picture is made once.',
    ])
    expect(trouble).toBeUndefined()
  })

  test('one that was chosen twice is no news', () => {
    const chosen = chooseVariants([made('Plain'), made('Plain')], '{name}.{ext}')
    expect(chosen).toMatchObject({ words: [], nameTemplate: '{name}.{ext}', trouble: undefined })
    expect(namesOf(chosen.variants)).toEqual(['Plain'])
  })
})

describe('outputs of several presets', () => {
  const two = [made('White'), made('Cut-out', false)]

  test('are told apart by their names in a new batch', () => {
    const { nameTemplate, trouble } = chooseVariants(two, '{name}.{ext}')
    expect(nameTemplate).toContain('{preset}')
    expect(trouble).toBeUndefined()
    expect(chooseVariants(two, '{preset}/{name}.{ext}').nameTemplate).toBe('{preset}/{name}.{ext}')
  })

  test('are refused to a batch whose names cannot tell them apart', () => {
    const { nameTemplate, trouble } = chooseVariants(two, '{name}.{ext}', true)
    expect([nameTemplate, trouble]).toEqual(['{name}.{ext}', expect.stringContaining('have no {preset}')])
    expect(chooseVariants(two, '{preset}/{name}.{ext}', true).trouble).toBeUndefined()
    // Of one preset nothing has to be told apart.
    expect(chooseVariants(two.slice(1), '{name}.{ext}', true).trouble).toBeUndefined()
  })

  test('are refused where two presets are one file name, unless the run tells them apart', () => {
    const alike = [made('White: A'), made('white? a', false)]
    expect(chooseVariants(alike, '{name}.{ext}').trouble).toBe(
      '“White: A” and “white? a” give the same file names; rename one of the presets.',
    )
    expect(chooseVariants(alike, '{name}-{preset}-{run}.{ext}').trouble).toBeUndefined()
  })
})

test('a batch is called by its presets', () => {
  expect(presetsName([made('White'), made(null), made('Cut-out')])).toBe('White + Cut-out')
  expect(presetsName([made(null)])).toBeNull()
})
