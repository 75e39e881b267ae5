import { randomBytes } from 'node:crypto'
import { connectionFor } from '../engine/batches/account.ts'
import { dataFolder } from '../engine/data-folder.ts'
import type { WorkParts } from '../engine/batches/work.ts'
import { createDelivery } from '../engine/delivery/create-delivery.ts'
import { StoredDeliverer } from '../engine/delivery/deliverer.ts'
import type { Delivery } from '../engine/delivery/delivery.ts'
import { folderMark } from '../engine/delivery/folder-mark.ts'
import { createManifestWriter } from '../engine/delivery/manifest.ts'
import { nodeFiles } from '../engine/delivery/node-files.ts'
import { openMetadataTool } from '../engine/metadata/exiftool.ts'
import { createOutputMetadata, type OutputMetadata } from '../engine/metadata/output-metadata.ts'
import { defaultQueueSettings, type Deliverer, type QueueEvent } from '../engine/queue/parts.ts'
import type { DownloadTransport } from '../engine/service/download-transport.ts'
import { createDownloads } from '../engine/service/undici-downloads.ts'
import { withOwnPictures } from '../engine/own-files/own-picture-downloads.ts'
import { StoragePublisher } from '../engine/own-files/publisher.ts'
import { createPictureWorkers, type PictureWorkers } from '../engine/pictures/picture-workers.ts'
import { createWebhookReceiver, type ReceiverSettings } from '../engine/webhook/receiver.ts'
import { receiverIn } from '../engine/webhook/receiver-settings.ts'
import type { Store } from '../engine/store/store.ts'
import { plainText } from '../shared/plain-text.ts'
import type { Account } from './account.ts'
import { settleMs } from './environment.ts'
import { storageKeyRing } from './own-files.ts'
import { openPreferences, openStore, warn, type Shell } from './shell.ts'

/** The engine of one account, put together for one command. */
export interface Engine {
  readonly account: Account
  readonly store: Store
  readonly connectionId: number
  /** Publishes pictures of this computer. */
  readonly publisher: StoragePublisher
  /** What `work` needs, with a listener of the command's own. */
  readonly parts: (report: (event: QueueEvent) => void) => WorkParts
  readonly close: () => Promise<void>
}

/** Delivery of files from one service's links; nothing of the queue. */
export function composeDelivery(
  shell: Shell,
  baseUrl: string,
): Delivery & AsyncDisposable & { readonly downloads: DownloadTransport } {
  const { clock, overrides } = shell
  const own = overrides.downloads ? undefined : createDownloads({ baseUrl })
  const downloads = overrides.downloads ?? own!
  const delivery = createDelivery({
    downloads,
    clock,
    mark: folderMark(shell.home),
    ...(overrides.files ? { files: overrides.files } : {}),
  })
  return { ...delivery, downloads, [Symbol.asyncDispose]: async () => await own?.close() }
}

/** Keeps files and manifests of a store's batches. */
export function composeDeliverer(
  shell: Shell,
  store: Store,
  delivery: Delivery,
  metadata?: OutputMetadata,
): Deliverer {
  const { clock, overrides } = shell
  const onManifestTrouble = (message: string) =>
    warn(shell, `The manifest could not be written: ${plainText(message)}`)
  const manifests = createManifestWriter({
    files: overrides.files ?? nodeFiles,
    clock,
    randomName: () => `${folderMark(shell.home)}-${randomBytes(9).toString('hex')}`,
    onError: (error) => onManifestTrouble(error.message),
  })
  return new StoredDeliverer({ store, delivery, manifests, metadata, onManifestTrouble })
}

/**
 * The composition root: store, client, delivery and queue parts, by constructor arguments, so that a test puts the
 * same pieces together with others (`Overrides`).
 */
export async function composeEngine(
  shell: Shell,
  account: Account,
  receiver?: ReceiverSettings,
): Promise<Engine> {
  const settle = settleMs(shell.io.env)
  const store = await openStore(shell)
  const connection = await connectionFor(store, account.client, account.keyText)
  const delivery = composeDelivery(shell, account.base.href)
  const preferences = await openPreferences(shell)
  const metadata = createOutputMetadata({
    tool: openMetadataTool(),
    delivery,
    downloads: withOwnPictures(store, delivery.downloads),
    files: shell.overrides.files ?? nodeFiles,
    clock: shell.clock,
    scratch: dataFolder(shell.home).metadata,
    tell: (message) => warn(shell, message),
  })
  const deliverer = composeDeliverer(shell, store, delivery, metadata)
  const { publisher, closeWorkers } = await composePublisher(shell, store)
  return {
    account,
    store,
    connectionId: connection.id,
    publisher,
    parts: (report) => ({
      store,
      home: shell.home,
      connectionId: connection.id,
      service: account.client,
      deliverer,
      webhook: createWebhookReceiver({
        clock: shell.clock,
        settings: () => receiver ?? receiverIn(preferences.read()),
      }),
      publisher,
      clock: shell.clock,
      random: shell.overrides.random ?? Math.random,
      settings: { ...defaultQueueSettings, ...(settle === undefined ? {} : { settleMs: settle }) },
      report,
    }),
    async close() {
      closeWorkers()
      await metadata.close()
      await delivery[Symbol.asyncDispose]()
      account.close()
      store.close()
    },
  }
}

/** Pictures are converted in processes of their own, begun when the first one is. */
async function composePublisher(shell: Shell, store: Store) {
  const preferences = await openPreferences(shell)
  let workers: PictureWorkers | undefined
  const publisher = new StoragePublisher({
    home: shell.home,
    mark: folderMark(shell.home),
    store,
    clock: shell.clock,
    keys: await storageKeyRing(shell),
    storage: () => preferences.read().ownFiles.storage,
    workers: () => (workers ??= createPictureWorkers({ start: shell.overrides.startPictureProcess })),
  })
  return { publisher, closeWorkers: () => workers?.close() }
}
