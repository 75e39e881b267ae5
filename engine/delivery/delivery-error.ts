export type DeliveryErrorKind =
  /** The output's disk is full: the batch pauses and goes on when there is room. */
  | 'disk-full'
  /** The output folder may not be written. */
  | 'read-only'
  /** The output folder is gone (a drive that was taken out). */
  | 'folder-missing'
  /** The name leads outside the output folder; nothing was written. */
  | 'outside'
  /** A file or folder stands where another kind is needed. */
  | 'in-the-way'
  /** Any other error of the file system. */
  | 'disk'
  /** What came is no picture (a page, a bomb, damaged); fetching again may help, or not. */
  | 'not-an-image'
  | 'truncated'
  /** 401, 403, 404, 410: ask the service for a new link. */
  | 'link-expired'
  /** 429, 503: `retryAfterMs` says when, if the host said it. */
  | 'busy'
  /** The link may not be fetched (link-guard.ts). */
  | 'link-refused'
  | 'network'
  | 'aborted'

/** A delivery that did not come about. The message is one sentence: what, where, what to do. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  readonly kind: DeliveryErrorKind
  readonly retryAfterMs: number | undefined
  constructor(
    kind: DeliveryErrorKind,
    message: string,
    details: { cause?: unknown; retryAfterMs?: number } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.kind = kind
    this.retryAfterMs = details.retryAfterMs
  }

  /** True where the output folder is at fault and the whole batch has to wait; false where it is this one file. */
  get stopsBatch(): boolean {
    return (
      this.kind === 'disk-full' ||
      this.kind === 'read-only' ||
      this.kind === 'folder-missing' ||
      this.kind === 'disk'
    )
  }
}
