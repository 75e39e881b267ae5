import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { isLitter } from '../intake/file-kinds.ts'
import { naturalOrder } from '../intake/walk-folder.ts'

/** The folder in a hot folder that takes lists whose batch is done; it is never looked into. */
export const doneFolder = 'Done'
/** A folder deeper than this, or files beyond this number, are not looked at. */
const mostDepth = 12
const mostFiles = 50_000

/** A file as one look at a folder sees it. */
export interface ListedFile {
  /** Relative to the hot folder, with forward slashes. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since the epoch, whole. */
  readonly modified: number
}

/** Whether a name is one that programs give to files they have not finished writing. */
export function isUnfinishedName(name: string): boolean {
  return (
    isLitter(name) ||
    /^~|~$|^unconfirmed /i.test(name) ||
    /\.(?:filepart|partial|incomplete|copying|crswap|lock|aria2|!ut|ut!|opdownload|temp|tmp\d+)$/i.test(name)
  )
}

/** Whether this relative path is looked at: nothing unfinished, hidden or done on the way to it. */
export function isLookedAt(relative: string): boolean {
  const parts = relative.split('/')
  return parts[0] !== doneFolder && parts.every((part) => part !== '' && !isUnfinishedName(part))
}

/**
 * The files of a hot folder in natural order. Links to folders are not followed, and the output folder is left out where
 * it lies within. @throws where the folder itself cannot be read
 */
export async function listHotFolder(root: string, outDir: string): Promise<ListedFile[]> {
  const files: ListedFile[] = []
  const walk = async (folder: string, depth: number): Promise<void> => {
    const at = folder === '' ? root : join(root, ...folder.split('/'))
    if (at === outDir || outDir + sep === at) return
    const entries = await readdir(at, { withFileTypes: true }).catch((error: unknown) => {
      if (folder === '') throw error
      return []
    })
    entries.sort((a, b) => naturalOrder(a.name, b.name))
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (files.length >= mostFiles || !isLookedAt(path)) continue
      if (entry.isDirectory() && depth < mostDepth) await walk(path, depth + 1)
      else if (entry.isFile()) {
        const about = await stat(join(at, entry.name)).catch(() => undefined)
        // What is empty was only just made.
        if (about && about.size > 0)
          files.push({ path, size: about.size, modified: Math.trunc(about.mtimeMs) })
      }
    }
  }
  await walk('', 0)
  return files
}
