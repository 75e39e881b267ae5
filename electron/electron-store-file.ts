import type { IpcMain } from 'electron'
import type { OpenValueFile } from '../engine/preferences/preference-file.ts'

/**
 * electron-store as the opener of value files. It is loaded only here and only now: outside Electron it cannot even be
 * imported.
 * @param version of the program, which it would else ask Electron for
 */
export async function loadElectronStore(
  ipcMain: Pick<IpcMain, 'removeAllListeners'>,
  version: string,
): Promise<OpenValueFile> {
  const { default: ElectronStore } = await import('electron-store')
  return ({ configName, ...options }) => {
    const file = new ElectronStore<Record<string, unknown>>({
      ...options,
      name: configName,
      projectVersion: version,
    })
    // It answers every page that asks, whoever that is, with the folder of the person's data; no page of ours does.
    ipcMain.removeAllListeners('electron-store-get-data')
    return file
  }
}
