import { createReadStream } from 'node:fs'
import type { DownloadTransport } from '../service/download-transport.ts'
import { TransportError } from '../service/transport.ts'
import type { Store } from '../store/store.ts'
import { contentOfSource } from './own-source.ts'
import { say } from '../../shared/language/say.ts'

/**
 * The same transport for sources of images: a picture of this computer is read from where it lies. Never for links that a
 * service gives.
 */
export function withOwnPictures(
  store: Pick<Store, 'ownFiles'>,
  downloads: DownloadTransport,
): DownloadTransport {
  return {
    open: async (url, options) => {
      const content = contentOfSource(url)
      if (content === undefined) return await downloads.open(url, options)
      const picture = store.ownFiles.picture(content)
      if (!picture) throw gone()
      const { path, bytes } = picture
      return { status: 200, headers: { 'content-length': String(bytes) }, body: read(path, options.signal) }
    },
  }
}

async function* read(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, signal ? { signal } : {})) yield chunk as Uint8Array
  } catch {
    throw gone()
  }
}

function gone(): TransportError {
  return new TransportError('blocked', say`The picture is not where it was on this computer any more.`, {
    sent: false,
  })
}
