import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What is used of electron-updater's `autoUpdater`. */
export interface Updater {
  autoDownload: boolean
  autoInstallOnAppQuit: boolean
  allowDowngrade: boolean
  allowPrerelease: boolean
  /** Packages for Linux carry no signature of their own: one that cannot be verified is not taken. */
  allowUnverifiedLinuxPackages?: boolean
  on(event: 'error', listener: (error: Error) => void): unknown
  checkForUpdates(): Promise<unknown>
}

export interface UpdateParts {
  readonly isPackaged: boolean
  /** Folder in which the packager leaves `app-update.yml` when a feed is configured. */
  readonly resources: string
  /** Loads the updater, which is not touched where there is no feed. */
  readonly load: () => Promise<Updater>
  readonly onFault: (error: unknown) => void
}

/**
 * Looks once for an update, and installs it when the program ends by itself: never in the middle of a batch. Without a
 * feed, which only whoever publishes the program can give, nothing is asked and nothing is loaded.
 * @returns whether there is a feed
 */
export async function lookForUpdate({ isPackaged, resources, load, onFault }: UpdateParts): Promise<boolean> {
  if (!isPackaged || !existsSync(join(resources, 'app-update.yml'))) return false
  try {
    const updater = await load()
    updater.autoDownload = true
    updater.autoInstallOnAppQuit = true
    updater.allowDowngrade = false
    updater.allowPrerelease = false
    updater.allowUnverifiedLinuxPackages = false
    updater.on('error', onFault)
    await updater.checkForUpdates()
  } catch (error) {
    onFault(error)
  }
  return true
}
