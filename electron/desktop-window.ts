import type { BrowserWindow, Dialog, NativeTheme, Screen } from 'electron'
import type { RawValues } from '../engine/preferences/preferences.ts'
import { pageAddress } from './origin.ts'
import { overlay, windowOptions, type Look, type Platform } from './window-options.ts'
import { placeWindow, type WindowState } from './window-state.ts'
import { t } from '../shared/language/text.ts'

export interface DesktopWindowParts {
  readonly BrowserWindow: new (...args: ConstructorParameters<typeof BrowserWindow>) => BrowserWindow
  readonly screen: Pick<Screen, 'getAllDisplays' | 'getPrimaryDisplay'>
  readonly nativeTheme: Pick<NativeTheme, 'shouldUseDarkColors' | 'on'>
  readonly dialog: Pick<Dialog, 'showMessageBox'>
  readonly platform: Platform
  /** The bundled preload, absolute. */
  readonly preload: string
  readonly values: RawValues
  /** A window was asked to close. @returns false to keep it */
  readonly mayClose: () => boolean
  readonly onFault: (error: unknown) => void
  readonly now: () => number
}

const place = 'window'
const zoomSteps = [0.8, 0.9, 1, 1.1, 1.25, 1.5]
/** A page that crashes more often than this in a minute is not loaded again without asking. */
const mostReloads = 3
const minute = 60_000

/** The one window there is: made when it is needed, where it was, and made again after it was closed. */
export class DesktopWindow {
  readonly #parts: DesktopWindowParts
  #window: BrowserWindow | undefined
  #crashes: number[] = []

  constructor(parts: DesktopWindowParts) {
    this.#parts = parts
    parts.nativeTheme.on('updated', () => this.#dress())
  }

  get current(): BrowserWindow | undefined {
    return this.#window
  }

  get isInFront(): boolean {
    return this.#window?.isFocused() ?? false
  }

  /** Brings the window to the front, making it where there is none. */
  show(): void {
    const window = this.#window
    if (!window) return this.#open()
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }

  /** One step larger or smaller, or back to the usual size; between 80 and 150 %. */
  zoom(change: 1 | -1 | 0): void {
    const contents = this.#window?.webContents
    if (!contents) return
    const factor = contents.getZoomFactor()
    const nearest = zoomSteps.reduce((a, b) => (Math.abs(b - factor) < Math.abs(a - factor) ? b : a))
    const next = change === 0 ? 1 : zoomSteps[zoomSteps.indexOf(nearest) + change]
    if (next !== undefined) contents.setZoomFactor(next)
  }

  get #look(): Look {
    return this.#parts.nativeTheme.shouldUseDarkColors ? 'dark' : 'light'
  }

  #open(): void {
    const { BrowserWindow, platform, preload, values, onFault } = this.#parts
    const placement = placeWindow(values.get(place), this.#areas())
    const window = new BrowserWindow(windowOptions(platform, placement, this.#look, preload))
    this.#window = window
    window.once('ready-to-show', () => {
      if (placement.maximized) window.maximize()
      window.show()
    })
    window.on('close', (event) => {
      if (this.#parts.mayClose()) this.#remember(window)
      else event.preventDefault()
    })
    window.on('closed', () => {
      if (this.#window === window) this.#window = undefined
    })
    for (const event of ['resized', 'moved', 'maximize', 'unmaximize'] as const) {
      window.on(event as 'resized', () => this.#remember(window))
    }
    window.webContents.on('render-process-gone', (_, { reason }) => {
      if (reason !== 'clean-exit') void this.#revive(window, reason).catch(onFault)
    })
    window.on('unresponsive', () => void this.#waitOrReload(window).catch(onFault))
    window.loadURL(pageAddress).catch(onFault)
  }

  /** Work areas, that of the main screen first. */
  #areas() {
    const main = this.#parts.screen.getPrimaryDisplay()
    const others = this.#parts.screen.getAllDisplays().filter(({ id }) => id !== main.id)
    return [main, ...others].map(({ workArea }) => workArea)
  }

  #remember(window: BrowserWindow): void {
    if (window.isDestroyed() || window.isMinimized()) return
    const state: WindowState = {
      ...window.getNormalBounds(),
      maximized: window.isMaximized(),
      fullScreen: window.isFullScreen(),
    }
    try {
      this.#parts.values.set(place, state)
    } catch (error) {
      this.#parts.onFault(error)
    }
  }

  #dress(): void {
    const window = this.#window
    if (!window || window.isDestroyed()) return
    if (this.#parts.platform === 'windows') window.setTitleBarOverlay(overlay(this.#look))
  }

  /** The engine does not notice: a page that is loaded anew begins with how things stand. */
  async #revive(window: BrowserWindow, reason: string): Promise<void> {
    const { now, onFault, dialog } = this.#parts
    onFault(new Error(`The page's process is gone: ${reason}`))
    this.#crashes = [...this.#crashes.filter((at) => now() - at < minute), now()]
    if (this.#crashes.length <= mostReloads) return window.webContents.reload()
    const { response } = await dialog.showMessageBox(window, {
      type: 'error',
      message: t`The window has stopped working several times.`,
      detail: t`Work goes on in the background, and nothing is lost.`,
      buttons: [t`Load it again`, t`Close the window`],
      cancelId: 0,
    })
    if (window.isDestroyed()) return
    if (response === 1) return window.destroy()
    this.#crashes = []
    window.webContents.reload()
  }

  async #waitOrReload(window: BrowserWindow): Promise<void> {
    const { response } = await this.#parts.dialog.showMessageBox(window, {
      type: 'warning',
      message: t`The window does not answer.`,
      detail: t`Work goes on in the background, and nothing is lost.`,
      buttons: [t`Wait`, t`Load it again`],
      cancelId: 0,
    })
    if (response === 1 && !window.isDestroyed()) {
      window.webContents.forcefullyCrashRenderer()
      window.webContents.reload()
    }
  }
}
