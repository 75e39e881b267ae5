import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { MessageBoxOptions } from 'electron'
import {
  openPreferenceFile,
  openValueFile,
  type OpenValueFile,
} from '../engine/preferences/preference-file.ts'
import type { PreferenceStore } from '../engine/preferences/preferences.ts'
import type { Desk } from '../engine/integration/entries.ts'
import { PageFiles } from '../engine/page-files.ts'
import type { Arrivals } from './before-ready.ts'
import { desktopHandlers } from './desktop-handlers.ts'
import type { DesktopProgram } from './desktop-program.ts'
import { DesktopSigns } from './desktop-signs.ts'
import { DesktopWindow } from './desktop-window.ts'
import { handOver, type ShellCommand } from './hand-over.ts'
import { listenToPages } from './ipc-port.ts'
import { menuTemplate } from './menu.ts'
import { onlyOurRequests } from './only-our-requests.ts'
import { addressOpener } from './open-external.ts'
import { scheme } from './origin.ts'
import { Outbox } from './outbox.ts'
import { answerPage } from './page-protocol.ts'
import { refusePermissions } from './permissions.ts'
import { QuitGuard } from './quit-guard.ts'
import { notingVault } from '../engine/vault/noting-vault.ts'
import { RunningEngine } from './running-engine.ts'
import { createSafeStorageVault } from './safe-storage-vault.ts'
import { Updates } from './updates.ts'
import { StartProblem } from './start-problem.ts'
import { startUtilityPictures } from './utility-pictures.ts'
import type { LanguageChoice } from '../shared/language/choice.ts'
import { chosenLanguage, ProgramLanguage } from './program-language.ts'
import { platformOf, type Platform } from './window-options.ts'
import { keepsAwake, quitQuestion } from './work-signs.ts'
import { t } from '../shared/language/text.ts'

/** Longest wait for the engine at the end, in ms; what is on the disk is enough. */
const patienceMs = 2000

function noPage(): StartProblem {
  return new StartProblem(
    t`The page of the program is not there. Install Vitrine again, or run "npm run build" where its sources are.`,
  )
}

/** The desktop program from the moment that Electron is ready. */
export class Desktop {
  readonly #program: DesktopProgram
  readonly #onFault: (error: unknown) => void
  readonly #platform: Platform
  readonly #commands = new Outbox<ShellCommand>()
  #arrive: (running: RunningEngine) => void = () => undefined
  /** Everything that comes before the engine waits for it. */
  readonly #engine = new Promise<RunningEngine>((resolve) => {
    this.#arrive = resolve
  })
  #running: RunningEngine | undefined
  #signs: DesktopSigns | undefined
  #endLines: () => void = () => undefined
  #leaveBy: (end: () => void) => void = () => undefined
  readonly #updates: Updates

  readonly #secrets: Set<string>
  readonly #language: ProgramLanguage

  /** @param secrets takes the keys that are used, so that no report repeats one */
  constructor(program: DesktopProgram, onFault: (error: unknown) => void, secrets: Set<string>) {
    this.#program = program
    this.#secrets = secrets
    this.#onFault = onFault
    this.#platform = platformOf(program.platform)
    this.#language = new ProgramLanguage(program.electron.app)
    this.#updates = new Updates({
      isPackaged: program.electron.app.isPackaged,
      isAppImage: Boolean(program.env['APPIMAGE']),
      resources: program.resources,
      load: program.loadUpdater,
      channel: () => this.#running?.mirror.now.preferences?.updateChannel ?? 'stable',
      isBusy: () => this.#running?.mirror.now.queue === undefined || keepsAwake(this.#running.mirror.now),
      leave: (end) => this.#leaveBy(end),
      now: Date.now,
      onFault,
    })
  }

  /**
   * Guards first, then the language of all that is said from here on, then the window, then the engine, to which the window's line leads as soon as it is there.
   * @throws where the page is not built, or the data folder cannot be used
   */
  async open(arrivals: Arrivals): Promise<void> {
    this.#guardSession()
    const openFile = await this.#program.loadValueFile()
    const preferences = openPreferenceFile(this.#program.home, openFile)
    await this.#language.speak(chosenLanguage(preferences))
    await this.#servePage()
    const window = this.#makeWindow(openFile)
    this.#listenTo(window)
    this.#setMenus(window)
    window.show()
    await this.#startEngine(window, openFile, preferences)
    this.#followLanguage(window)
    this.#take(arrivals, window)
    this.#lookForUpdates()
  }

  #guardSession(): void {
    const { app, session } = this.#program.electron
    refusePermissions(session.defaultSession)
    onlyOurRequests(session.defaultSession, !app.isPackaged)
  }

  async #servePage(): Promise<void> {
    const page = await PageFiles.in(this.#program.pageFolder).catch(() => undefined)
    if (!page) throw noPage()
    const pictures = async (request: Request) => await (await this.#engine).engine.pictures(request)
    this.#program.electron.protocol.handle(scheme, answerPage({ page, pictures, onFault: this.#onFault }))
  }

  #makeWindow(openFile: OpenValueFile): DesktopWindow {
    const { electron, preload } = this.#program
    const { app, BrowserWindow, screen, nativeTheme, dialog } = electron
    const guard = this.#guardQuit(() => window)
    const window: DesktopWindow = new DesktopWindow({
      BrowserWindow,
      screen,
      nativeTheme,
      dialog,
      platform: this.#platform,
      preload,
      values: openValueFile(app.getPath('userData'), 'desktop', openFile),
      mayClose: () => {
        // On macOS the program goes on without a window; elsewhere the window is the program, which asks first.
        if (this.#platform === 'mac' || guard.isLeaving) return true
        app.quit()
        return false
      },
      onFault: this.#onFault,
      now: Date.now,
    })
    app.on('activate', () => window.show())
    app.on('window-all-closed', () => {
      if (this.#platform !== 'mac') app.quit()
    })
    return window
  }

  #guardQuit(window: () => DesktopWindow): QuitGuard {
    const { app, dialog, powerMonitor } = this.#program.electron
    const guard = new QuitGuard({
      app,
      question: () => this.#running && quitQuestion(this.#running.mirror.now),
      ask: async (question) => {
        const options: MessageBoxOptions = {
          ...question,
          type: 'question',
          buttons: [t`Quit`, t`Keep running`],
          defaultId: 1,
          cancelId: 1,
        }
        const over = window().current
        const { response } = await (over
          ? dialog.showMessageBox(over, options)
          : dialog.showMessageBox(options))
        return response === 0
      },
      shutDown: async () => {
        this.#signs?.close()
        this.#endLines()
        await this.#running?.close()
      },
      patience: () => wait(patienceMs),
    })
    this.#leaveBy = (end) => guard.leaveBy(end)
    powerMonitor.on('shutdown', () => guard.leaveNow())
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      this.#program.process.on(signal, () => guard.leaveNow())
    }
    return guard
  }

  #listenTo(window: DesktopWindow): void {
    this.#endLines = listenToPages(this.#program.electron.ipcMain, {
      isWindow: (contents) => window.current?.webContents === contents,
      onOpen: (port) => {
        this.#engine
          .then((running) => running.serve(port, this.#handlers(running, window)))
          .catch(this.#onFault)
      },
      takeDrop: async (paths) => (await this.#engine).engine.drops.addPaths(paths),
    })
  }

  #handlers({ engine, mirror }: RunningEngine, window: DesktopWindow) {
    const { app, dialog, shell, clipboard } = this.#program.electron
    return desktopHandlers({
      dialog,
      shell,
      clipboard,
      platform: this.#platform,
      desk: deskOf(this.#program),
      updates: this.#updates,
      version: app.getVersion(),
      engine: engine.handlers,
      mirror,
      addPaths: (paths) => engine.drops.addPaths(paths),
      commands: this.#commands,
      openAddress: addressOpener(shell),
      window: () => window.current,
    })
  }

  #setMenus(window: DesktopWindow): void {
    const { app, Menu } = this.#program.electron
    const acts = {
      command: (id: Extract<ShellCommand, { kind: 'command' }>['id']) => {
        window.show()
        this.#commands.push({ kind: 'command', id })
      },
      zoom: (change: 1 | -1 | 0) => window.zoom(change),
      showAbout: () => app.showAboutPanel(),
    }
    app.setAboutPanelOptions({ applicationName: 'Vitrine', applicationVersion: app.getVersion() })
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(this.#platform, acts, app.isPackaged)))
  }

  async #startEngine(
    window: DesktopWindow,
    openFile: OpenValueFile,
    preferences: PreferenceStore,
  ): Promise<void> {
    const { electron, home, openEngine, pictureProcess, trustSystem } = this.#program
    trustSystem()
    const sealed = openValueFile(electron.app.getPath('userData'), 'keys', openFile)
    const engine = await openEngine({
      home,
      preferences,
      vault: notingVault(createSafeStorageVault(electron.safeStorage, sealed, this.#platform), this.#secrets),
      outDir: join(electron.app.getPath('pictures'), 'Vitrine'),
      startPictureProcess: () => startUtilityPictures(electron.utilityProcess, pictureProcess),
      onFault: this.#onFault,
    })
    const running = new RunningEngine(engine, this.#onFault)
    const { powerSaveBlocker, Notification, nativeTheme } = electron
    const push = (command: ShellCommand) => this.#commands.push(command)
    const signs = new DesktopSigns({ powerSaveBlocker, Notification, nativeTheme, window, push })
    running.mirror.onChange(signs.update)
    this.#running = running
    this.#signs = signs
    this.#arrive(running)
  }

  /** The menus are made of words; all else is worded when it is said. */
  #followLanguage(window: DesktopWindow): void {
    const speak = async (choice: LanguageChoice) => {
      if (await this.#language.speak(choice)) this.#setMenus(window)
    }
    this.#running?.mirror.onChange(({ preferences }) => {
      if (preferences) speak(preferences.language).catch(this.#onFault)
    })
  }

  #take(arrivals: Arrivals, window: DesktopWindow): void {
    arrivals.listen((asked) => {
      window.show()
      void this.#engine
        .then(({ engine }) =>
          handOver(asked, {
            addPaths: (sources) => engine.drops.addPaths(sources),
            push: (command) => this.#commands.push(command),
            tell: (sentence) => this.#program.electron.dialog.showErrorBox('Vitrine', sentence),
          }),
        )
        .catch(this.#onFault)
    })
  }

  /** At the start, and whenever work ends or another channel is chosen. */
  #lookForUpdates(): void {
    let isBegun = false
    this.#running?.mirror.onChange(({ preferences }) => {
      // Which channel it is stands there.
      if (preferences && !isBegun) void this.#updates.check()
      isBegun ||= preferences !== undefined
      this.#updates.look()
    })
  }
}

/** What has to be known to install the command line, which is this program with a switch. */
function deskOf({ platform, userHome, env, launch }: DesktopProgram): Desk {
  return { platform, userHome, env, launch }
}
