import type { BrowserWindowConstructorOptions } from 'electron'
import type { Placement } from './window-state.ts'

export type Platform = 'mac' | 'windows' | 'linux'
export type Look = 'dark' | 'light'

export function platformOf(name: NodeJS.Platform): Platform {
  if (name === 'darwin') return 'mac'
  return name === 'win32' ? 'windows' : 'linux'
}

/** Colours behind the page before it is there, and of what the system draws on it (the page's bg-1 and fg-2). */
const colors = {
  dark: { behind: '#131313', bar: '#181818', symbols: '#BDBDBD' },
  light: { behind: '#DCDCDC', bar: '#E9E9E9', symbols: '#454545' },
} as const

/** The buttons that Windows draws on the page. */
export function overlay(look: Look) {
  return { color: colors[look].bar, symbolColor: colors[look].symbols, height: 32 }
}

export const titleBars = { mac: 'inset', windows: 'overlay', linux: 'native' } as const

/** Options of the one kind of window there is. Everything that guards it is said here, also where it is Electron's default. */
export function windowOptions(
  platform: Platform,
  placement: Placement,
  look: Look,
  preload: string,
): BrowserWindowConstructorOptions {
  const { maximized: _, fullScreen, ...bounds } = placement
  return {
    ...bounds,
    // An explicit false would forbid full screen on macOS.
    ...(fullScreen ? { fullscreen: true } : {}),
    title: 'Vitrine',
    show: false,
    backgroundColor: colors[look].behind,
    ...frame(platform, look),
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      enableBlinkFeatures: '',
      webviewTag: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
      plugins: false,
      spellcheck: false,
      // Elapsed times and progress go on in a window that is covered.
      backgroundThrottling: true,
      devTools: true,
    },
  }
}

function frame(platform: Platform, look: Look): BrowserWindowConstructorOptions {
  if (platform === 'mac') return { titleBarStyle: 'hiddenInset', trafficLightPosition: { x: 19, y: 18 } }
  if (platform === 'windows') return { titleBarStyle: 'hidden', titleBarOverlay: overlay(look) }
  return { autoHideMenuBar: true }
}
