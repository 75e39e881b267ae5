/**
 * The wire under the service client, as an interface: the real one speaks HTTP (node-transport.ts), tests put a
 * simulated service in virtual time here.
 */

export interface HttpAnswer {
  readonly status: number
  /** Names in lower case; repeated ones joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** Whole body as text (UTF-8), decompressed. */
  readonly body: string
}

export interface HttpGet {
  readonly method: 'GET'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Bound for the whole call, in ms. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface HttpPost {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Bound from the call to the end of the answer, in ms. */
  readonly timeoutMs: number
  /**
   * Called synchronously when the connection stands and before the first byte. What it throws is rethrown by `post`
   * as it is, and nothing has been sent then.
   */
  readonly sending: () => void
}

export interface Transport {
  /**
   * A GET with its whole body, at most 16 MiB of text. No redirects; connections may be reused, and a reused one that dies
   * before the answer is replaced once (GET changes nothing).
   * @throws TransportError
   */
  request(call: HttpGet): Promise<HttpAnswer>
  /**
   * Opens a fresh connection that nothing was ever sent on, possibly ahead of time, for one submission.
   * @param url address of the submission; the path is used by `post`
   * @throws TransportError with `sent` false
   */
  open(
    url: string,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<SubmitConnection>
}

/** A connection for exactly one POST. */
export interface SubmitConnection {
  /** True while nothing was sent and the peer has not closed. */
  readonly usable: boolean
  /**
   * Sends exactly one POST in one write of head and body, and reads the whole answer. Never repeated, never
   * redirected.
   * @throws TransportError, or what `sending` threw
   */
  post(call: HttpPost): Promise<HttpAnswer>
  /** Closes an unused connection; of a used one it breaks off the exchange. */
  close(): void
}

export type TransportErrorKind =
  /** The peer refused the connection, or no route leads to it. */
  | 'refused'
  | 'dns'
  /** Certificate or handshake. */
  | 'tls'
  /** The whole call took too long. */
  | 'timeout'
  /** Nothing came for too long. */
  | 'stalled'
  | 'reset'
  /** The answer ended early. */
  | 'truncated'
  | 'too-large'
  /** What came is not HTTP, or not decodable. */
  | 'malformed'
  | 'aborted'
  /** The address may not be fetched (link-guard.ts). */
  | 'blocked'
  /** This machine has no network. */
  | 'offline'

/** A call that got no whole answer. The message is one sentence for people and holds no secret. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly kind: TransportErrorKind
  /** False only when provably not one byte of the request left. */
  readonly sent: boolean
  constructor(kind: TransportErrorKind, message: string, details: { sent: boolean; cause?: unknown }) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.kind = kind
    this.sent = details.sent
  }
}
