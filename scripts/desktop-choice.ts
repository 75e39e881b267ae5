import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the program can open. */
export type Opening =
  | { readonly kind: 'window'; readonly electron: string }
  /** `why` is a sentence for the person; undefined where they wanted it so. */
  | { readonly kind: 'browser'; readonly why: string | undefined; readonly fetchable: boolean }

export interface Surroundings {
  readonly root: string
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isRoot: boolean
  readonly wantsBrowser: boolean
}

/**
 * Electron's program, if it is there: its package comes without it. Nothing of the package is run, for that would fetch
 * it unasked.
 */
export function electronProgram(root: string, env: Surroundings['env']): string | undefined {
  const folder = join(root, 'node_modules', 'electron')
  try {
    const name = readFileSync(join(folder, 'path.txt'), 'utf8').trim()
    const program = join(env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(folder, 'dist'), name)
    return name !== '' && existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}

/** Whether a desktop window can be opened here, and why not. */
export function chooseOpening({ root, platform, env, isRoot, wantsBrowser }: Surroundings): Opening {
  const browser = (why?: string, fetchable = false): Opening => ({ kind: 'browser', why, fetchable })
  if (wantsBrowser) return browser()
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) {
    return browser('There is no screen for a desktop window here, so Vitrine opens in a browser.')
  }
  if (platform === 'linux' && isRoot) {
    return browser(
      'A desktop window is not opened for root, who has no sandbox, so Vitrine opens in the browser.',
    )
  }
  const electron = electronProgram(root, env)
  if (electron !== undefined) return { kind: 'window', electron }
  return browser(
    'Electron, which the desktop window needs, is not there, so Vitrine opens in the browser. ' +
      '"npm start -- --fetch-electron" fetches it (some 110 MB) and opens the window.',
    true,
  )
}

/** Environment for Electron: what would make plain Node of it, or open a door into it, is left out. */
export function electronEnvironment(env: Surroundings['env']): Record<string, string | undefined> {
  const { ELECTRON_RUN_AS_NODE: _, NODE_OPTIONS: __, ...rest } = env
  return rest
}
