import { access, constants, realpath, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import { Fault } from '../../shared/rpc/fault.ts'
import { plainText } from '../../shared/plain-text.ts'
import { diskFault } from '../delivery/disk-fault.ts'
import { probeName } from '../delivery/output-folder.ts'
import { makeFolder } from '../make-folder.ts'
import { say } from '../../shared/language/say.ts'

/** What is known of an output folder that may not be there yet. */
export interface OutputPlace {
  /** Why it cannot be used; null where it can. */
  readonly trouble: string | null
  /** Bytes free where it is or would be; null where that is not known. */
  readonly free: number | null
}

/** Looks at a folder without making it: whether it could be made and written, as far as can be seen. */
export async function lookAtFolder(folder: string): Promise<OutputPlace> {
  const no = (trouble: string): OutputPlace => ({ trouble, free: null })
  if (folder.trim() === '') return no(say`Choose an output folder.`)
  if (!isAbsolute(folder)) return no(say`Give the whole path of the output folder.`)
  const shown = plainText(folder, 300)
  for (let at = normalize(folder); ; at = dirname(at)) {
    const about = await stat(at).catch((error: NodeJS.ErrnoException) => error.code ?? say`unknown error`)
    if ((about === 'ENOENT' || about === 'ENOTDIR') && dirname(at) !== at) continue
    if (typeof about === 'string') return no(say`${shown} cannot be used (${about}).`)
    if (!about.isDirectory()) return no(say`A file stands at ${plainText(at, 300)} where a folder is needed.`)
    const writable = await access(at, constants.W_OK).then(
      () => true,
      () => false,
    )
    if (!writable) return no(say`${plainText(at, 300)} cannot be written; choose another folder.`)
    const disk = await statfs(at).catch(() => undefined)
    return { trouble: null, free: disk ? disk.bavail * disk.bsize : null }
  }
}

/**
 * Makes an output folder and proves that it can be written, before anything is sent.
 * @returns its real path, so that the same folder always has the same name in the store
 * @throws Fault `refused`
 */
export async function prepareFolder(folder: string): Promise<string> {
  const { trouble } = await lookAtFolder(folder)
  if (trouble !== null) throw new Fault('refused', trouble)
  const probe = join(folder, probeName())
  try {
    makeFolder(folder)
    await writeFile(probe, 'probe', { flag: 'wx' })
    // Another program that tidies up may have been faster.
    await rm(probe, { force: true })
    return await realpath(folder)
  } catch (error) {
    await rm(probe, { force: true }).catch(() => {})
    throw new Fault(
      'refused',
      say`Outputs cannot be written: ${diskFault(error, plainText(folder, 300)).message}`,
    )
  }
}
