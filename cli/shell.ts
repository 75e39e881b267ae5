import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../engine/clock.ts'
import { systemClock } from '../engine/clock.ts'
import { dataFolder } from '../engine/data-folder.ts'
import type { Files } from '../engine/delivery/files.ts'
import type { Launch } from '../engine/integration/launch.ts'
import type { PictureProcess } from '../engine/pictures/picture-workers.ts'
import type { PreferenceStore } from '../engine/preferences/preferences.ts'
import type { DownloadTransport } from '../engine/service/download-transport.ts'
import type { Transport } from '../engine/service/transport.ts'
import type { Store } from '../engine/store/store.ts'
import type { KeyVault } from '../engine/vault/vault.ts'
import { dataFolderTrouble } from './data-folder-trouble.ts'
import { exitStatus } from './exit-status.ts'
import type { Io } from './io.ts'
import { makeFolder } from '../engine/make-folder.ts'
import { Problem } from './problem.ts'
import type { StopSwitch } from './stop-switch.ts'
import type { Terminal } from './terminal.ts'

/** Pieces that a test, or the desktop program that this is a part of, puts in the place of the usual ones. */
export interface Overrides {
  readonly transport?: Transport
  readonly downloads?: DownloadTransport
  readonly files?: Files
  readonly clock?: Clock
  readonly random?: () => number
  readonly vault?: KeyVault
  readonly openStore?: (path: string) => Store | Promise<Store>
  readonly platform?: NodeJS.Platform
  readonly startPictureProcess?: () => PictureProcess
  /** Starts the program with a window. */
  readonly launch?: Launch
  /** Folder of the built page. */
  readonly page?: string
}

/** What every command is given. */
export interface Shell {
  readonly io: Io
  readonly terminal: Terminal
  readonly stop: StopSwitch
  readonly home: string
  readonly overrides: Overrides
  readonly clock: Clock
  /** Keys that are known, so that messages and fault reports can leave them out. */
  readonly secrets: Set<string>
  /** True once `--json` was seen: warnings and the end are told as events too. */
  json: boolean
  /** True once the last event (summary) was written. */
  summed: boolean
}

export function createShell(parts: Pick<Shell, 'io' | 'terminal' | 'stop' | 'home' | 'overrides'>): Shell {
  return {
    ...parts,
    clock: parts.overrides.clock ?? systemClock,
    secrets: new Set(),
    json: false,
    summed: false,
  }
}

/** Preferences and saved presets of the data folder. */
export async function openPreferences(shell: Shell): Promise<PreferenceStore> {
  const { openPreferenceFile } = await import('../engine/preferences/preference-file.ts')
  return openPreferenceFile(shell.home)
}

/**
 * The queue's store, made where there is none.
 * @throws Problem (73) where the data folder cannot be written, StoreError where the store cannot be used.
 */
export async function openStore(shell: Shell): Promise<Store> {
  try {
    makeFolder(shell.home, 0o700)
    // With the stroke at its end a file in the folder's place is refused.
    accessSync(join(shell.home, '/'), constants.W_OK)
    const path = dataFolder(shell.home).queue
    if (shell.overrides.openStore) return await shell.overrides.openStore(path)
    const { Store } = await import('../engine/store/store.ts')
    return new Store(path)
  } catch (error) {
    const trouble = dataFolderTrouble(shell.home, error)
    throw trouble === undefined ? error : new Problem(exitStatus.unwritable, trouble)
  }
}

/** A word that the work goes on from: on stderr, and with `--json` as an event too. */
export function warn(shell: Shell, message: string) {
  shell.terminal.say(message)
  if (shell.json) shell.terminal.json({ event: 'warning', message })
}
