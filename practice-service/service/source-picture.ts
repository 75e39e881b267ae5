import { Agent, fetch } from 'undici'

/** Bounds on what the service fetches. */
export interface SourceLimits {
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** A source that cannot be had; the message is the run's `error` (7). */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}

const shownBytes = 512

/** Fetches source pictures as a service on the web would: by their address alone. */
export class SourcePictures {
  // Without pipelining undici opens a connection a request: a kept one may die just when it is used again.
  readonly #agent = new Agent({ pipelining: 0, connect: { timeout: 10_000 } })
  readonly #limits: SourceLimits

  constructor(limits: SourceLimits) {
    this.#limits = limits
  }

  /** The bytes of a picture; rejects with a SourceError that says why there are none. */
  async fetch(address: string, signal: AbortSignal): Promise<Buffer> {
    const url = URL.parse(address)
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
      throw new SourceError(
        `The image URL could not be downloaded: it is not a web address (${shown(address)})`,
      )
    }
    const timeout = AbortSignal.timeout(this.#limits.timeoutMs)
    let data: Buffer
    try {
      data = await this.#read(url, AbortSignal.any([signal, timeout]))
    } catch (error) {
      if (error instanceof SourceError) throw error
      const why = timeout.aborted ? `no answer within ${this.#limits.timeoutMs / 1000} s` : reasonOf(error)
      throw new SourceError(`The image URL could not be downloaded: ${why} (${shown(address)})`, {
        cause: error,
      })
    }
    const problem = contentProblem(data)
    if (problem !== undefined) throw new SourceError(`${problem} (${shown(address)})`)
    return data
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async #read(url: URL, signal: AbortSignal): Promise<Buffer> {
    const response = await fetch(url, { dispatcher: this.#agent, signal })
    if (!response.ok) {
      await response.body?.cancel()
      const status = `${response.status} ${response.statusText}`.trim()
      throw new SourceError(`The image URL could not be downloaded: ${status} (${shown(url.href)})`)
    }
    const pieces: Uint8Array[] = []
    let size = 0
    for await (const piece of response.body ?? []) {
      size += piece.byteLength
      if (size > this.#limits.maxBytes) {
        const cap = Math.floor(this.#limits.maxBytes / 1_000_000)
        throw new SourceError(`The image is too large: more than ${cap} MB (${shown(url.href)})`)
      }
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  }
}

/** An address for a message: without its query, where signed links carry their secret. */
function shown(address: string): string {
  const query = address.indexOf('?')
  const plain = query === -1 ? address : `${address.slice(0, query)}?…`
  return plain.length > 300 ? `${plain.slice(0, 300)}…` : plain
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 s',
  UND_ERR_SOCKET: 'the connection was closed early',
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
  return reasons[code] ?? 'the connection failed'
}

/** Why bytes are no picture the service can read, or undefined. */
function contentProblem(data: Buffer): string | undefined {
  if (data.length === 0) return 'The image URL could not be downloaded: the file is empty'
  if (isPicture(data)) return undefined
  const start = data.subarray(0, shownBytes).toString('latin1').trimStart().toLowerCase()
  return start.startsWith('<!doctype html') || start.startsWith('<html')
    ? 'The image URL does not lead to an image but to a web page'
    : 'The image URL does not lead to an image the service can read'
}

function isPicture(data: Buffer): boolean {
  const start = data.subarray(0, 16).toString('latin1')
  return (
    start.startsWith('\xff\xd8\xff') ||
    start.startsWith('\x89PNG\r\n\x1a\n') ||
    start.startsWith('GIF8') ||
    start.startsWith('II*\0') ||
    start.startsWith('MM\0*') ||
    (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') ||
    (start.slice(4, 8) === 'ftyp' && /^(avif|avis|heic|heix|mif1)/.test(start.slice(8)))
  )
}
