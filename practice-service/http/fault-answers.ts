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
const whole = { framing: 'length', share: 1, end: 'close' } as const
const wireFaults = {
  'reset-mid-body': { framing: 'length', share: half, end: 'reset' },
  'truncate-chunked': { framing: 'chunked', share: half, end: 'close' },
  'truncate-length': { framing: 'length', share: half, end: 'close' },
  'truncate-unframed': { framing: 'unframed', share: half, end: 'close' },
  'stall-body': { framing: 'length', share: half, end: 'stall' },
  'short-length': { framing: 'short-length', share: 1, end: 'close' },
} as const satisfies Record<string, Spoiling>

/** Sends the answer to a handled request as the fault has it; returns the status that went out, 0 for none. */
export async function deliverFaulty(
  exchange: Exchange,
  answer: Answer,
  fault: SpoilingFault,
): Promise<number> {
  switch (fault.kind) {
    case 'reset-after':
      reset(exchange)
      return 0
    case 'close-after':
      close(exchange)
      return 0
    case 'reset-mid-body':
    case 'truncate-chunked':
    case 'truncate-length':
    case 'truncate-unframed':
    case 'stall-body':
    case 'short-length':
      await deliverSpoiled(exchange, answer, wireFaults[fault.kind])
      return answer.status
    case 'drip': {
      const { pieces, pauseMs } = fault
      await deliverSpoiled(exchange, answer, { ...whole, drip: { pieces, pauseMs } })
      return answer.status
    }
    case 'slow':
      deliver(exchange, answer)
      return answer.status
    case 'broken-json':
    case 'other-json':
    case 'edit':
    case 'empty':
    case 'swapped-bytes':
    case 'html-as-file':
    case 'change':
      deliver(exchange, { ...answer, body: changedBody(answer.body, fault) })
      return answer.status
  }
}

type BodyFault = Extract<
  Fault,
  { kind: 'broken-json' | 'other-json' | 'edit' | 'empty' | 'swapped-bytes' | 'html-as-file' | 'change' }
>

function changedBody(body: Buffer, fault: BodyFault): Buffer {
  switch (fault.kind) {
    case 'broken-json':
      return Buffer.from(`${body.toString().slice(0, -1)},,`)
    case 'other-json':
      return Buffer.from('{"ok":true,"result":[1,"two",null]}')
    case 'edit': {
      const fields = Object.entries({ ...JSON.parse(body.toString()), ...fault.set })
      const kept = fields.filter(([name]) => !fault.remove?.includes(name))
      return Buffer.from(JSON.stringify(Object.fromEntries(kept)))
    }
    case 'empty':
      return Buffer.alloc(0)
    case 'swapped-bytes':
      return swapped(body)
    case 'html-as-file':
      return signInPage.body
    case 'change':
      return Buffer.from(JSON.stringify(fault.change(JSON.parse(body.toString()))) ?? '')
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
