import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { z } from 'zod'
import { presetOf } from '../engine/integration/launch.ts'
import type { desktopContract } from '../shared/contract/desktop-contract.ts'
import { plainText } from '../shared/plain-text.ts'
import { t } from '../shared/language/text.ts'

/** What the page is told over `shell.commands`. */
export type ShellCommand = z.input<typeof desktopContract.shell.commands.output>

const presetFile = /\.vitrinepreset$/i
const largestPreset = 1024 * 1024

/** What a start, or the system, asks to be opened; as it crosses from a second start to the first. */
export const askedSchema = z.object({
  /** Absolute. */
  paths: z.array(z.string().min(1).max(4096)).max(10_000),
  /** Name of the preset that the paths are to be looked at with. */
  preset: z.string().max(200).optional(),
})
export type Asked = z.infer<typeof askedSchema>

/**
 * Files and folders among the arguments of a start, and the preset that they come with. Switches are Chromium's or ours;
 * after `--` all are paths, also with a dash in front. A path that is not there is none.
 * @param args arguments after the program itself
 */
export function askedBy(args: readonly string[], cwd: string): Asked {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const before = args.slice(0, end)
  const paths = [...before.filter((arg) => !arg.startsWith('-')), ...args.slice(end + 1)]
    .filter((arg) => arg !== '' && !arg.includes('\0'))
    .map((arg) => resolve(cwd, arg))
    .filter((path) => existsSync(path))
  const preset = before.map(presetOf).find((name) => name !== undefined)
  return { paths, ...(preset === undefined ? {} : { preset }) }
}

/** Where the paths go to that the system hands over. */
export interface HandOverParts {
  readonly addPaths: (paths: readonly string[]) => string
  readonly push: (command: ShellCommand) => void
  /** One sentence about a file that could not be taken. */
  readonly tell: (sentence: string) => void
}

/**
 * Paths that were opened with the program, dropped on its icon or given to a second start: preset files are read here,
 * everything else becomes one drop. Nothing is sent or saved by it; the page asks first.
 */
export async function handOver({ paths, preset }: Asked, { addPaths, push, tell }: HandOverParts) {
  for (const path of paths.filter((one) => presetFile.test(one))) {
    const shown = plainText(basename(path), 300)
    try {
      push({ kind: 'preset', text: await readPreset(path), shown })
    } catch {
      tell(t`The preset file ${shown} cannot be read. Check that it is there and smaller than 1 MB.`)
    }
  }
  const sources = paths.filter((one) => !presetFile.test(one))
  if (sources.length === 0) return
  push({ kind: 'drop', drop: addPaths(sources), ...(preset === undefined ? {} : { preset }) })
}

async function readPreset(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size > largestPreset) throw new Error('too large')
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
