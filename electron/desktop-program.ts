import type electron from 'electron'
import type { EngineInterface } from '../engine/interface/create-interface.ts'
import type { OpenValueFile } from '../engine/preferences/preference-file.ts'
import type { PreferenceStore } from '../engine/preferences/preferences.ts'
import type { PictureProcess } from '../engine/pictures/picture-workers.ts'
import type { KeyVault } from '../engine/vault/vault.ts'
import type { Launch } from '../engine/integration/launch.ts'
import type { Updater } from './updates.ts'

/** The objects of Electron that the program uses. Only main.ts imports them; a test brings others. */
export type ElectronObjects = Pick<
  typeof electron,
  | 'app'
  | 'BrowserWindow'
  | 'clipboard'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'nativeTheme'
  | 'Notification'
  | 'powerMonitor'
  | 'powerSaveBlocker'
  | 'protocol'
  | 'safeStorage'
  | 'screen'
  | 'session'
  | 'shell'
  | 'utilityProcess'
>

/** The engine as the desktop shell sees it. */
export type DesktopEngine = EngineInterface

/** What the shell gives to the engine. */
export interface EngineNeeds {
  /** Data folder, absolute. */
  readonly home: string
  readonly preferences: PreferenceStore
  readonly vault: KeyVault
  /** Where outputs go until a person has chosen a folder. */
  readonly outDir: string
  /** A process that decodes pictures: Electron cannot fork plain Node. */
  readonly startPictureProcess: () => PictureProcess
  readonly onFault: (error: unknown) => void
}

/** Everything that the desktop program is put together from. */
export interface DesktopProgram {
  readonly electron: ElectronObjects
  readonly process: Pick<NodeJS.Process, 'on'>
  readonly platform: NodeJS.Platform
  /** Arguments after the program itself. */
  readonly args: readonly string[]
  readonly cwd: string
  /** Data folder, the same as that of the command line. */
  readonly home: string
  /** The person's own folder, and what the surroundings say. */
  readonly userHome: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** How the program is begun again. */
  readonly launch: Launch
  /** The built page, and the bundled preload. */
  readonly pageFolder: string
  readonly preload: string
  /** The built process that decodes pictures. */
  readonly pictureProcess: string
  /** Where the packager leaves what belongs to the program. */
  readonly resources: string
  readonly openEngine: (needs: EngineNeeds) => Promise<DesktopEngine>
  readonly loadValueFile: () => Promise<OpenValueFile>
  readonly loadUpdater: () => Promise<Updater>
  /** Trusts the authorities of the system for the engine's connections. */
  readonly trustSystem: () => void
}
