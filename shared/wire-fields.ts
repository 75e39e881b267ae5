import { z } from 'zod'
import { sentenceIn } from './plain-text.ts'

/** The kinds of fields in the service's answers, read with forbearance: what is of no use counts as absent. */

const absent = (value: unknown) => (value === null || value === '' ? undefined : value)
/** Text; a number is borne as text, anything else that is not text counts as absent. */
export const lenientText = z.preprocess(
  (value) =>
    typeof value === 'number' ? String(value) : typeof value === 'string' ? absent(value) : undefined,
  z.string().optional(),
)
/** Error texts may also come as objects. */
export const lenientSentence = z.preprocess((value) => sentenceIn(value), z.string().optional())
/** An id or an address; a whole number is borne as text. */
export const requiredText = z.preprocess(
  (value) => (Number.isSafeInteger(value) ? String(value) : value),
  z.string().min(1),
)
const decimal = /^\s*[+-]?\d{1,15}(\.\d+)?\s*$/
function asNumber(value: unknown): unknown {
  return typeof value === 'string' && decimal.test(value) ? Number(value) : value
}
function numberOrAbsent(value: unknown): unknown {
  const read = asNumber(value)
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined
}
/** A finite number, or one as decimal text. */
export const lenientNumber = z.preprocess(numberOrAbsent, z.number().optional())
/** Counts: a negative or broken one tells nothing. */
export const lenientCount = z.preprocess((value) => {
  const read = numberOrAbsent(value)
  return typeof read === 'number' && Number.isSafeInteger(read) && read >= 0 ? read : undefined
}, z.number().optional())
/** As lenientNumber, but it has to be there. */
export const requiredNumber = z.preprocess(asNumber, z.number())
/** True or false, also as text or 1 and 0. */
export const lenientBoolean = z.preprocess((value) => {
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === 1) return true
  return value === 'false' || value === 0 ? false : undefined
}, z.boolean().optional())
/** A time as text; epoch numbers are borne. */
export const lenientTime = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : typeof value === 'string' ? value : undefined),
  z.string().optional(),
)

/**
 * Milliseconds since the epoch of an ISO 8601 time; NaN where it is none. A time without a zone is taken as UTC, so
 * that the same answer means the same everywhere. Bare numbers are epoch seconds or milliseconds by their size.
 */
export function timeOf(text: string | undefined): number {
  const plain = (text ?? '').trim()
  if (decimal.test(plain)) {
    const epoch = Number(plain)
    return epoch >= 1e11 ? epoch : epoch >= 1e8 ? epoch * 1000 : Number.NaN
  }
  if (!/^\d{4}-\d\d-\d\d/.test(plain)) return Number.NaN
  const zoned = /(z|[+-]\d\d:?\d\d)$/i.test(plain) || plain.length <= 10
  return Date.parse(zoned ? plain : `${plain}Z`)
}
