/**
 * How signed links are fetched: by a client that has no key in reach, follows at most three redirects, and checks
 * every address it connects to (link-guard.ts). An interface, so that tests can simulate it.
 */
export interface DownloadTransport {
  /**
   * Starts a download. Resolves when the head of the final answer is there, whatever its status.
   * @throws TransportError ('blocked' where the link may not be fetched)
   */
  open(url: string, options: DownloadOptions): Promise<DownloadAnswer>
}

export interface DownloadOptions {
  readonly signal?: AbortSignal
  /** Goes on from this byte, if the file still has this strong ETag. */
  readonly resume?: { readonly from: number; readonly etag: string }
}

export interface DownloadAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The body, unpacked where the host sent it packed. Has to be read to its end or broken off (`return`). Rejects with TransportError: 'truncated' where it ends
   * early, 'stalled' where nothing comes for too long.
   */
  readonly body: AsyncIterable<Uint8Array>
}
