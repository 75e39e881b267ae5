import { randomUUID } from 'node:crypto'
import type { Storage } from '../../shared/own-files.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import type { DownloadTransport } from '../service/download-transport.ts'
import { TransportError } from '../service/transport.ts'
import { createDownloads } from '../service/undici-downloads.ts'
import { openStorage, StorageTrouble } from './object-storage.ts'
import type { StorageKeys } from './storage-keys.ts'
import { say } from '../../shared/language/say.ts'

const linkSeconds = 300

/**
 * Does with a storage what a run does: writes a small object, reads it through a signed link as anybody may, and removes
 * it. @throws Fault with a sentence
 */
export async function checkStorageWorks(
  storage: Storage,
  keys: StorageKeys,
  { mark, downloads }: { readonly mark: string; readonly downloads?: DownloadTransport | undefined },
): Promise<void> {
  const objects = await openStorage(storage, keys)
  const own = downloads ? undefined : createDownloads({ baseUrl: storage.endpoint })
  const key = `${storage.prefix}${mark}/check-${randomUUID()}.txt`
  const text = 'Vitrine checks whether this storage can be used. This may be deleted.'
  try {
    await objects.put(key, Buffer.from(text), 'text/plain')
    const wrong = await read(downloads ?? own!, await objects.link(key, linkSeconds), text)
    await objects.remove(key)
    if (wrong !== undefined) throw new Fault('refused', wrong)
  } catch (error) {
    throw error instanceof StorageTrouble ? new Fault('refused', error.message) : error
  } finally {
    objects.close()
    await own?.close()
  }
}

/** Why the link does not give what was written. */
async function read(downloads: DownloadTransport, link: string, text: string): Promise<string | undefined> {
  try {
    const { status, body } = await downloads.open(link, {})
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    if (status === 200 && Buffer.concat(chunks).toString() === text) return undefined
    return say`A signed link of the storage answers ${status}; allow these keys to read objects of the bucket.`
  } catch (error) {
    if (error instanceof TransportError) return error.message
    throw error
  }
}
