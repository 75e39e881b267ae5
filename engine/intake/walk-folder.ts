import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { Collector } from './collector.ts'
import { isLitter } from './file-kinds.ts'
import { fileTrouble } from './file-trouble.ts'

/** A file in a folder that may be a list, a shortcut or a picture. */
export interface FolderFile {
  readonly path: string
  /** Its folder relative to the source with forward slashes; '' for the source itself. */
  readonly folder: string
  readonly name: string
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The order of a file manager: "ring 2" before "ring 10", without regard to case. */
export function naturalOrder(a: string, b: string): number {
  const order = collator.compare(a, b)
  if (order !== 0) return order
  return a < b ? -1 : Number(a > b)
}

/**
 * The files of a folder to any depth, folders before files, each in natural order. Links are followed; a folder that
 * was read already is not read again, so that links that lead in a circle end. What cannot be read becomes a problem.
 */
export async function* walkFolder(
  root: string,
  shown: string,
  collector: Collector,
): AsyncGenerator<FolderFile> {
  yield* walk({ path: root, folder: '', shown }, collector, new Set())
}

interface Folder {
  readonly path: string
  readonly folder: string
  readonly shown: string
}

async function* walk(at: Folder, collector: Collector, visited: Set<string>): AsyncGenerator<FolderFile> {
  const content = await open(at, collector, visited)
  for (const name of content.folders) {
    if (collector.stopped) return
    const folder = at.folder === '' ? name : `${at.folder}/${name}`
    yield* walk({ path: join(at.path, name), folder, shown: `${at.shown}/${name}` }, collector, visited)
  }
  for (const name of content.files) {
    if (collector.stopped) return
    yield { path: join(at.path, name), folder: at.folder, name }
  }
}

async function open(at: Folder, collector: Collector, visited: Set<string>) {
  const content: { folders: string[]; files: string[] } = { folders: [], files: [] }
  try {
    const real = await realpath(at.path)
    if (visited.has(real)) {
      collector.passedOver++
      return content
    }
    visited.add(real)
    for (const entry of await readdir(at.path, { withFileTypes: true })) {
      if (isLitter(entry.name)) collector.passedOver++
      else if (
        entry.isDirectory() ||
        (entry.isSymbolicLink() && (await leadsToFolder(join(at.path, entry.name))))
      ) {
        content.folders.push(entry.name)
      } else content.files.push(entry.name)
    }
  } catch (error) {
    collector.addProblem(at.shown, fileTrouble(at.shown, error, 'folder'))
  }
  content.folders.sort(naturalOrder)
  content.files.sort(naturalOrder)
  return content
}

async function leadsToFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
