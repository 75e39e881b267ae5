import { join, resolve } from 'node:path'
import type electron from 'electron'
import { makeFolder } from '../engine/make-folder.ts'
import { openValueFile, type OpenValueFile } from '../engine/preferences/preference-file.ts'
import type { Launch } from '../engine/integration/launch.ts'
import type { PictureProcess } from '../engine/pictures/picture-workers.ts'
import type { KeyVault } from '../engine/vault/vault.ts'
import { createSafeStorageVault } from './safe-storage-vault.ts'
import { startUtilityPictures } from './utility-pictures.ts'
import { platformOf } from './window-options.ts'

const commandSwitch = '--command-line'

/** What the packed command line is given (cli/packed.ts). */
export interface CommandParts {
  readonly vault: KeyVault
  readonly startPictureProcess: () => PictureProcess
  readonly launch: Launch
  readonly page: string
}

export interface CommandProgram {
  readonly electron: Pick<typeof electron, 'app' | 'safeStorage' | 'utilityProcess'>
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly pageFolder: string
  readonly pictureProcess: string
  readonly launch: Launch
  readonly loadValueFile: () => Promise<OpenValueFile>
  readonly trustSystem: () => void
  readonly loadCommands: () => Promise<(argv: readonly string[], parts: CommandParts) => Promise<number>>
}

/** The arguments for the command line; undefined where a window is wanted. @param args after the program itself */
export function commandArguments(args: readonly string[]): readonly string[] | undefined {
  const end = args.indexOf('--')
  return end >= 0 && args.slice(0, end).includes(commandSwitch) ? args.slice(end + 1) : undefined
}

/**
 * How the program is begun again: an AppImage lies elsewhere at each start, and in a checkout Electron is told what to run.
 */
export function launchOf(
  app: Pick<typeof electron.app, 'isPackaged' | 'getAppPath'>,
  { execPath, env }: Pick<NodeJS.Process, 'execPath' | 'env'>,
): Launch {
  const program = env['APPIMAGE'] ? resolve(env['APPIMAGE']) : execPath
  return { program, args: app.isPackaged ? [] : [app.getAppPath()] }
}

/** The command line without a window, beside whatever window runs: the engine's lease keeps them apart. */
export async function runCommandLine(program: CommandProgram, argv: readonly string[]): Promise<void> {
  const { electron, home, platform } = program
  const { app, safeStorage, utilityProcess } = electron
  const own = join(home, 'desktop')
  makeFolder(own, 0o700)
  // The keys of the window were sealed with what lies there.
  app.setPath('userData', own)
  app.dock?.hide()
  await app.whenReady()
  program.trustSystem()
  const commands = await program.loadCommands()
  const sealed = openValueFile(own, 'keys', await program.loadValueFile())
  const status = await commands(argv, {
    vault: createSafeStorageVault(safeStorage, sealed, platformOf(platform)),
    startPictureProcess: () => startUtilityPictures(utilityProcess, program.pictureProcess),
    launch: program.launch,
    page: program.pageFolder,
  })
  app.exit(status)
}
