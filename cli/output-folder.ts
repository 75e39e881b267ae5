import { realpath, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { diskFault } from '../engine/delivery/disk-fault.ts'
import { probeName } from '../engine/delivery/output-folder.ts'
import { plainText } from '../shared/plain-text.ts'
import { exitStatus } from './exit-status.ts'
import { makeFolder } from '../engine/make-folder.ts'
import { Problem } from './problem.ts'

/**
 * Makes the output folder and proves that it can be written, before anything is sent.
 * @returns its real path, so that the same folder always has the same name in the store
 * @throws Problem (73)
 */
export async function prepareOutputFolder(folder: string, cwd: string): Promise<string> {
  const path = resolve(cwd, folder)
  const probe = join(path, probeName())
  try {
    makeFolder(path)
    await writeFile(probe, 'probe', { flag: 'wx' })
    // Another program that tidies up may have been faster.
    await rm(probe, { force: true })
    return await realpath(path)
  } catch (error) {
    await rm(probe, { force: true }).catch(() => {})
    throw new Problem(exitStatus.unwritable, faultOf(error, path))
  }
}

/** The same path, of a folder that need not be there; nothing is made. */
export async function namedOutputFolder(folder: string, cwd: string): Promise<string> {
  const path = resolve(cwd, folder)
  return await realpath(path).catch(() => path)
}

function faultOf(error: unknown, path: string): string {
  const code = (error as NodeJS.ErrnoException).code
  const shown = plainText(path, 500)
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return `The output folder ${shown} cannot be made: a file stands in its way; choose another with --out.`
  }
  if (code === 'ENOENT') {
    return `The output folder ${shown} cannot be made there (${code}); choose another with --out.`
  }
  return `Outputs cannot be written: ${diskFault(error, shown).message}`
}
