import { dataFolder } from '../data-folder.ts'
import { createDelivery } from '../delivery/create-delivery.ts'
import { StoredDeliverer } from '../delivery/deliverer.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { folderMark } from '../delivery/folder-mark.ts'
import type { ManifestWriter } from '../delivery/manifest.ts'
import { nodeFiles } from '../delivery/node-files.ts'
import { openMetadataTool } from '../metadata/exiftool.ts'
import { createOutputMetadata } from '../metadata/output-metadata.ts'
import { withOwnPictures } from '../own-files/own-picture-downloads.ts'
import type { SavedConnection } from '../preferences/preferences.ts'
import { checkBaseUrl } from '../service/base-url.ts'
import type { DownloadTransport } from '../service/download-transport.ts'
import type { ServiceClient } from '../service/service-client.ts'
import type { DownloadBytes } from './download-bytes.ts'
import { clientOf, type InterfaceParts } from './parts.ts'
import type { ApiKey } from '../service/api-key.ts'

/** All that is put together for working with one connection. */
export interface Session {
  readonly saved: SavedConnection
  readonly storeId: number
  readonly client: ServiceClient
  readonly downloads: DownloadTransport
  readonly delivery: Delivery
  readonly deliverer: StoredDeliverer
  readonly close: () => Promise<void>
}

/** Each hears one sentence: where a manifest cannot be written, where a picture is delivered without its metadata. */
export interface Tellers {
  readonly manifest: (message: string) => void
  readonly metadata: (message: string) => void
}

export function openSession(
  parts: InterfaceParts,
  saved: SavedConnection,
  about: {
    readonly storeId: number
    readonly key: ApiKey
    readonly manifests: ManifestWriter
    readonly bytes: DownloadBytes
  },
  tell: Tellers,
): Session {
  const { store, clock, files = nodeFiles } = parts
  const checked = checkBaseUrl(saved.baseUrl)
  if (!checked.ok) throw new Error(checked.problem)
  const downloads = parts.openDownloads(checked.base.href)
  const delivery = createDelivery({ downloads, clock, files, mark: folderMark(parts.home) })
  const metadata = createOutputMetadata({
    tool: openMetadataTool(),
    delivery,
    downloads: withOwnPictures(store, downloads),
    files,
    clock,
    scratch: dataFolder(parts.home).metadata,
    tell: tell.metadata,
  })
  return {
    saved,
    storeId: about.storeId,
    client: clientOf(parts, checked.base, about.key),
    downloads,
    delivery,
    deliverer: new StoredDeliverer({
      metadata,
      store,
      delivery,
      manifests: about.manifests,
      onBytes: (imageId, done, total) => about.bytes.note(imageId, done, total),
      onManifestTrouble: tell.manifest,
    }),
    close: async () => {
      await metadata.close()
      await downloads.close()
    },
  }
}
