import type { IncomingHttpHeaders } from 'node:http'

/** A request that was read to its end. */
export interface Call {
  readonly method: string
  /** Path without query, still percent-encoded. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
