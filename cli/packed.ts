import type { Launch } from '../engine/integration/launch.ts'
import type { PictureProcess } from '../engine/pictures/picture-workers.ts'
import type { KeyVault } from '../engine/vault/vault.ts'
import { flushed } from './flushed.ts'
import { exitStatus } from './exit-status.ts'
import { processIo } from './io.ts'
import { main } from './program.ts'

/** What the desktop program lends to the command line that is packed with it. */
export interface PackedParts {
  /** The keys of the window's connections. */
  readonly vault: KeyVault
  /** Decodes pictures: the packed program cannot run as plain Node. */
  readonly startPictureProcess: () => PictureProcess
  /** Opens the window. */
  readonly launch: Launch
  /** Folder of the built page. */
  readonly page: string
}

/** The whole command line, in the process of the desktop program. @returns the exit status */
export async function runPacked(argv: readonly string[], parts: PackedParts): Promise<number> {
  const status = await main(argv, processIo(), parts)
  if (status !== exitStatus.interrupted) await Promise.all([process.stdout, process.stderr].map(flushed))
  return status
}
