import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that Electron is started with: the package, with what was built of it in dist/. */
export const packageFolder = fileURLToPath(new URL('..', import.meta.url))

/** Electron's program where it is there; its package comes without it, and is not run, for that would fetch it. */
export function electronProgram(): string | undefined {
  try {
    const folder = join(packageFolder, 'node_modules', 'electron')
    const program = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim())
    return existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}

/** Whether the desktop program is built, so that Electron has something to start. */
export function isDesktopBuilt(): boolean {
  return ['dist/electron/main.js', 'dist/electron/preload.cjs', 'dist/renderer/index.html'].every((path) =>
    existsSync(join(packageFolder, path)),
  )
}
