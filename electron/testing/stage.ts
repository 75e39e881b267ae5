import { EventEmitter } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Conf from 'conf'
import { windowContract } from '../../shared/contract/desktop-bridge.ts'
import { connect } from '../../shared/rpc/connect.ts'
import type { DesktopProgram } from '../desktop-program.ts'
import { runDesktop } from '../run-desktop.ts'
import { runPreload } from './run-preload.ts'
import { StandInElectron, type StandInWindow } from './stand-in-electron.ts'
import { StandInEngine } from './stand-in-engine.ts'

/** Lets everything that is due happen: a few turns of the loop, no waiting. */
export async function settle(turns = 12): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => void setImmediate(resolve))
}

/** Waits until something is so. @throws where it is not within half a minute */
export async function until(isSo: () => boolean): Promise<void> {
  for (let look = 0; look < 6000 && !isSo(); look += 1) await wait(5)
  if (!isSo()) throw new Error('It did not come to be.')
}

/** The desktop program on a stand-in of Electron, with files of its own in a temporary folder. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'vitrine-desktop-'))
  readonly home = join(this.folder, 'home')
  readonly electron = new StandInElectron(this.folder)
  readonly engine = new StandInEngine()
  readonly process = new EventEmitter()
  readonly program: DesktopProgram
  trusted = 0

  constructor(fields: Partial<DesktopProgram> = {}) {
    const page = join(this.folder, 'page')
    mkdirSync(join(page, 'assets'), { recursive: true })
    writeFileSync(join(page, 'index.html'), '<!doctype html><title>Vitrine</title>')
    writeFileSync(join(page, 'assets', 'index-1a2b.js'), 'export {}')
    writeFileSync(join(page, 'notes.txt'), 'not part of the page')
    this.program = {
      electron: this.electron.objects,
      process: this.process as unknown as DesktopProgram['process'],
      platform: 'linux',
      args: [],
      cwd: this.folder,
      home: this.home,
      launch: { program: '/program/Vitrine', args: [] },
      userHome: join(this.folder, 'person'),
      env: { PATH: '' },
      pageFolder: page,
      preload: '/program/preload.cjs',
      pictureProcess: '/program/picture-process.js',
      resources: this.folder,
      openEngine: this.engine.open,
      loadValueFile: () => Promise.resolve((options) => new Conf<Record<string, unknown>>(options)),
      loadUpdater: () => Promise.reject(new Error('There is no updater.')),
      trustSystem: () => void (this.trusted += 1),
      ...fields,
    }
  }

  /** Starts the program and waits until its window is there and its engine answers. */
  async start(): Promise<StandInWindow> {
    runDesktop(this.program)
    this.electron.app.becomeReady()
    await until(() => this.electron.windows.length > 0 && this.engine.needs !== undefined)
    await settle()
    return this.electron.windows[0]!
  }

  /** The page of a window: its preload runs, and its line is open. */
  async page(preload: string, window: StandInWindow, files = new Map<unknown, string>()) {
    this.electron.ipcMain.join(window.webContents)
    const { bridge } = runPreload(preload, window.webContents, files)
    const { api, ready } = connect(windowContract, bridge.port)
    await ready
    return { bridge, api }
  }

  clear(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
