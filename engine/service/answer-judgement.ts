import { errorSentence, looksLikePage } from '../../shared/plain-text.ts'
import { readSubmitAnswer } from '../../shared/wire.ts'
import type { Read } from '../../shared/wire.ts'
import type { ApiKey } from './api-key.ts'
import { retryAfterMs } from './retry-after.ts'
import type { Answered, Failure, RefusalReason, ServiceResult, SubmitOutcome } from './service-result.ts'
import { TransportError } from './transport.ts'
import type { HttpAnswer } from './transport.ts'
import { say } from '../../shared/language/say.ts'

/** An answer with what is needed to judge it. Times are monotonic, `now` is the local wall clock; ms. */
export interface AnswerView {
  readonly answer: HttpAnswer
  /** To be taken out of the service's own words. */
  readonly key: ApiKey | undefined
  readonly sentAt: number
  readonly receivedAt: number
  readonly now: number
}

function answered({ answer, sentAt, receivedAt }: AnswerView): Answered {
  const date = Date.parse(answer.headers['date'] ?? '')
  const times = { sentAt, receivedAt, rttMs: receivedAt - sentAt }
  return Number.isFinite(date) ? { date, ...times } : times
}

function isPage({ headers, body }: HttpAnswer): boolean {
  return /\bhtml\b/i.test(headers['content-type'] ?? '') || looksLikePage(body)
}

function words(view: AnswerView, otherwise: string): string {
  const said = errorSentence(view.answer.body)
  return said === undefined ? otherwise : (view.key?.redact(said) ?? said)
}

function json(body: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(body) as unknown }
  } catch {
    return { ok: false }
  }
}

function wait(view: AnswerView): number | undefined {
  const { date } = answered(view)
  return retryAfterMs(view.answer.headers['retry-after'], date ?? view.now)
}

const strange = {
  page: say`A web page came instead of an answer of the service: check the address, or sign in to the network.`,
  redirect: say`The address answers with a redirect; the service itself does not. Check the address.`,
  shape: say`The answer is not one of this service.`,
}

/** What a GET came to. `about` says what a 404 means. */
export function judgeAnswer<T>(
  view: AnswerView,
  read: (value: unknown) => Read<T>,
  about: 'run' | 'service',
): ServiceResult<T> {
  const { answer } = view
  if (answer.status < 200 || answer.status > 299) return failureOf(view, about)
  const other = { kind: 'not-the-service' as const, status: answer.status, ...answered(view) }
  const parsed = json(answer.body)
  if (!parsed.ok) return { ...other, message: isPage(answer) ? strange.page : strange.shape }
  const value = read(parsed.value)
  if (!value.ok) return { ...other, message: say`The answer is not one of this service. ${value.problem}` }
  return { kind: 'ok', value: value.value, ...answered(view) }
}

function failureOf(view: AnswerView, about: 'run' | 'service'): Failure {
  const { answer } = view
  const { status } = answer
  const at = answered(view)
  const retry = wait(view)
  const busy = {
    kind: 'busy' as const,
    status,
    ...at,
    ...(retry === undefined ? {} : { retryAfterMs: retry }),
  }
  if (status === 429) return { ...busy, message: words(view, say`The service asks to slow down.`) }
  if (status === 503 && retry !== undefined)
    return { ...busy, message: words(view, say`The service is busy.`) }
  if (status >= 500 || status === 408 || status < 200) {
    const message = say`The service has a fault of its own (${status}).`
    return { kind: 'unavailable', status, message, offline: false }
  }
  if (status < 400) return { kind: 'not-the-service', status, message: strange.redirect, ...at }
  if (status === 401 || (status === 403 && !isPage(answer))) {
    return {
      kind: 'key-rejected',
      status,
      message: words(view, say`The service rejects the API key.`),
      ...at,
    }
  }
  if (status === 402)
    return { kind: 'out-of-credits', message: words(view, say`The credits are used up.`), ...at }
  if (status === 404 && about === 'run') {
    return { kind: 'not-found', message: words(view, say`The service knows no run of this id.`), ...at }
  }
  if (status === 404 || isPage(answer)) {
    const message =
      status === 404 ? say`There is no such service at this address (404); check it.` : strange.page
    return { kind: 'not-the-service', status, message, ...at }
  }
  return { kind: 'refused', status, message: words(view, say`The service refuses this (${status}).`), ...at }
}

const refusals: Readonly<Record<number, RefusalReason>> = {
  400: 'invalid',
  401: 'key-rejected',
  402: 'out-of-credits',
  404: 'not-the-service',
  405: 'not-the-service',
  413: 'invalid',
  415: 'invalid',
  422: 'invalid',
  429: 'busy',
}
const refusalWords: Readonly<Record<RefusalReason, string>> = {
  invalid: say`The service refuses the submission.`,
  'key-rejected': say`The service rejects the API key.`,
  'out-of-credits': say`The credits do not suffice for this picture.`,
  busy: say`The service asks to slow down.`,
  'not-the-service': say`There is no such service at this address; check it.`,
}

/**
 * What a submission's answer means for the ledger (docs/reliability.md, promise 1): a 200 with a run id is acknowledged, the listed
 * statuses are refusals, and everything else may have been taken.
 */
export function judgeSubmission(view: AnswerView): SubmitOutcome {
  const { status, body } = view.answer
  const at = answered(view)
  if (status === 200) {
    const parsed = json(body)
    const read = parsed.ok ? readSubmitAnswer(parsed.value) : undefined
    if (read?.ok) return { kind: 'acked', runId: read.value.runId, ...at }
    return unknown(view, say`The service took the submission, but its answer has no run id.`)
  }
  const reason = status >= 300 && status < 400 ? 'not-the-service' : refusals[status]
  if (!reason) return unknown(view, say`The service answered the submission with status ${status}.`)
  const retry = wait(view)
  const message = status < 400 ? strange.redirect : words(view, refusalWords[reason])
  return {
    kind: 'refused',
    status,
    reason,
    message,
    ...at,
    ...(retry === undefined ? {} : { retryAfterMs: retry }),
  }
}

function unknown(view: AnswerView, message: string): SubmitOutcome {
  const { date } = answered(view)
  return { kind: 'unknown', message, status: view.answer.status, ...(date === undefined ? {} : { date }) }
}

/** A failed call in words; never shows what was thrown where that is not a sentence of ours. */
export function refusalOf(error: unknown): { readonly message: string; readonly offline: boolean } {
  if (!(error instanceof TransportError)) {
    return { message: say`The call to the service failed for a reason of this program.`, offline: false }
  }
  return { message: error.message, offline: error.kind === 'offline' || error.kind === 'dns' }
}

/** A GET that got no whole answer. */
export function outOfReach(error: unknown): Failure {
  const { message, offline } = refusalOf(error)
  if (error instanceof TransportError && error.kind === 'aborted') return { kind: 'aborted', message }
  return { kind: 'unavailable', message, offline }
}
