import { open, rm } from 'node:fs/promises'
import type { DownloadTransport } from '../service/download-transport.ts'
import { TransportError } from '../service/transport.ts'
import { PictureTrouble } from './picture-trouble.ts'
import { say } from '../../shared/language/say.ts'

export interface FetchBounds {
  readonly mostBytes: number
  /** From the request to the last byte, in ms. */
  readonly wholeMs: number
}

/**
 * Fetches a picture to look at into a file of its own, through a client that has no key and goes nowhere nearer than
 * the connection itself (link-guard.ts). Broken off at its bounds; on an error nothing is left.
 * @throws PictureTrouble with a sentence
 */
export async function fetchPicture(
  downloads: DownloadTransport,
  url: string,
  path: string,
  { bounds, signal }: { readonly bounds: FetchBounds; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const late = AbortSignal.timeout(bounds.wholeMs)
  try {
    const answer = await downloads.open(url, { signal: signal ? AbortSignal.any([signal, late]) : late })
    if (answer.status !== 200) {
      await answer.body[Symbol.asyncIterator]().return?.()
      throw new PictureTrouble(say`The picture's address answers with status ${answer.status}.`)
    }
    if (Number(answer.headers['content-length']) > bounds.mostBytes) {
      await answer.body[Symbol.asyncIterator]().return?.()
      throw tooLarge()
    }
    await writeBody(answer.body, path, bounds.mostBytes)
  } catch (error) {
    await rm(path, { force: true })
    if (late.aborted) throw new PictureTrouble(say`The picture took too long to come.`)
    if (error instanceof TransportError) throw new PictureTrouble(error.message)
    throw error
  }
}

async function writeBody(body: AsyncIterable<Uint8Array>, path: string, most: number) {
  const file = await open(path, 'w', 0o600)
  try {
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > most) throw tooLarge()
      await file.write(chunk)
    }
  } finally {
    await file.close()
  }
}

function tooLarge(): PictureTrouble {
  return new PictureTrouble(say`The picture is too large.`)
}

/** Lets so many pieces of work in at a time; the newest first, for those are what is looked at now. */
export class NewestFirst {
  readonly #most: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#most = most
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    }
    this.#running += 1
    try {
      return await work()
    } finally {
      this.#running -= 1
      this.#waiting.pop()?.()
    }
  }
}
