import { join } from 'node:path'
import type { App } from 'electron'
import { makeFolder } from '../engine/make-folder.ts'
import type { DesktopProgram } from './desktop-program.ts'
import { guardContents } from './guard-contents.ts'
import { askedBy, type Asked } from './hand-over.ts'
import { schemes } from './page-protocol.ts'
import { claimSingleInstance } from './single-instance.ts'

/** By this name Windows knows whose notifications and taskbar buttons these are; the packager gives it to the shortcut. */
export const programId = 'app.vitrine.desktop'

/** What the system hands over, kept until somebody takes it. */
export interface Arrivals {
  /** From now on `take` hears of every start and every opened file; first of what has come already. */
  readonly listen: (take: (asked: Asked) => void) => void
}

/**
 * What has to be said to Electron before it is ready; all of it synchronous, for nothing waits for the rest.
 * @throws where the data folder cannot be made
 * @returns undefined where another one of this program runs already, and has been told
 */
export function beforeReady(program: DesktopProgram): Arrivals | undefined {
  const { electron, args, cwd, home, platform } = program
  const { app, protocol } = electron
  app.enableSandbox()
  protocol.registerSchemesAsPrivileged(schemes)
  if (platform === 'win32') app.setAppUserModelId(programId)
  // One data folder for everything, and one program for each; Electron takes only a folder that is there.
  const own = join(home, 'desktop')
  makeFolder(own, 0o700)
  app.setPath('userData', own)

  const kept: Asked[] = []
  let take = (asked: Asked): void => void kept.push(asked)
  const asked = askedBy(args, cwd)
  if (!claimSingleInstance(app, asked, (other) => take(other))) return undefined
  if (asked.paths.length > 0) take(asked)
  onOpenedFiles(app, (paths) => take({ paths: [...paths] }))
  app.on('web-contents-created', (_, contents) => guardContents(contents))
  return {
    listen(listener) {
      take = listener
      for (const one of kept.splice(0)) listener(one)
    },
  }
}

/** Files that a person opens or drops on the icon together come within this time, in ms. */
const together = 100

/** macOS names each opened file by itself, and may do so before the program is ready: what comes together is one drop. */
function onOpenedFiles(app: Pick<App, 'on'>, take: (paths: readonly string[]) => void): void {
  const opened: string[] = []
  app.on('open-file', (event, path) => {
    event.preventDefault()
    if (opened.push(path) === 1) setTimeout(() => take(opened.splice(0)), together)
  })
}
