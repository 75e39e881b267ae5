import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'

/** Where a browser may be, in the order in which they are taken. */
export type BrowserPlaces = {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where Playwright keeps its own, if it has fetched one. */
  readonly playwright: string
}

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge']
const macApplications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]
const windowsPrograms = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
]

/** Every path at which a browser would be looked for. */
export function browserPaths({ platform, env, playwright }: BrowserPlaces): readonly string[] {
  const stated = env['VITRINE_CHROMIUM']
  if (stated !== undefined && stated !== '') return [stated]
  if (platform === 'win32') {
    const roots = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']]
    const folders = roots.filter((root) => root !== undefined)
    return [...folders.flatMap((root) => windowsPrograms.map((name) => `${root}\\${name}`)), playwright]
  }
  const folders = ['/usr/bin', '/usr/local/bin', '/snap/bin', ...(env['PATH'] ?? '').split(delimiter)]
  const onPath = names.flatMap((name) =>
    [...new Set(folders)].filter(Boolean).map((folder) => join(folder, name)),
  )
  return [...(platform === 'darwin' ? macApplications : []), ...onPath, playwright]
}

/** The first browser that is there and can be run; undefined where there is none. */
export function findBrowser(places: BrowserPlaces = here()): string | undefined {
  return browserPaths(places).find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function here(): BrowserPlaces {
  return { platform: process.platform, env: process.env, playwright: chromium.executablePath() }
}

/** What a person without a browser is told. */
export const noBrowser =
  'The tests of the page need Chromium, and none was found. Install Chromium or Google Chrome, or set VITRINE_CHROMIUM to its path, then try again.'

/**
 * The browser for the tests of the page: one that is there, else Debian's, installed where this runs as root.
 * @throws Error whose message is one sentence for a person
 */
export function getBrowser(): string {
  const found = findBrowser()
  if (found !== undefined) return found
  if (process.env['VITRINE_CHROMIUM'] || process.platform !== 'linux' || process.getuid?.() !== 0) {
    throw new Error(noBrowser)
  }
  const install = ['install', '-y', '--no-install-recommends', 'chromium']
  if (!aptGet(install)) {
    // A fresh image has no lists of packages yet.
    aptGet(['update'])
    aptGet(install)
  }
  const installed = findBrowser()
  if (installed === undefined) throw new Error(noBrowser)
  return installed
}

/** Runs apt-get without questions, for ten minutes at most; false where it failed or is not there. */
function aptGet(args: readonly string[]): boolean {
  const end = spawnSync('apt-get', args, {
    stdio: 'ignore',
    timeout: 600_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return end.status === 0
}
