import { randomBytes } from 'node:crypto'
import { dirname, join, relative as relativePath, sep } from 'node:path'
import { DeliveryError } from './delivery-error.ts'
import { diskFault } from './disk-fault.ts'
import type { Files } from './files.ts'
import { say } from '../../shared/language/say.ts'

/**
 * The absolute path of a folder below the output folder, its missing parts created one by one. The output folder
 * itself is never created here: on a drive that was taken out it would come into being on another disk. A link that
 * leads out of the output folder is refused (docs/reliability.md, T14).
 * @throws DeliveryError outside, folder-missing, in-the-way and the other errors of a disk
 */
export async function folderIn(files: Files, outDir: string, folder: string, make = true): Promise<string> {
  const parts = partsOf(folder)
  if (!parts) throw outside(folder)
  try {
    const root = await files.realpath(outDir)
    let at = root
    for (const part of parts) {
      at = join(at, part)
      let facts = await files.stat(at)
      if (!facts && !make) return at
      if (!facts) {
        await files.makeFolder(at)
        await files.syncFolder(dirname(at))
        facts = await files.stat(at)
      }
      if (facts?.kind === 'file') throw inTheWay(at)
      // A link (or what came between the two calls): where it really leads decides.
      if (facts?.kind !== 'folder') at = await files.realpath(at)
      if (at !== root && !at.startsWith(root.endsWith(sep) ? root : root + sep)) throw outside(folder)
    }
    return at
  } catch (error) {
    throw diskFault(error, join(outDir, ...parts))
  }
}

/** The absolute path of a file below the output folder; the folder is made and judged as by `folderIn`. */
export async function fileIn(files: Files, outDir: string, relative: string, make = true): Promise<string> {
  const parts = partsOf(relative)
  const name = parts?.at(-1)
  if (!parts || name === undefined) throw outside(relative)
  return join(await folderIn(files, outDir, parts.slice(0, -1).join('/'), make), name)
}

/** Whether anything stands at a path below the output folder; false where that cannot be found out. */
export async function existsIn(files: Files, outDir: string, relative: string): Promise<boolean> {
  try {
    return (await files.stat(await fileIn(files, outDir, relative, false))) !== undefined
  } catch {
    return false
  }
}

/** The parts of a relative path with forward slashes; undefined where it could lead elsewhere. */
function partsOf(relative: string): string[] | undefined {
  if (relative === '') return []
  const parts = relative.split('/')
  // Names are made safe before; a recorded one is judged again, for the record may have been changed (T24).
  const bad = parts.some((part) => part === '' || /^\.+$/.test(part) || /[\\:\0]/.test(part))
  return bad ? undefined : parts
}

function outside(relative: string): DeliveryError {
  return new DeliveryError(
    'outside',
    say`The name ${relative} leads out of the output folder; nothing was written.`,
  )
}

function inTheWay(path: string): DeliveryError {
  return new DeliveryError(
    'in-the-way',
    say`A file stands at ${path} where a folder is needed; move it away.`,
  )
}

const partName = /^\.vitrine-[\w-]{1,64}\.part$/

/**
 * The name of a temporary file; hidden, and unlike any name that a result gets.
 * @param mark of the data folder (folderMark); empty for none
 */
export function partNameOf(random: string, mark = ''): string {
  return `.vitrine-${mark === '' ? '' : `${mark}-`}${random}.part`
}

/** Whether a temporary file belongs to the data folder of this mark; without a mark, to none that has one. */
export function isOwnPart(name: string, mark: string): boolean {
  if (!isPartName(name)) return false
  return mark === '' ? !name.slice('.vitrine-'.length).includes('-') : name.startsWith(`.vitrine-${mark}-`)
}

export function isPartName(name: string): boolean {
  return partName.test(name)
}

/** The name of a file that is made only to see whether a folder can be written. */
export function probeName(): string {
  return `.vitrine-probe-${randomBytes(6).toString('hex')}`
}

/** Whether a file is a probe; one that is still there was left by a crash, and holds nothing. */
export function isProbe(name: string): boolean {
  return /^\.vitrine-probe-[0-9a-f]{12}$/.test(name)
}

/** Whether a recorded temporary file is one of ours within the output folder. */
export async function isPartIn(files: Files, outDir: string, part: string): Promise<boolean> {
  const name = part.slice(dirname(part).length).replace(/^[/\\]+/, '')
  if (!isPartName(name)) return false
  try {
    const root = await files.realpath(outDir)
    const below = relativePath(root, await files.realpath(dirname(part)))
    return below === '' || !(below === '..' || below.startsWith(`..${sep}`) || /^([a-z]:|[/\\])/i.test(below))
  } catch {
    return false
  }
}

/** Manifests that this process is writing just now: their temporary files are no remains of a crash. */
export const liveManifestParts = new Set<string>()
