import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StandInElectron } from './stand-in-electron.ts'

/** Loads the built program of a folder on a stand-in of Electron, as Electron would: ready once main.js has been read. */
export async function loadPacked(folder: string, home: string): Promise<StandInElectron> {
  const electron = new StandInElectron(home)
  Object.assign(globalThis, { standInElectron: electron.objects })
  Object.assign(process, { resourcesPath: join(folder, 'resources') })
  process.env['VITRINE_HOME'] = home
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron'
        ? {
            url: 'data:text/javascript,export default globalThis.standInElectron',
            format: 'module',
            shortCircuit: true,
          }
        : next(specifier, context),
  })
  await import(pathToFileURL(resolve(folder, 'dist/electron/main.js')).href)
  electron.app.becomeReady()
  return electron
}
