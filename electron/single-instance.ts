import type { App } from 'electron'
import { z } from 'zod'

const handedOver = z.object({ paths: z.array(z.string().min(1).max(4096)).max(10_000) })

/**
 * One program for one person: a second start hands its paths to the first and ends.
 * @param paths of this start, absolute: the first program has another working directory
 * @param onSecond hears of later starts, with their paths
 * @returns false where this is the second one
 */
export function claimSingleInstance(
  app: Pick<App, 'requestSingleInstanceLock' | 'on'>,
  paths: readonly string[],
  onSecond: (paths: readonly string[]) => void,
): boolean {
  if (!app.requestSingleInstanceLock({ paths })) return false
  // Arguments of the other start come rearranged by Chromium; what it said itself does not.
  app.on('second-instance', (_event, _argv, _cwd, said) =>
    onSecond(handedOver.safeParse(said).data?.paths ?? []),
  )
  return true
}
