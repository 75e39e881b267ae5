import { spoken, t } from '../../shared/language/text.ts'

/** What a number may be and in which steps it moves; in the unit that is shown. */
export interface NumberRange {
  readonly min: number
  readonly max: number
  /** One press of an arrow; a tenth with Alt, ten with Shift. Finer values may be typed. */
  readonly step: number
  /** Digits after the point that are always shown; typed ones beyond it are shown as well. */
  readonly decimals: number
}

/** Digits that are kept: a tenth of the finest step, and no dust of binary fractions. */
const keptDigits = 4

/** Takes away what binary fractions add: 0.1 + 0.2 is 0.3. */
export function tidy(value: number): number {
  // Adding 0 turns -0 into 0.
  return Number(value.toFixed(keptDigits)) + 0
}

export function clamp(value: number, { min, max }: Pick<NumberRange, 'min' | 'max'>): number {
  return Math.min(max, Math.max(min, value))
}

/**
 * The number that a person typed, undefined where it is none: point or comma as decimal mark, a unit after it ("15 %"),
 * a typographic minus.
 */
export function parseNumber(text: string): number | undefined {
  const plain = text.trim().replace(/\s*%$/, '').replace('−', '-').replace(',', '.')
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(plain)) return undefined
  const value = Number(plain)
  return Number.isFinite(value) ? tidy(value) : undefined
}

/** "1.20" for 1.2 with two decimals, "1,20" in German; a finer value keeps its digits ("0.005"). */
export function formatNumber(value: number, decimals: number): string {
  const fixed = value.toFixed(decimals)
  const shown = Number(fixed) === tidy(value) ? fixed : String(tidy(value))
  return spoken() === 'de' ? shown.replace('.', ',') : shown
}

/**
 * Where an arrow key moves a value: one step, ten with Shift, a tenth with Alt. The result lies in the range, and on
 * the grid of the step that is taken, so that arrows lead back from a typed value to round ones.
 */
export function stepped(
  value: number,
  direction: 1 | -1,
  range: NumberRange,
  keys: { readonly shiftKey: boolean; readonly altKey: boolean } = { shiftKey: false, altKey: false },
): number {
  const size = range.step * (keys.shiftKey ? 10 : keys.altKey ? 0.1 : 1)
  const grid = keys.altKey ? range.step / 10 : range.step
  return clamp(tidy(Math.round((value + direction * size) / grid) * grid), range)
}

export type Entry =
  | { readonly kind: 'empty' }
  | { readonly kind: 'wrong'; readonly word: string }
  /** `word` says that the typed value was moved into the range. */
  | { readonly kind: 'value'; readonly value: number; readonly word?: string }

/** Judges what was typed: nothing, no number, or a value in the range, with a word where it had to be moved there. */
export function judgeEntry(text: string, range: NumberRange, unit = ''): Entry {
  if (text.trim() === '') return { kind: 'empty' }
  const typed = parseNumber(text)
  if (typed === undefined) {
    return {
      kind: 'wrong',
      word: t`Type a number from ${formatNumber(range.min, 0)} to ${formatNumber(range.max, 0)}${unit}.`,
    }
  }
  const value = clamp(typed, range)
  if (value === typed) return { kind: 'value', value }
  const shown = `${formatNumber(value, 0)}${unit}`
  const word =
    typed > range.max
      ? t`Set to ${shown}, the most that is allowed.`
      : t`Set to ${shown}, the least that is allowed.`
  return { kind: 'value', value, word }
}
