/**
 * What a call of the service came to. The service can do what it likes: it is told in these words and never thrown.
 * Messages are one sentence, without secrets, fit for people.
 */

/** When an answer was had. */
export interface Answered {
  /** The service's own clock from the `Date` header, in ms since the epoch (whole seconds); absent where unusable. */
  readonly date?: number
  /** Monotonic clock before the request and after the answer, in ms. */
  readonly sentAt: number
  readonly receivedAt: number
  readonly rttMs: number
}

export type Failure =
  /** Another 4xx, such as 400. */
  | ({ readonly kind: 'refused'; readonly status: number; readonly message: string } & Answered)
  /** 401, and 403: the key is not (or no longer) good for this. */
  | ({ readonly kind: 'key-rejected'; readonly status: number; readonly message: string } & Answered)
  | ({ readonly kind: 'out-of-credits'; readonly message: string } & Answered)
  /** 429, or 503 with a Retry-After. `retryAfterMs` lies in 0 to one hour; absent where the service gave none. */
  | ({
      readonly kind: 'busy'
      readonly status: number
      readonly retryAfterMs?: number
      readonly message: string
    } & Answered)
  | ({ readonly kind: 'not-found'; readonly message: string } & Answered)
  /** A web page, other JSON, a redirect: a captive portal or a wrong address. */
  | ({ readonly kind: 'not-the-service'; readonly status: number; readonly message: string } & Answered)
  /** 5xx, 408, or no whole answer; `offline` where this machine has no network or no address is found. */
  | {
      readonly kind: 'unavailable'
      readonly message: string
      readonly status?: number
      readonly offline: boolean
    }
  /** The caller's signal ended it. */
  | { readonly kind: 'aborted'; readonly message: string }

export type ServiceResult<T> = ({ readonly kind: 'ok'; readonly value: T } & Answered) | Failure

/** Why a submission was refused; nothing was started and nothing charged (docs/reliability.md, promise 1). */
export type RefusalReason = 'key-rejected' | 'out-of-credits' | 'busy' | 'invalid' | 'not-the-service'

/** What became of one submission (docs/reliability.md, promise 1). */
export type SubmitOutcome =
  | ({ readonly kind: 'acked'; readonly runId: string } & Answered)
  | ({
      readonly kind: 'refused'
      readonly status: number
      readonly reason: RefusalReason
      readonly message: string
      readonly retryAfterMs?: number
    } & Answered)
  /** Provably not one byte left. `cause` is what `sending` threw, if it did. */
  | { readonly kind: 'unsent'; readonly message: string; readonly offline: boolean; readonly cause?: unknown }
  /** The service may or may not have taken it: never simply sent again. */
  | {
      readonly kind: 'unknown'
      readonly message: string
      readonly status?: number
      readonly date?: number
    }
