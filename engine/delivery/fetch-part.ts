import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { DownloadAnswer, DownloadTransport } from '../service/download-transport.ts'
import { retryAfterMs } from '../service/retry-after.ts'
import { TransportError } from '../service/transport.ts'
import { DeliveryError } from './delivery-error.ts'
import type { OpenFile } from './files.ts'
import { say } from '../../shared/language/say.ts'

/** Bounds of one download. */
export interface DownloadBounds {
  readonly mostBytes: number
  /** From the first request to the last byte, in ms. */
  readonly wholeMs: number
  /** Times that a broken download is gone on with. */
  readonly resumes: number
}

export const defaultDownloadBounds: DownloadBounds = {
  mostBytes: 4 * 1024 ** 3,
  wholeMs: 3_600_000,
  resumes: 3,
}

/** Chunks are joined to writes of about this size. */
const writeSize = 1024 * 1024
const pauseMs = 250

export interface Received {
  readonly bytes: number
  readonly sha256: string
}

export interface FetchParts {
  readonly downloads: DownloadTransport
  readonly clock: Clock
  readonly bounds: DownloadBounds
  /** Hears of every chunk: bytes so far, and all of them where the host says so. */
  readonly onBytes?: OnBytes | undefined
}

export type OnBytes = (done: number, total: number | null) => void

/**
 * Streams a link into a file, counted and hashed. A break is gone on with only where the host's strong ETag says that
 * it is still the same file (docs/reliability.md, F19), else from the beginning.
 * @throws DeliveryError; errors of the file as they are
 */
export async function fetchInto(
  parts: FetchParts,
  file: OpenFile,
  url: string,
  signal?: AbortSignal,
): Promise<Received> {
  const { clock, bounds } = parts
  const progress = new Progress(file, bounds, clock.monotonic() + bounds.wholeMs, clock)
  for (let breaks = 0; ; breaks += 1) {
    try {
      const resume = progress.resume
      const options = { ...(signal ? { signal } : {}), ...(resume ? { resume } : {}) }
      const answer = await parts.downloads.open(url, options)
      const usable = await progress.begin(answer, resume?.from)
      if (!usable) await discard(answer)
      else {
        for await (const chunk of answer.body) {
          await progress.take(chunk)
          parts.onBytes?.(progress.bytes, progress.total)
        }
        return await progress.finish()
      }
    } catch (error) {
      if (signal?.aborted) throw new DeliveryError('aborted', say`The download was broken off.`)
      if (!(error instanceof TransportError)) throw error
      const goOn = breaks < bounds.resumes && (await progress.keep())
      if (!goOn) throw networkFault(error)
    }
    if (breaks >= bounds.resumes) throw new DeliveryError('network', say`The download broke off too often.`)
    await clock.sleep(pauseMs * 2 ** breaks, signal)
  }
}

async function discard(answer: DownloadAnswer) {
  await answer.body[Symbol.asyncIterator]().return?.()
}

function networkFault(error: TransportError): DeliveryError {
  const kind =
    error.kind === 'blocked' ? 'link-refused' : error.kind === 'truncated' ? 'truncated' : 'network'
  return new DeliveryError(kind, error.message, { cause: error })
}

/** Where a download stands. */
class Progress {
  readonly #file: OpenFile
  readonly #bounds: DownloadBounds
  readonly #until: number
  readonly #clock: Clock
  #hash = createHash('sha256')
  #bytes = 0
  #total: number | undefined
  #etag: string | undefined
  #waiting: Uint8Array[] = []
  #waitingBytes = 0

  constructor(file: OpenFile, bounds: DownloadBounds, until: number, clock: Clock) {
    this.#file = file
    this.#bounds = bounds
    this.#until = until
    this.#clock = clock
  }

  get bytes(): number {
    return this.#bytes
  }

  get total(): number | null {
    return this.#total ?? null
  }

  /** What a next request may ask for. */
  get resume(): { from: number; etag: string } | undefined {
    return this.#bytes > 0 && this.#etag !== undefined ? { from: this.#bytes, etag: this.#etag } : undefined
  }

  /**
   * Judges the head of an answer. False: it is of no use, ask again from the beginning.
   * @param from the byte that was asked for
   */
  async begin(answer: DownloadAnswer, from: number | undefined): Promise<boolean> {
    const { status, headers } = answer
    if (status === 206 && from !== undefined) {
      const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? []
      const sameFile = strongTag(headers['etag']) === this.#etag || headers['etag'] === undefined
      const sameTotal = total === '*' || this.#total === undefined || Number(total) === this.#total
      if (Number(start) === from && sameFile && sameTotal) return true
    }
    if (from !== undefined && (status === 206 || status === 416 || status === 412)) {
      await this.#restart()
      return false
    }
    if (status !== 200) {
      await discard(answer)
      throw refusedLink(status, headers, this.#clock.now())
    }
    await this.#restart()
    const length = headers['content-length']
    this.#total = length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined
    this.#etag = strongTag(headers['etag'])
    if ((this.#total ?? 0) > this.#bounds.mostBytes) throw tooLarge()
    return true
  }

  async take(chunk: Uint8Array) {
    this.#hash.update(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > this.#bounds.mostBytes) throw tooLarge()
    if (this.#clock.monotonic() > this.#until) {
      throw new DeliveryError('network', say`The download took too long and was broken off.`)
    }
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.length
    if (this.#waitingBytes >= writeSize) await this.#write()
  }

  async finish(): Promise<Received> {
    await this.#write()
    if (this.#total !== undefined && this.#bytes !== this.#total) {
      throw new DeliveryError(
        'truncated',
        say`The download ended after ${this.#bytes} of ${this.#total} bytes.`,
      )
    }
    if (this.#bytes === 0) throw new DeliveryError('truncated', say`The download brought no bytes.`)
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }

  /** After a break: writes what is there; true when asking again makes sense. */
  async keep(): Promise<boolean> {
    await this.#write()
    return this.resume !== undefined
  }

  async #write() {
    if (this.#waiting.length === 0) return
    const chunks = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    await this.#file.write(chunks)
  }

  async #restart() {
    this.#waiting = []
    this.#waitingBytes = 0
    if (this.#bytes > 0) await this.#file.restart()
    this.#bytes = 0
    this.#hash = createHash('sha256')
    this.#etag = undefined
    this.#total = undefined
  }
}

/** A weak tag does not promise the same bytes. */
function strongTag(etag: string | undefined): string | undefined {
  return etag !== undefined && /^"[^"]*"$/.test(etag) ? etag : undefined
}

function tooLarge(): DeliveryError {
  return new DeliveryError('not-an-image', say`The download is larger than any result; it was broken off.`)
}

const deadLink = new Set([400, 401, 403, 404, 410])

function refusedLink(status: number, headers: Readonly<Record<string, string>>, now: number): DeliveryError {
  if (deadLink.has(status))
    return new DeliveryError('link-expired', say`The link to the result is dead (${status}).`)
  if (status === 429 || status === 503) {
    const date = Date.parse(headers['date'] ?? '')
    const retry = retryAfterMs(headers['retry-after'], Number.isFinite(date) ? date : now)
    const details = retry === undefined ? {} : { retryAfterMs: retry }
    return new DeliveryError('busy', say`The file host asks to come back later (${status}).`, details)
  }
  return new DeliveryError('network', say`The file host answered with status ${status}.`)
}
