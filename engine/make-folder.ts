import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { flushFolder } from './flush-folder.ts'

/**
 * Makes a folder with those above it, and their names durable. Node's own recursive mkdir never returns where the
 * system answers "no such folder" inside one that is there (/proc, some network drives).
 * @throws what the file system said
 */
export function makeFolder(path: string, mode?: number) {
  try {
    makeOne(path, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    makeFolder(dirname(path), mode)
    makeOne(path, mode)
  }
}

function makeOne(path: string, mode: number | undefined) {
  try {
    mkdirSync(path, mode)
    flushFolder(dirname(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
