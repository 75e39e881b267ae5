import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import electron from 'electron'
import envPaths from 'env-paths'
import { commandArguments, launchOf, runCommandLine, type CommandProgram } from './command-line.ts'
import type { DesktopProgram } from './desktop-program.ts'
import { loadElectronStore } from './electron-store-file.ts'
import { runDesktop } from './run-desktop.ts'
import { trustSystemCertificates } from './trust-store.ts'

/**
 * The desktop program with the real Electron: the only file that imports it. Nothing is awaited here, for Electron is
 * not ready before this file has been read to its end.
 */
const { app, ipcMain } = electron
const named = process.env['VITRINE_HOME']

const program: DesktopProgram & CommandProgram = {
  electron,
  process,
  platform: process.platform,
  // In a checkout Electron is told which program to run by its first argument.
  args: process.argv.slice(app.isPackaged ? 1 : 2),
  cwd: process.cwd(),
  home: named ? resolve(named) : envPaths('Vitrine', { suffix: '' }).data,
  userHome: homedir(),
  env: process.env,
  launch: launchOf(app, process),
  pageFolder: join(import.meta.dirname, '..', 'renderer'),
  preload: join(import.meta.dirname, 'preload.cjs'),
  pictureProcess: join(import.meta.dirname, 'picture-process.js'),
  resources: process.resourcesPath,
  openEngine: async (needs) => {
    const { composeEngine } = await import('./compose-engine.ts')
    return await composeEngine(needs, process.env)
  },
  loadValueFile: () => loadElectronStore(ipcMain, app.getVersion()),
  loadUpdater: async () => {
    const { default: updaters } = await import('electron-updater')
    // It would look for the mark of a deb, which an AppImage may hold, too.
    return process.env['APPIMAGE'] ? new updaters.AppImageUpdater() : updaters.autoUpdater
  },
  trustSystem: trustSystemCertificates,
  // Built beside this file, from sources that this one may not import.
  loadCommands: async () => {
    const built = (await import(new URL('command-line.js', import.meta.url).href)) as {
      readonly runPacked: Awaited<ReturnType<CommandProgram['loadCommands']>>
    }
    return built.runPacked
  },
}

const commands = commandArguments(program.args)
if (commands === undefined) runDesktop(program)
else {
  runCommandLine(program, commands).catch((error: unknown) => {
    process.stderr.write(
      `Vitrine had to stop: ${error instanceof Error ? error.message : 'no reason is known'}.\n`,
    )
    app.exit(70)
  })
}
