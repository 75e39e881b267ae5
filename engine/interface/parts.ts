import type { BaseUrl } from '../service/base-url.ts'
import type { ApiKey } from '../service/api-key.ts'
import type { Downloads } from '../service/undici-downloads.ts'
import { createServiceClient, type ServiceClient } from '../service/service-client.ts'
import type { Transport } from '../service/transport.ts'
import type { Clock } from '../clock.ts'
import type { Files } from '../delivery/files.ts'
import type { PictureProcess } from '../pictures/picture-workers.ts'
import type { HotFolderPace } from '../hot-folders/hot-folder.ts'
import type { StorageKeys } from '../own-files/storage-keys.ts'
import type { PreferenceStore } from '../preferences/preferences.ts'
import type { Store } from '../store/store.ts'
import type { KeyVault } from '../vault/vault.ts'

/** A running practice service, as far as the engine needs one; the shell starts it. */
export interface Practice {
  /** Base address, up to and including the version. */
  readonly url: string
  /** A key of it that works. */
  readonly key: string
  /** Writes lists of the sample shoot into a folder. */
  readonly writeSamples: (folder: string) => Promise<void>
  readonly close: () => Promise<void>
  /** True where another program runs it. */
  readonly shared?: boolean
}

export interface PracticeOptions {
  /** 0 for any free one. */
  readonly port: number
  /** Where its runs and credits survive a restart. */
  readonly stateFolder: string
}

/** What an interface is made of; a shell puts it together, a test does so with other pieces. */
export interface InterfaceParts {
  /** Data folder, absolute. */
  readonly home: string
  readonly store: Store
  readonly preferences: PreferenceStore
  readonly vault: KeyVault
  readonly clock: Clock
  /** Uniform in [0, 1). */
  readonly random: () => number
  readonly transport: Transport
  /** Fetches links of a connection with this base address. */
  readonly openDownloads: (baseUrl: string) => Downloads
  /** Rejects where the port is taken. */
  readonly startPractice: (options: PracticeOptions) => Promise<Practice>
  /** Where outputs go until a person has chosen a folder; absolute. */
  readonly outDir: string
  /** A connection that the surroundings give for this run; nothing of it is kept. */
  readonly given?: { readonly baseUrl: string; readonly key: string } | undefined
  /** Keys of a storage for own files that the surroundings give for this run; nothing of them is kept. */
  readonly storageKeys?: StorageKeys | undefined
  /** How long a lost submission must stay absent before it may be sent again; else what preferences say. */
  readonly settleMs?: number | undefined
  /** Another kind of process for decoding pictures, where plain Node cannot be forked. */
  readonly startPictureProcess?: (() => PictureProcess) | undefined
  /** Another file system, for tests. */
  readonly files?: Files
  /** How long hot folders wait for things; else as usual. */
  readonly hotFolderPace?: HotFolderPace | undefined
  /** Hears of faults of our own. */
  readonly onFault: (error: unknown) => void
}

/** The client of one connection. */
export function clientOf(
  { transport, clock }: Pick<InterfaceParts, 'transport' | 'clock'>,
  base: BaseUrl,
  key: ApiKey | undefined,
): ServiceClient {
  return createServiceClient({ base, key, transport, clock })
}
