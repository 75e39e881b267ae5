import type { CallOptions } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { said } from '../../shared/language/said.ts'
import { spoken } from '../../shared/language/text.ts'

/** Fields of answers in which the engine speaks to a person; all others hold names, paths and what is the service's. */
const sentences = new Set([
  'advice',
  'detail',
  'heading',
  'label',
  'localPicturesSentence',
  'message',
  'notes',
  'pickRefusal',
  'problems',
  'reason',
  'sentence',
  'short',
  'trouble',
  'why',
  'words',
])

type Ask = (input: unknown, options?: CallOptions) => unknown

/** A question whose answers come in the language that is spoken; the same one where that is the engine's own. */
export function heard(ask: Ask): Ask {
  if (spoken() === 'en') return ask
  return (input, options) => {
    const answer = ask(input, options)
    if (answer instanceof Promise) return answer.then(inWords, (error) => Promise.reject(faultInWords(error)))
    return isStream(answer) ? each(answer) : answer
  }
}

const isStream = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer

async function* each(items: AsyncIterable<unknown>): AsyncGenerator {
  try {
    for await (const item of items) yield inWords(item)
  } catch (error) {
    throw faultInWords(error)
  }
}

function faultInWords(error: unknown): unknown {
  return error instanceof Fault ? new Fault(error.code, said(error.message)) : error
}

function inWords(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(inWords)
  // Bytes and maps stay what they are.
  if (typeof answer !== 'object' || answer === null || Object.getPrototypeOf(answer) !== Object.prototype)
    return answer
  return Object.fromEntries(
    Object.entries(answer).map(([field, value]) => [
      field,
      sentences.has(field) ? sentence(value) : inWords(value),
    ]),
  )
}

function sentence(value: unknown): unknown {
  if (typeof value === 'string') return said(value)
  return Array.isArray(value) ? value.map(sentence) : inWords(value)
}
