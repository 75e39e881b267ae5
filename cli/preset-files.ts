import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { naturalOrder } from '../engine/intake/walk-folder.ts'
import { plainText } from '../shared/plain-text.ts'
import { presetFileEnding } from '../shared/presets.ts'
import { usageProblem } from './problem.ts'

/** A folder with more preset files than this is hardly a pack. */
const mostFiles = 500

export interface PresetFile {
  readonly path: string
  /** As a person would name it. */
  readonly shown: string
}

/**
 * A preset file itself, or those that lie in a folder, in the order of their names.
 * @throws Problem (64) for a folder without one, or that cannot be read
 */
export function presetFilesIn(given: string, cwd: string): PresetFile[] {
  const path = resolve(cwd, given)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return [{ path, shown: plainText(given, 300) }]
  }
  const folder = plainText(given.replace(/[\\/]+$/, ''), 300)
  const names = namesIn(path, folder).filter(
    (name) => name.toLowerCase().endsWith(presetFileEnding) && !name.startsWith('.'),
  )
  if (names.length === 0) throw usageProblem(`There is no preset file (${presetFileEnding}) in ${folder}.`)
  if (names.length > mostFiles) {
    throw usageProblem(`There are ${names.length} preset files in ${folder}; take ${mostFiles} at a time.`)
  }
  return names
    .toSorted(naturalOrder)
    .map((name) => ({ path: join(path, name), shown: `${folder}/${plainText(name, 200)}` }))
}

function namesIn(path: string, folder: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    throw usageProblem(`The folder ${folder} cannot be read: ${code}.`)
  }
}
