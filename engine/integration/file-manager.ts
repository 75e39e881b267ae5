import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join, win32 } from 'node:path'
import { promisify } from 'node:util'
import { entryMark, type Desk, type EntryFile, type Place, type Wish } from './entries.ts'
import { linuxPlaces } from './linux-entries.ts'
import { macPlaces } from './mac-entries.ts'
import { windowsPlaces } from './windows-entries.ts'
import { say } from '../../shared/language/say.ts'

/** Larger files are none of ours. */
const largestEntry = 64 * 1024

/** The file managers that this system can have. */
export function placesOf(desk: Desk): Place[] {
  if (desk.platform === 'win32') return windowsPlaces(desk)
  return desk.platform === 'darwin' ? macPlaces(desk) : linuxPlaces(desk)
}

/** Whether a file manager is there: its program is on the PATH, or its folder for entries exists. */
export function isThere({ programs, folder }: Place, { env }: Pick<Desk, 'env'>): boolean {
  if (programs.length === 0 || existsSync(folder)) return true
  const folders = (env['PATH'] ?? '').split(delimiter).filter((one) => one !== '')
  return folders.some((one) => programs.some((program) => isProgram(join(one, program))))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A name that is taken by something that is not ours. */
export class EntryTaken extends Error {
  override readonly name = 'EntryTaken'
  readonly path: string

  constructor(path: string) {
    super(say`${path} is there already and is not an entry of Vitrine.`)
    this.path = path
  }
}

/**
 * Writes the entries of a place, in the place of those that were there.
 * @returns what was written
 * @throws EntryTaken before anything is changed, or what the file system says
 */
export async function installEntries(place: Place, wishes: readonly Wish[]): Promise<string[]> {
  const files = place.files(wishes)
  const ours = new Set(await entriesIn(place))
  for (const { path } of files) {
    const entry = entryOf(place, path)
    if (!ours.has(entry) && existsSync(entry)) throw new EntryTaken(entry)
  }
  for (const entry of ours) await rm(entry, { recursive: true, force: true })
  for (const file of files) await write(file)
  return [...new Set(files.map(({ path }) => entryOf(place, path)))]
}

/** Removes our entries of a place, and nothing else. @returns what was removed */
export async function removeEntries(place: Place): Promise<string[]> {
  const entries = await entriesIn(place)
  for (const entry of entries) await rm(entry, { recursive: true, force: true })
  return entries
}

/** Our entries that lie in a place, whole paths. */
export async function entriesIn({ folder }: Place): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => [])
  const ours: string[] = []
  for (const name of names.toSorted()) {
    const path = join(folder, name)
    if (await isOurs(path)) ours.push(path)
  }
  return ours
}

async function isOurs(path: string): Promise<boolean> {
  try {
    const isBundle = path.endsWith('.workflow')
    const file = isBundle ? join(path, 'Contents', 'Info.plist') : path
    const facts = await stat(file)
    if (!facts.isFile() || facts.size > largestEntry) return false
    const bytes = await readFile(file)
    // A shortcut holds its description in two bytes a letter.
    return bytes.includes(entryMark) || bytes.includes(Buffer.from(entryMark, 'utf16le'))
  } catch {
    return false
  }
}

/** What stands in the place's folder for a file: itself, or the bundle that it is in. */
function entryOf({ folder }: Place, path: string): string {
  const [first = ''] = path.slice(folder.length + 1).split(/[\\/]/)
  return path.slice(0, folder.length + 1) + first
}

async function write({ kind, path, text, mode }: EntryFile): Promise<void> {
  if (kind === 'link') return await runPowershell(text)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text, { mode, flag: 'wx' })
}

/** Runs a script of ours; in this form no sign of it is taken for something else on the way. */
export async function runPowershell(script: string): Promise<void> {
  const encoded = Buffer.from(script, 'utf16le').toString('base64')
  const args = ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-EncodedCommand', encoded]
  // By its whole path: Windows looks for plain names in the current folder first.
  const system = process.env['SystemRoot'] ?? 'C:\\Windows'
  const program = win32.join(system, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe')
  await promisify(execFile)(program, args, { windowsHide: true, timeout: 60_000 })
}
