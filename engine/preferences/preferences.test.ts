import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { builtInPresets, type Preset } from '../../shared/presets.ts'
import { allPresets, findPreset } from './find-preset.ts'
import { openPreferenceFile } from './preference-file.ts'
import { preferencesOver, PreferencesError, samePresetName } from './preferences.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vitrine-preferences-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
})
const file = () => join(home, 'preferences.json')

const grey: Preset = { name: 'Grey', appId: 'rescue', settings: { bg_mode: 'solid' }, parameters: {} }

test('nothing is written before something is changed, and then only for its owner', () => {
  const store = openPreferenceFile(home)
  expect(store.read()).toEqual({
    baseUrl: undefined,
    outDir: undefined,
    webhookUrl: undefined,
    presets: [],
    defaultPresets: {},
    connections: [],
    activeConnection: undefined,
    chosen: {},
    ownFiles: { published: null, storage: null },
  })
  expect(existsSync(file())).toBe(false)
  store.change({ baseUrl: 'https://service.example/api/v1' })
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

test('what is changed is there after the next start; undefined removes it', () => {
  const defaultPresets = { 'https://service.example/api/v1': 'Grey' }
  openPreferenceFile(home).change({
    baseUrl: 'https://service.example/api/v1',
    outDir: '/pictures',
    defaultPresets,
  })
  openPreferenceFile(home).change({ outDir: undefined })
  const read = openPreferenceFile(home).read()
  expect(read).toMatchObject({ baseUrl: 'https://service.example/api/v1', outDir: undefined, defaultPresets })
})

test('a preset replaces the one of its name in place, whatever the case', () => {
  const store = openPreferenceFile(home)
  store.savePreset(grey)
  store.savePreset({ ...grey, name: 'Other' })
  store.savePreset({ ...grey, name: 'GREY', appId: 'precision' })
  expect(store.read().presets.map(({ name, appId }) => [name, appId])).toEqual([
    ['GREY', 'precision'],
    ['Other', 'rescue'],
  ])
  expect(store.removePreset('grey')).toBe(true)
  expect(store.removePreset('grey')).toBe(false)
  expect(openPreferenceFile(home).read().presets).toHaveLength(1)
})

test('what a newer program has saved is passed over and kept', () => {
  const strange = { name: 'From tomorrow', look: 'warm' }
  writeFileSync(file(), JSON.stringify({ baseUrl: 7, presets: [strange, grey], later: true }))
  const store = openPreferenceFile(home)
  expect(store.read()).toMatchObject({ baseUrl: undefined, presets: [grey] })
  store.savePreset({ ...grey, name: 'Second' })
  const kept = JSON.parse(readFileSync(file(), 'utf8')) as { presets: unknown[]; later: boolean }
  expect(kept.presets[0]).toEqual(strange)
  expect(kept.later).toBe(true)
})

test('a file that is not JSON is told by name and left as it is', () => {
  writeFileSync(file(), '{ "baseUrl": ')
  expect(() => openPreferenceFile(home).read()).toThrow(PreferencesError)
  expect(() => openPreferenceFile(home).read()).toThrow(`${file()} is not JSON any more`)
  expect(readFileSync(file(), 'utf8')).toBe('{ "baseUrl": ')
})

test('any raw values are borne', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('baseUrl', 'outDir', 'presets', 'defaultPresets'), fc.jsonValue()),
      (raw) => {
        const values = new Map<string, unknown>(Object.entries(raw))
        const store = preferencesOver({
          get: (key) => values.get(key),
          set: (key, value) => values.set(key, value),
          delete: (key) => values.delete(key),
        })
        store.read()
        store.savePreset(grey)
        expect(findPreset(store.read().presets, 'grey')?.preset.settings).toEqual(grey.settings)
      },
    ),
  )
})

test('own presets come first and stand before built-in ones of the same name', () => {
  const own = { ...grey, name: 'cut-OUT' }
  const all = allPresets([own, grey])
  expect(all.slice(0, 2)).toEqual([
    { preset: own, builtIn: false },
    { preset: grey, builtIn: false },
  ])
  expect(all).toHaveLength(2 + builtInPresets.length - 1)
  expect(findPreset([own], 'Cut-out')).toEqual({ preset: own, builtIn: false })
  expect(findPreset([], 'catalogue WHITE')?.builtIn).toBe(true)
  expect(findPreset([], 'none')).toBeUndefined()
  expect(samePresetName(' Ré ', 'ré')).toBe(true)
})

test('what a window has chosen is judged value by value, and null removes it', () => {
  const values = new Map<string, unknown>([
    ['theme', 'light'],
    ['inFlight', 0],
    [
      'connections',
      [{ id: 'a' }, { id: 'b', name: '', kind: 'account', baseUrl: 'x', vaultName: 'x', storeId: null }],
    ],
  ])
  const store = preferencesOver({
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
  })
  expect(store.read().chosen).toEqual({ theme: 'light' })
  expect(store.read().connections.map(({ id }) => id)).toEqual(['b'])
  store.change({ inFlight: 4, webhookUrl: 'https://hook.example/' })
  expect(store.read().chosen).toEqual({ theme: 'light', inFlight: 4, webhookUrl: 'https://hook.example/' })
  store.change({ inFlight: null, webhookUrl: null })
  expect([...values.keys()]).toEqual(['theme', 'connections'])
})
