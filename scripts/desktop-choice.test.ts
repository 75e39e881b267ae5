import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { chooseOpening, electronEnvironment, electronProgram, type Surroundings } from './desktop-choice.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-choice-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

function put(file: string, text = '') {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

const program = () => join(folder, 'node_modules', 'electron', 'dist', 'electron')
function installElectron() {
  put('node_modules/electron/path.txt', 'electron')
  put('node_modules/electron/dist/electron')
}

const at = (fields: Partial<Surroundings> = {}): Surroundings => ({
  root: folder,
  platform: 'linux',
  env: { DISPLAY: ':0' },
  isRoot: false,
  wantsBrowser: false,
  ...fields,
})

test('Electron is there when its program is, not when its package is', () => {
  expect(electronProgram(folder, {})).toBeUndefined()
  put('node_modules/electron/index.js', 'throw new Error("it was run")')
  expect(electronProgram(folder, {})).toBeUndefined()
  put('node_modules/electron/path.txt', 'electron')
  expect(electronProgram(folder, {})).toBeUndefined()
  installElectron()
  expect(electronProgram(folder, {})).toBe(program())
  put('elsewhere/electron')
  const env = { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'elsewhere') }
  expect(electronProgram(folder, env)).toBe(join(folder, 'elsewhere', 'electron'))
})

test('the window opens where Electron is, on every system', () => {
  installElectron()
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    expect(chooseOpening(at({ platform }))).toEqual({ kind: 'window', electron: program() })
  }
  expect(chooseOpening(at({ env: { WAYLAND_DISPLAY: 'wayland-0' } })).kind).toBe('window')
})

test.each([
  ['it is wanted', { wantsBrowser: true }, undefined, false],
  ['there is no screen', { env: {} }, 'no screen', false],
  ['it is started by root', { isRoot: true }, 'no sandbox', false],
] as const)('the browser opens where %s', (_, fields, why, fetchable) => {
  installElectron()
  const opening = chooseOpening(at(fields))
  expect(opening).toMatchObject({ kind: 'browser', fetchable })
  if (opening.kind === 'browser' && why !== undefined) expect(opening.why).toContain(why)
})

test('where Electron is missing the browser opens, and is told how the window can be had', () => {
  const opening = chooseOpening(at())
  expect(opening).toMatchObject({ kind: 'browser', fetchable: true })
  expect(opening.kind === 'browser' && opening.why).toContain('npm start -- --fetch-electron')
})

test('Electron is not made plain Node of by what stands in the environment', () => {
  expect(electronEnvironment({ ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--inspect', PATH: '/bin' })).toEqual(
    {
      PATH: '/bin',
    },
  )
})
