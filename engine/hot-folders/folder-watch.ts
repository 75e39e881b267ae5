import { watch } from 'chokidar'
import { relative, sep } from 'node:path'
import { isLookedAt } from './listing.ts'

/** How often a network drive is looked at, in milliseconds. */
const pollMs = 3000

export interface FolderWatchOptions {
  readonly polling: boolean
  readonly onChange: () => void
}

/**
 * Tells that something changed somewhere in a folder. A hint only: what there is, a look finds out. A watch that breaks
 * (too many of them, a drive that went) says nothing more; the looks from time to time go on.
 * @returns ends it
 */
export function watchFolder(path: string, { polling, onChange }: FolderWatchOptions): () => Promise<void> {
  const watcher = watch(path, {
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    usePolling: polling,
    interval: pollMs,
    binaryInterval: pollMs,
    ignored: (one) => {
      const within = relative(path, one).split(sep).join('/')
      return within !== '' && !within.startsWith('..') && !isLookedAt(within)
    },
  })
  watcher.on('all', onChange)
  watcher.on('error', onChange)
  return () => watcher.close()
}
