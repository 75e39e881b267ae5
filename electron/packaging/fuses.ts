import { FuseV1Options, FuseVersion, type FuseV1Config } from '@electron/fuses'

/** Systems as the packager names them. */
export type PackagedFor = 'darwin' | 'mas' | 'win32' | 'linux'

/**
 * All nine fuses, each one set: what is not named keeps Electron's default, and a tenth of a later Electron stops the
 * packaging until somebody has decided about it.
 */
export function fuses(system: PackagedFor): FuseV1Config {
  // Electron looks at the archive's checksum on macOS and Windows only; on Linux there is nothing to look at.
  const checksArchive = system !== 'linux'
  return {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    // Flipping breaks the seal of an unsigned program on Apple silicon, which then would not start.
    resetAdHocDarwinSignature: system === 'darwin',
    [FuseV1Options.RunAsNode]: false,
    [FuseV1Options.EnableCookieEncryption]: true,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: false,
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: checksArchive,
    [FuseV1Options.OnlyLoadAppFromAsar]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    // Nothing is loaded from file: addresses.
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
    // WebAssembly checks its bounds by the processor; without it, it would be slower and no safer.
    [FuseV1Options.WasmTrapHandlers]: true,
  }
}
