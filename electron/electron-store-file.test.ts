import { EventEmitter } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPreferenceFile, openValueFile } from '../engine/preferences/preference-file.ts'
import { loadElectronStore } from './electron-store-file.ts'

/** The library itself, with a stand-in in the place of the `electron` that it imports. */
function withElectron() {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-store-'))
  const ipcMain = new EventEmitter()
  const electron = { app: { getPath: () => folder, getVersion: () => '1.2.3' }, ipcMain, shell: {} }
  Object.assign(globalThis, { electronOfTheTest: electron })
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron'
        ? {
            url: 'data:text/javascript,export default globalThis.electronOfTheTest',
            format: 'module',
            shortCircuit: true,
          }
        : next(specifier, context),
  })
  onTestFinished(() => {
    hooks.deregister()
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, ipcMain }
}

test('values are kept in a file for its owner alone, and no channel is left that answers every page', async () => {
  const { folder, ipcMain } = withElectron()
  const openFile = await loadElectronStore(ipcMain as never, '1.2.3')
  openValueFile(folder, 'desktop', openFile).set('window', { x: 1 })
  expect(ipcMain.eventNames()).toEqual([])
  const path = join(folder, 'desktop.json')
  // Windows has other rights than these.
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ window: { x: 1 } })
  expect(openValueFile(folder, 'desktop', openFile).get('window')).toEqual({ x: 1 })

  // The same file as that of the command line: what one has changed the other one reads.
  openPreferenceFile(folder, openFile).change({ outDir: '/pictures' })
  expect(openPreferenceFile(folder).read().outDir).toBe('/pictures')
  expect(ipcMain.eventNames()).toEqual([])

  writeFileSync(path, '{ "window": ')
  expect(() => openValueFile(folder, 'desktop', openFile).get('window')).toThrow(
    'desktop.json is not JSON any more',
  )
})
