import { ExifTool, ExifToolTask } from 'exiftool-vendored'

export type Outcome = 'changed' | 'unchanged'

const writeMs = 120_000
const startMs = 30_000

/** The exiftool that comes with the program, in at most one process; loaded only where metadata is wanted. */
export function createExifTool(): ExifTool {
  return new ExifTool({
    // A configuration file is a program; none of this computer's has a say in what is written.
    exiftoolArgs: ['-config', '', '-stay_open', 'True', '-@', '-'],
    maxProcs: 1,
    taskRetries: 0,
    taskTimeoutMillis: writeMs,
    spawnTimeoutMillis: startMs,
  })
}

/** Gives exiftool one command that writes one picture. */
export async function runWrite(tool: ExifTool, args: readonly string[]): Promise<Outcome> {
  return await tool.enqueueTask(() => new WriteTask([...args], { ignoreMinorErrors: true }), false)
}

/** An error is an error; a warning (a broken tag that is left out) is none. */
class WriteTask extends ExifToolTask<Outcome> {
  override parse(output: string, error?: Error): Outcome {
    if (error) throw error
    if (/\b1 image files? updated/.test(output)) return 'changed'
    if (/\b1 image files? unchanged/.test(output)) return 'unchanged'
    throw new Error('exiftool wrote nothing.')
  }
}
