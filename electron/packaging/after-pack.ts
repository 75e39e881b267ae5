import { join } from 'node:path'
import { flipFuses } from '@electron/fuses'
import type { AfterPackContext } from 'electron-builder'
import { fuses, type PackagedFor } from './fuses.ts'

/** Sets the fuses of a packed program, before it is signed. The packager's own way knows eight of the nine. */
export async function afterPack({
  appOutDir,
  electronPlatformName,
  packager,
}: AfterPackContext): Promise<void> {
  const system = electronPlatformName as PackagedFor
  const { productFilename } = packager.appInfo
  const program = {
    darwin: `${productFilename}.app`,
    mas: `${productFilename}.app`,
    win32: `${productFilename}.exe`,
    linux: (packager as { executableName?: string }).executableName ?? productFilename,
  }[system]
  await flipFuses(join(appOutDir, program), fuses(system))
}
