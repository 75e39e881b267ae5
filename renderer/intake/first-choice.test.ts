import { createStore } from 'zustand/vanilla'
import { expect, test } from 'vitest'
import type { FoundRecord } from '../../shared/contract/intake-records.ts'
import { builtInPresets } from '../../shared/presets.ts'
import type { Mirrors } from '../app/mirrors.ts'
import { firstChoice } from './first-choice.ts'

const mirrors = {
  preferences: createStore(() => ({ value: undefined })),
  presets: createStore(() => ({
    value: { presets: builtInPresets.map((preset) => ({ preset, builtIn: true })), default: 'Cut-out' },
  })),
  batches: createStore(() => ({ value: { byId: new Map() } })),
} as unknown as Pick<Mirrors, 'preferences' | 'presets' | 'batches'>
const found = { draft: 'd', suggestedName: 'Rings' } as FoundRecord

test('the preset that was chosen in the file manager goes before the connection’s', () => {
  const chosen = firstChoice(found, mirrors, null, 'Soft grey')
  expect(chosen).toMatchObject({ preset: 'Soft grey', recipe: { appId: 'rescue' } })
  expect(chosen.recipe.settings).toMatchObject({ bg_color: '#ECECEC' })
})

test('one that is gone, or none, is the connection’s', () => {
  expect(firstChoice(found, mirrors, null, 'Gone').preset).toBe('Cut-out')
  expect(firstChoice(found, mirrors, null).preset).toBe('Cut-out')
})
