import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { writeArguments, type WriteOrder } from './copy-rules.ts'
import type { Outcome } from './exiftool-task.ts'
import { say } from '../../shared/language/say.ts'

/** Writes metadata into files: exiftool, kept ready in one process that is started when it is first needed. */
export interface MetadataTool {
  /** Why nothing can be written on this computer, in a sentence with what to do; undefined where it can. */
  trouble(): Promise<string | undefined>
  /** Changes a picture in place. Rejects where exiftool fails. */
  write(order: WriteOrder): Promise<Outcome>
  /** Ends its process. */
  close(): Promise<void>
}

export interface ToolParts {
  readonly platform?: NodeJS.Platform
  /** The folders in which programs are looked for, as in PATH. */
  readonly path?: string | undefined
  /** Where Perl usually is. */
  readonly perl?: string
}

const noPerl = say`Metadata cannot be written on this computer: it needs Perl, which was not found; install Perl, or choose no metadata. Pictures are delivered without it meanwhile.`
const brokenTool = say`Metadata cannot be written on this computer: ExifTool, or the Perl that it needs, does not start; install Perl with its standard modules, or choose no metadata. Pictures are delivered without it meanwhile.`

/** The exiftool that comes with the program. */
export function openMetadataTool(parts: ToolParts = {}): MetadataTool {
  let running: Promise<Running> | undefined
  let looked: Promise<string | undefined> | undefined
  const start = () => (running ??= load())

  async function look(): Promise<string | undefined> {
    if (!(await hasPerl(parts))) return noPerl
    try {
      await (await start()).tool.version()
      return undefined
    } catch {
      return brokenTool
    }
  }

  return {
    trouble: () => (looked ??= look()),
    async write(order) {
      const { tool, runWrite } = await start()
      return await runWrite(tool, writeArguments(order))
    },
    async close() {
      const ending = running
      running = undefined
      looked = undefined
      await (await ending)?.tool.end(true)
    },
  }
}

async function load() {
  const { createExifTool, runWrite } = await import('./exiftool-task.ts')
  return { tool: createExifTool(), runWrite }
}
type Running = Awaited<ReturnType<typeof load>>

let works = false

/** What a tool of this computer would say; looked up anew only while there is trouble. */
export async function metadataTrouble(): Promise<string | undefined> {
  if (works) return undefined
  const tool = openMetadataTool()
  const trouble = await tool.trouble()
  await tool.close()
  works = trouble === undefined
  return trouble
}

/** Perl comes with exiftool on Windows; elsewhere it is the system's. */
async function hasPerl({
  platform = process.platform,
  path = process.env['PATH'],
  perl = '/usr/bin/perl',
}: ToolParts): Promise<boolean> {
  if (platform === 'win32') return true
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '')
  for (const place of [perl, ...folders.map((folder) => join(folder, 'perl'))]) {
    const found = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return true
  }
  return false
}
