import type { App } from 'electron'
import { askedSchema, type Asked } from './hand-over.ts'

/**
 * One program for one person: a second start hands what it was asked to the first and ends.
 * @param asked of this start, with absolute paths: the first program has another working directory
 * @param onSecond hears of later starts
 * @returns false where this is the second one
 */
export function claimSingleInstance(
  app: Pick<App, 'requestSingleInstanceLock' | 'on'>,
  asked: Asked,
  onSecond: (asked: Asked) => void,
): boolean {
  if (!app.requestSingleInstanceLock(asked)) return false
  // Arguments of the other start come rearranged by Chromium; what it said itself does not.
  app.on('second-instance', (_event, _argv, _cwd, said) =>
    onSecond(askedSchema.safeParse(said).data ?? { paths: [] }),
  )
  return true
}
