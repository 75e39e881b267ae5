import { fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserWindowConstructorOptions, MenuItemConstructorOptions } from 'electron'
import type { ElectronObjects } from '../desktop-program.ts'
import { StandInContents, StandInIpcMain } from './stand-in-ipc.ts'

type Handler = (...args: never[]) => unknown

/** What happened, in the order in which it did: `app.enableSandbox`, `window.loadURL` and so on. */
export type Diary = string[]

/** A stand-in of the objects of Electron that the program uses, as far as it uses them. Nothing is drawn. */
export class StandInElectron {
  readonly diary: Diary = []
  readonly app: StandInApp
  readonly ipcMain = new StandInIpcMain()
  readonly windows: StandInWindow[] = []
  readonly protocolHandlers = new Map<string, (request: Request) => Promise<Response>>()
  readonly session = new StandInSession()
  readonly notifications: { title: string; body: string; click: () => void }[] = []
  readonly blockers = new Set<number>()
  readonly forked: { script: string; env: NodeJS.ProcessEnv }[] = []
  readonly opened: string[] = []
  readonly shownInFolder: string[] = []
  readonly copied: string[] = []
  readonly errors: string[] = []
  readonly asked: { message: string; detail: string; buttons: string[] }[] = []
  /** What the next message box is answered with. */
  answer: number | Promise<number> = 0
  /** What the next open dialog is answered with; empty for a person who thinks better of it. */
  picked: string[] = []
  readonly openDialogs: { properties: string[]; defaultPath?: string }[] = []
  menu: MenuItemConstructorOptions[] = []
  schemes: unknown
  readonly nativeTheme = Object.assign(new EventEmitter(), {
    themeSource: 'system',
    shouldUseDarkColors: true,
  })
  readonly powerMonitor = new EventEmitter()
  safeStorageBackend = 'gnome_libsecret'
  #lastBlocker = 0

  /** @param folder where Electron would put things by itself */
  constructor(folder: string) {
    this.app = new StandInApp(this.diary, folder)
  }

  /** As main.ts would give it. */
  get objects(): ElectronObjects {
    const { app, diary, session } = this
    return {
      app,
      BrowserWindow: this.#windowClass(),
      ipcMain: this.ipcMain,
      session: { defaultSession: session },
      protocol: {
        registerSchemesAsPrivileged: (schemes: unknown) => {
          diary.push('protocol.registerSchemesAsPrivileged')
          this.schemes = schemes
        },
        handle: (scheme: string, handler: (request: Request) => Promise<Response>) => {
          diary.push('protocol.handle')
          this.protocolHandlers.set(scheme, handler)
        },
      },
      ...this.#people(),
      ...this.#system(),
    } as unknown as ElectronObjects
  }

  /** A person chooses an entry of the menus. */
  press(label: string): void {
    const items = this.menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []))
    const item = items.find((one) => one.label === label)
    if (!item?.click) throw new Error(`The menus have no ${label}.`)
    ;(item.click as () => void)()
  }

  #windowClass() {
    const { windows, diary, app } = this
    return class extends StandInWindow {
      constructor(options: BrowserWindowConstructorOptions) {
        super(options, diary)
        windows.push(this)
        app.emit('web-contents-created', {}, this.webContents)
      }
    }
  }

  #people() {
    return {
      Menu: {
        buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
        setApplicationMenu: (template: MenuItemConstructorOptions[]) => void (this.menu = template),
      },
      dialog: {
        showErrorBox: (_: string, text: string) => void this.errors.push(text),
        showMessageBox: async (...args: unknown[]) => {
          this.asked.push(args.at(-1) as (typeof this.asked)[number])
          return { response: await this.answer }
        },
        showOpenDialog: (...args: unknown[]) => {
          this.openDialogs.push(args.at(-1) as (typeof this.openDialogs)[number])
          return Promise.resolve({ canceled: this.picked.length === 0, filePaths: this.picked })
        },
      },
      clipboard: { writeText: (text: string) => Promise.resolve(void this.copied.push(text)) },
      shell: {
        openExternal: (url: string) => Promise.resolve(void this.opened.push(url)),
        openPath: (path: string) => Promise.resolve((this.opened.push(path), '')),
        showItemInFolder: (path: string) => void this.shownInFolder.push(path),
      },
      Notification: this.#notificationClass(),
    }
  }

  #notificationClass() {
    const { notifications } = this
    return class extends EventEmitter {
      static isSupported = () => true
      readonly options: { title: string; body: string }
      constructor(options: { title: string; body: string }) {
        super()
        this.options = options
      }

      show() {
        notifications.push({ ...this.options, click: () => void this.emit('click') })
      }
    }
  }

  /** A real process; what it is given and says passes by structured clone, as with Electron's own. */
  readonly #fork = (script: string, args: string[], options: { env: NodeJS.ProcessEnv }) => {
    this.forked.push({ script, env: options.env })
    const child = fork(script, args, {
      env: { ...options.env },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    return Object.assign(child, { postMessage: (message: unknown) => void child.send(message as object) })
  }

  #system() {
    return {
      nativeTheme: this.nativeTheme,
      powerMonitor: this.powerMonitor,
      powerSaveBlocker: {
        start: () => {
          this.blockers.add((this.#lastBlocker += 1))
          return this.#lastBlocker
        },
        stop: (id: number) => this.blockers.delete(id),
      },
      safeStorage: {
        isAsyncEncryptionAvailable: () => Promise.resolve(true),
        getSelectedStorageBackend: () => this.safeStorageBackend,
        encryptStringAsync: (text: string) =>
          Promise.resolve(Buffer.from(Buffer.from(text).map((byte) => byte ^ 0x5a))),
        decryptStringAsync: (sealed: Buffer) =>
          Promise.resolve({
            result: Buffer.from(sealed.map((byte) => byte ^ 0x5a)).toString(),
            shouldReEncrypt: false,
          }),
      },
      utilityProcess: { fork: this.#fork },
      screen: {
        getPrimaryDisplay: () => ({ id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1040 } }),
        getAllDisplays: () => [{ id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
      },
    }
  }
}

export class StandInApp extends EventEmitter {
  readonly #diary: Diary
  readonly paths: Record<string, string>
  isPackaged = true
  /** False where another one of the program has the lock. */
  lock = true
  lockData: unknown
  exitCode: number | undefined
  quits = 0
  #ready: () => void = () => undefined
  readonly #whenReady = new Promise<void>((resolve) => {
    this.#ready = resolve
  })

  constructor(diary: Diary, folder: string) {
    super()
    this.#diary = diary
    this.paths = { userData: join(folder, 'user-data'), pictures: join(folder, 'pictures') }
  }

  becomeReady(): void {
    this.#diary.push('ready')
    this.#ready()
  }

  whenReady = () => this.#whenReady
  enableSandbox = () => void this.#diary.push('app.enableSandbox')
  setAppUserModelId = (id: string) => void this.#diary.push(`app.setAppUserModelId ${id}`)
  setPath = (name: string, path: string) => {
    if (!existsSync(path)) throw new Error(`Failed to set path: ${path}`)
    this.paths[name] = path
  }
  getPath = (name: string) => this.paths[name]
  getAppPath = () => this.paths['userData']
  getVersion = () => '1.2.3'
  languages: string[] = ['en-US']
  getPreferredSystemLanguages = () => this.languages
  getLocale = () => this.languages[0] ?? ''
  setAboutPanelOptions = () => undefined
  showAboutPanel = () => undefined
  exit = (code: number) => void (this.exitCode = code)

  requestSingleInstanceLock = (data: unknown) => {
    this.lockData = data
    return this.lock
  }

  /** As Electron does: `before-quit` may be prevented; else the program ends. */
  quit = () => {
    this.quits += 1
    let prevented = false
    this.emit('before-quit', { preventDefault: () => void (prevented = true) })
    if (!prevented) this.exitCode ??= 0
  }
}

class StandInSession extends EventEmitter {
  readonly handlers: Record<string, Handler> = {}
  setPermissionRequestHandler = (handler: Handler) => void (this.handlers['request'] = handler)
  setPermissionCheckHandler = (handler: Handler) => void (this.handlers['check'] = handler)
  setDevicePermissionHandler = (handler: Handler) => void (this.handlers['device'] = handler)
  setDisplayMediaRequestHandler = (handler: Handler) => void (this.handlers['display'] = handler)
  setBluetoothPairingHandler = (handler: Handler) => void (this.handlers['pairing'] = handler)
  readonly webRequest = {
    onBeforeRequest: (handler: Handler) => void (this.handlers['before-request'] = handler),
  }
}

export class StandInWindow extends EventEmitter {
  readonly webContents = new StandInContents()
  readonly options: BrowserWindowConstructorOptions
  readonly progress: { fraction: number; mode: string }[] = []
  readonly overlays: unknown[] = []
  loaded = ''
  focused = false
  shown = false
  maximized = false
  destroyed = false
  bounds = { x: 10, y: 20, width: 1200, height: 800 }
  readonly #diary: Diary

  constructor(options: BrowserWindowConstructorOptions, diary: Diary) {
    super()
    this.options = options
    this.#diary = diary
  }

  loadURL(url: string): Promise<void> {
    this.#diary.push('window.loadURL')
    this.loaded = url
    this.webContents.url = url
    return Promise.resolve()
  }

  /** A person closes it. */
  close(): void {
    let prevented = false
    this.emit('close', { preventDefault: () => void (prevented = true) })
    if (prevented) return
    this.destroy()
  }

  destroy(): void {
    this.destroyed = true
    this.webContents.destroy()
    this.emit('closed')
  }

  show = () => void (this.shown = true)
  focus = () => void (this.focused = true)
  restore = () => undefined
  maximize = () => void (this.maximized = true)
  isFocused = () => this.focused
  isMinimized = () => false
  isMaximized = () => this.maximized
  isFullScreen = () => false
  isDestroyed = () => this.destroyed
  getNormalBounds = () => this.bounds
  setTitleBarOverlay = (options: unknown) => void this.overlays.push(options)
  setProgressBar = (fraction: number, { mode }: { mode: string }) =>
    void this.progress.push({ fraction, mode })
}
