import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The mark of a data folder, for the names of temporary files: programs with other data folders may write into the
 * same output folder, from another machine too, and their files are left alone. Kept in the data folder; where it
 * cannot be, it is new each time, and what a crash leaves then stays.
 * @returns twelve hexadecimal digits
 */
export function folderMark(home: string): string {
  const path = join(home, 'mark')
  const fresh = randomBytes(6).toString('hex')
  try {
    writeFileSync(path, fresh, { flag: 'wx', mode: 0o600, flush: true })
    return fresh
  } catch {
    return readMark(path) ?? rewritten(path, fresh)
  }
}

/** In the place of a mark that is none. */
function rewritten(path: string, fresh: string): string {
  try {
    writeFileSync(path, fresh, { mode: 0o600, flush: true })
  } catch {
    // It cannot be kept.
  }
  return fresh
}

function readMark(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return /^[0-9a-f]{12}$/.test(text) ? text : undefined
  } catch {
    return undefined
  }
}
