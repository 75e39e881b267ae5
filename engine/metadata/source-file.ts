import { open } from 'node:fs/promises'
import type { Clock } from '../clock.ts'
import { sniff, sniffLength } from '../delivery/sniff.ts'
import { fetchPicture } from '../pictures/fetch-picture.ts'
import { PictureTrouble } from '../pictures/picture-trouble.ts'
import type { DownloadTransport } from '../service/download-transport.ts'
import { say } from '../../shared/language/say.ts'

/** A source that is not to be had; the message is one sentence. */
export class SourceTrouble extends Error {
  override readonly name = 'SourceTrouble'
}

interface SourceParts {
  readonly downloads: DownloadTransport
  readonly clock: Clock
}

/** A source is fetched for a few kilobytes that may lie at its end, so all of it; never more than this. */
const bounds = { mostBytes: 1024 ** 3, wholeMs: 300_000 }
const pausesMs = [500, 2000]

/**
 * Fetches a source into a file. Broken downloads are tried three times; only a picture by its first bytes passes, so
 * that nothing else gets to exiftool.
 * @throws SourceTrouble
 */
export async function fetchSource(
  { downloads, clock }: SourceParts,
  url: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await fetchPicture(downloads, url, path, { bounds, signal })
      break
    } catch (error) {
      if (!(error instanceof PictureTrouble)) throw error
      const pause = /status 4(?!08|29)/.test(error.message) ? undefined : pausesMs[tries]
      if (pause === undefined || signal.aborted) throw new SourceTrouble(error.message)
      await clock.sleep(pause, signal)
    }
  }
  const type = sniff(await headOf(path))
  if (type?.kind !== 'image')
    throw new SourceTrouble(say`Its address does not bring a picture of a kind that is read here.`)
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffLength), 0, sniffLength, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
