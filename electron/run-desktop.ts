import { reportFault } from '../engine/fault-report.ts'
import { PreferencesError } from '../engine/preferences/preferences.ts'
import { StoreError } from '../engine/store/database.ts'
import { plainText } from '../shared/plain-text.ts'
import { beforeReady } from './before-ready.ts'
import type { DesktopProgram } from './desktop-program.ts'
import { Desktop } from './desktop.ts'
import { StartProblem } from './start-problem.ts'
import { said } from '../shared/language/said.ts'
import { t } from '../shared/language/text.ts'

/** The whole desktop program. Returns at once: Electron is not ready before main.ts has been read to its end. */
export function runDesktop(program: DesktopProgram): void {
  const { app, dialog } = program.electron
  const secrets = new Set<string>()
  const onFault = (error: unknown) => void reportFault(program.home, error, secrets)
  const fail = (error: unknown) => {
    onFault(error)
    dialog.showErrorBox(t`Vitrine cannot go on`, sentenceOf(error, program.home))
    app.exit(70)
  }
  program.process.on('uncaughtException', fail)
  // Nobody waited for it, so nothing hangs on it; the log says where it was.
  program.process.on('unhandledRejection', onFault)
  try {
    const arrivals = beforeReady(program)
    if (!arrivals) return app.quit()
    app
      .whenReady()
      .then(() => new Desktop(program, onFault, secrets).open(arrivals))
      .catch(fail)
  } catch (error) {
    fail(error)
  }
}

/** One sentence for a person: what is known to be told is told, all else is a fault of ours. */
function sentenceOf(error: unknown, home: string): string {
  const told = [StartProblem, PreferencesError, StoreError].some((kind) => error instanceof kind)
  if (told) return said(plainText((error as Error).message, 600))
  const code = (error as NodeJS.ErrnoException | null)?.code ?? ''
  if (/^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EEXIST|ENOSPC|SQLITE_\w+)$/.test(code)) {
    return t`The data folder ${home} cannot be used (${code}). Make room or allow it, or choose another with VITRINE_HOME.`
  }
  return t`Vitrine had to stop because of a fault of its own. Nothing is lost; a report is in errors.log of ${home}.`
}
