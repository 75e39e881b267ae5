import { readApps } from '../../shared/wire-apps.ts'
import { readBalance, readDownloadLink, readRun, readRunList } from '../../shared/wire.ts'
import type { App, Balance, DownloadLink, Read, Run, RunList } from '../../shared/wire.ts'
import type { Clock } from '../clock.ts'
import { judgeAnswer, judgeSubmission, outOfReach, refusalOf } from './answer-judgement.ts'
import type { ApiKey } from './api-key.ts'
import type { BaseUrl } from './base-url.ts'
import type { ServiceResult, SubmitOutcome } from './service-result.ts'
import { TransportError } from './transport.ts'
import type { HttpAnswer, SubmitConnection, Transport } from './transport.ts'
import { say } from '../../shared/language/say.ts'

/** The service interface (section 4) as calls that never throw for what the service or the network did. */
export interface ServiceClient {
  /** Base address, normalised; safe to show. */
  readonly baseUrl: string
  /** Connects ahead for one submission; nothing is sent. */
  openSubmission(signal?: AbortSignal): Promise<OpenedSubmission>
  /**
   * POST /api/v1/run (4.1) on a connection that was opened for it.
   * @param body see submitBody
   * @param sending called synchronously before the first byte leaves; what it throws makes the outcome 'unsent'
   */
  submit(connection: SubmitConnection, body: string, sending: () => void): Promise<SubmitOutcome>
  /** GET /api/v1/runs/{run_id} (4.2). */
  run(runId: string, signal?: AbortSignal): Promise<ServiceResult<Run>>
  /** GET /api/v1/runs (4.3); limit at most 50. */
  list(query?: ListQuery, signal?: AbortSignal): Promise<ServiceResult<RunList>>
  /** GET /api/v1/balance (4.4). */
  balance(signal?: AbortSignal): Promise<ServiceResult<Balance>>
  /** GET /api/v1/runs/{run_id}/download (4.5); 'refused' with 400 where the run has not succeeded yet. */
  downloadLink(runId: string, signal?: AbortSignal): Promise<ServiceResult<DownloadLink>>
  /** GET /api/v1/apps (4.6), sent without the key. */
  apps(signal?: AbortSignal): Promise<ServiceResult<readonly App[]>>
}

export interface ListQuery {
  /** From 1. */
  readonly page?: number
  readonly limit?: number
  readonly status?: 'SUCCESS' | 'FAILED' | 'IN_QUEUE' | 'IN_PROGRESS' | 'all'
}

export type OpenedSubmission =
  | { readonly kind: 'open'; readonly connection: SubmitConnection }
  | { readonly kind: 'unsent'; readonly message: string; readonly offline: boolean }

export interface ServiceClientParts {
  readonly base: BaseUrl
  /** Undefined where only the catalogue is asked for: everything else is then rejected without a request. */
  readonly key: ApiKey | undefined
  readonly transport: Transport
  readonly clock: Clock
  readonly timeouts?: Partial<ServiceTimeouts>
}

/** Bounds in ms. */
export interface ServiceTimeouts {
  readonly connect: number
  /** From the first byte of a submission to the end of its answer. */
  readonly submit: number
  readonly get: number
}

const defaultTimeouts: ServiceTimeouts = { connect: 15_000, submit: 30_000, get: 15_000 }
const agent = { accept: 'application/json', 'user-agent': 'Vitrine' }
const mostPerPage = 50

export function createServiceClient(parts: ServiceClientParts): ServiceClient {
  const { base, key, transport, clock } = parts
  const timeouts = { ...defaultTimeouts, ...parts.timeouts }

  /** The key goes to the connection's own origin and nowhere else. */
  function headersFor(url: string): Record<string, string> {
    if (!key || new URL(url).origin !== base.origin) return { ...agent }
    return { ...agent, authorization: key.bearer }
  }

  async function get<T>(call: Get<T>): Promise<ServiceResult<T>> {
    const url = base.href + call.path
    const sentAt = clock.monotonic()
    let answer: HttpAnswer
    try {
      answer = await transport.request({
        method: 'GET',
        url,
        headers: call.open ? { ...agent } : headersFor(url),
        timeoutMs: timeouts.get,
        ...(call.signal ? { signal: call.signal } : {}),
      })
    } catch (error) {
      return outOfReach(error)
    }
    const view = { answer, key, sentAt, receivedAt: clock.monotonic(), now: clock.now() }
    return judgeAnswer(view, call.read, call.about)
  }

  function aboutRun<T>(runId: string, tail: string, read: Get<T>['read'], signal?: AbortSignal) {
    // A path of dots alone would be another path; no run has such an id.
    if (/^\.{0,2}$/.test(runId)) {
      const at = clock.monotonic()
      const message = say`The service knows no run of this id.`
      return Promise.resolve({ kind: 'not-found' as const, message, sentAt: at, receivedAt: at, rttMs: 0 })
    }
    return get({ path: `/runs/${encodeURIComponent(runId)}${tail}`, read, about: 'run', signal })
  }

  return {
    baseUrl: base.href,
    async openSubmission(signal) {
      try {
        const options = { timeoutMs: timeouts.connect, ...(signal ? { signal } : {}) }
        return { kind: 'open', connection: await transport.open(`${base.href}/run`, options) }
      } catch (error) {
        const { message, offline } = refusalOf(error)
        return { kind: 'unsent', message, offline }
      }
    },
    submit: (connection, body, sending) =>
      submitOn({ ...parts, timeouts, headersFor }, connection, body, sending),
    run: (runId, signal) => aboutRun(runId, '', (json) => readThisRun(json, runId, key), signal),
    list(query = {}, signal) {
      const search = new URLSearchParams({
        page: String(Math.max(1, Math.trunc(query.page ?? 1))),
        limit: String(Math.min(mostPerPage, Math.max(1, Math.trunc(query.limit ?? 20)))),
        status: query.status ?? 'all',
      })
      return get({ path: `/runs?${search.toString()}`, read: listReader(query), about: 'service', signal })
    },
    balance: (signal) => get({ path: '/balance', read: readBalance, about: 'service', signal }),
    downloadLink: (runId, signal) => aboutRun(runId, '/download', readDownloadLink, signal),
    apps: (signal) => get({ path: '/apps', read: readApps, about: 'service', open: true, signal }),
  }
}

/**
 * Only the rows that were asked for, of a service that ignores the status filter: a finished run in a list of those
 * in progress would pass as still at work for ever. Its `total` then counts other runs too.
 */
function listReader({ status = 'all' }: ListQuery): (json: unknown) => Read<RunList> {
  return (json) => {
    const list = readRunList(json)
    if (!list.ok || status === 'all') return list
    const runs = list.value.runs.filter((run) => run.status === status)
    if (runs.length === list.value.runs.length) return list
    const hasMore = list.value.hasMore ?? list.value.runs.length >= mostPerPage
    return { ok: true, value: { ...list.value, runs, total: undefined, hasMore } }
  }
}

/** Another run's record would bring another picture under this one's name. Its error text is kept, so without the key. */
function readThisRun(json: unknown, runId: string, key: ApiKey | undefined): Read<Run> {
  const run = readRun(json)
  if (!run.ok) return run
  const { error } = run.value
  if (run.value.runId === runId) {
    return { ok: true, value: { ...run.value, error: error && key ? key.redact(error) : error } }
  }
  return { ok: false, field: 'run_id', problem: say`It is about another run.` }
}

interface Get<T> {
  /** Below the base address. */
  readonly path: string
  readonly read: (json: unknown) => Read<T>
  /** What a 404 says: that the run is unknown, or that this is not the service. */
  readonly about: 'run' | 'service'
  /** Asked without the key (4.6). */
  readonly open?: boolean
  readonly signal: AbortSignal | undefined
}

type SubmitParts = ServiceClientParts & {
  readonly timeouts: ServiceTimeouts
  readonly headersFor: (url: string) => Record<string, string>
}

async function submitOn(
  parts: SubmitParts,
  connection: SubmitConnection,
  body: string,
  sending: () => void,
): Promise<SubmitOutcome> {
  const { base, key, clock, timeouts, headersFor } = parts
  let sentAt: number | undefined
  let refusedToSend: { readonly cause: unknown } | undefined
  try {
    const answer = await connection.post({
      headers: { ...headersFor(`${base.href}/run`), 'content-type': 'application/json' },
      body,
      timeoutMs: timeouts.submit,
      sending() {
        try {
          sending()
        } catch (cause) {
          refusedToSend = { cause }
          throw cause
        }
        sentAt = clock.monotonic()
      },
    })
    return judgeSubmission({
      answer,
      key,
      sentAt: sentAt ?? clock.monotonic(),
      receivedAt: clock.monotonic(),
      now: clock.now(),
    })
  } catch (error) {
    if (refusedToSend) {
      const message = say`Nothing was sent: the intent to send could not be recorded.`
      return { kind: 'unsent', message, offline: false, cause: refusedToSend.cause }
    }
    const { message, offline } = refusalOf(error)
    const certainlyUnsent = sentAt === undefined && !(error instanceof TransportError && error.sent)
    return certainlyUnsent ? { kind: 'unsent', message, offline } : { kind: 'unknown', message }
  }
}
