import type { Fault } from '../service/faults.ts'
import { page, refusal } from './answer.ts'
import type { Answer } from './answer.ts'
import { close, deliver, deliverSpoiled, reset } from './delivery.ts'
import type { Exchange, Spoiling } from './delivery.ts'

type InsteadFault = Extract<
  Fault,
  { kind: 'status' | 'html' | 'reset-before' | 'close-before' | 'silence' | 'redirect' | 'expired' }
>
export type SpoilingFault = Exclude<Fault, InsteadFault>

const insteadKinds: ReadonlySet<string> = new Set([
  'status',
  'html',
  'reset-before',
  'close-before',
  'silence',
  'redirect',
  'expired',
])

/** True for faults that stand in place of the handling. */
export function standsInstead(fault: Fault): fault is InsteadFault {
  return insteadKinds.has(fault.kind)
}

/** What the client gets from a fault that stands in place of an answer; returns the status, 0 for none. */
export function deliverInstead(exchange: Exchange, fault: InsteadFault): number {
  const answer = insteadAnswer(fault, exchange)
  if (answer) deliver(exchange, answer)
  else if (fault.kind === 'reset-before') reset(exchange)
  else if (fault.kind === 'close-before') close(exchange)
  return answer?.status ?? 0
}

function insteadAnswer(fault: InsteadFault, exchange: Exchange): Answer | undefined {
  switch (fault.kind) {
    case 'status': {
      const retry: Record<string, string> =
        fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }
      if (fault.body === undefined) return refusal(fault.status, `Practice fault ${fault.status}.`, retry)
      return {
        status: fault.status,
        headers: { 'content-type': 'text/plain', ...retry },
        body: Buffer.from(fault.body),
      }
    }
    case 'html':
      return signInPage
    case 'redirect': {
      const to = fault.to ?? `http://${exchange.request.headers.host ?? ''}/elsewhere`
      return { ...refusal(fault.status, 'Moved.'), headers: { location: to } }
    }
    case 'expired':
      return refusal(403, 'The link has expired.')
    case 'reset-before':
    case 'close-before':
    case 'silence':
      return undefined
  }
}

const signInPage = page(
  200,
  'Sign in to the network',
  '<form><input name="room"><button>Connect</button></form>',
)

const half = 0.5
const wireFaults: Readonly<Partial<Record<Fault['kind'], Spoiling>>> = {
  'reset-mid-body': { framing: 'length', share: half, end: 'reset' },
  'truncate-chunked': { framing: 'chunked', share: half, end: 'close' },
  'truncate-length': { framing: 'length', share: half, end: 'close' },
  'truncate-unframed': { framing: 'unframed', share: half, end: 'close' },
  'stall-body': { framing: 'length', share: half, end: 'stall' },
  'short-length': { framing: 'short-length', share: 1, end: 'close' },
}

/** Sends the answer to a handled request as the fault has it; returns the status that went out, 0 for none. */
export async function deliverFaulty(
  exchange: Exchange,
  answer: Answer,
  fault: SpoilingFault,
): Promise<number> {
  const spoiling = wireFaults[fault.kind]
  if (spoiling) {
    await deliverSpoiled(exchange, answer, spoiling)
    return answer.status
  }
  if (fault.kind === 'drip') {
    const { pieces, pauseMs } = fault
    await deliverSpoiled(exchange, answer, {
      framing: 'length',
      share: 1,
      end: 'close',
      drip: { pieces, pauseMs },
    })
    return answer.status
  }
  if (fault.kind === 'reset-after') reset(exchange)
  else if (fault.kind === 'close-after') close(exchange)
  else {
    deliver(exchange, changedAnswer(answer, fault))
    return answer.status
  }
  return 0
}

function changedAnswer(answer: Answer, fault: SpoilingFault): Answer {
  switch (fault.kind) {
    case 'broken-json':
      return { ...answer, body: Buffer.from(`${answer.body.toString().slice(0, -1)},,`) }
    case 'other-json':
      return { ...answer, body: Buffer.from('{"ok":true,"result":[1,"two",null]}') }
    case 'empty':
      return { ...answer, body: Buffer.alloc(0) }
    case 'swapped-bytes':
      return { ...answer, body: swapped(answer.body) }
    case 'html-as-file':
      return { ...answer, body: signInPage.body }
    case 'change': {
      const changed = fault.change(JSON.parse(answer.body.toString()))
      return { ...answer, body: Buffer.from(JSON.stringify(changed) ?? '') }
    }
    default:
      return answer
  }
}

/** Exchanges neighbouring bytes in the second half. */
function swapped(data: Buffer): Buffer {
  const copy = Buffer.from(data)
  for (let at = copy.length >>> 1; at + 1 < copy.length; at += 2) {
    const first = copy[at]!
    copy[at] = copy[at + 1]!
    copy[at + 1] = first
  }
  return copy
}
