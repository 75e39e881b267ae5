import { plainText } from '../../shared/plain-text.ts'

/** The measures of a font that is set to a size. */
export interface Measures {
  /** Whether the font has a glyph of its own for this code point. */
  readonly has: (codePoint: number) => boolean
  /** Width of a text in points. */
  readonly width: (text: string) => number
}

/** Stands for what the font cannot draw. */
const box = '\u25a1'
const ellipsis = '…'
/** More is never drawn, and measuring it would cost time. */
const longest = 2000

const letters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Text of strangers as the font can draw it: one line without controls, a box for each letter that it has not. */
export function drawable(text: string, { has }: Pick<Measures, 'has'>): string {
  return Array.from(letters.segment(plainText(text, longest)), ({ segment }) =>
    Array.from(segment).every((one) => has(one.codePointAt(0)!)) ? segment : box,
  ).join('')
}

/**
 * At most so many lines within a width, broken between words where that can be; the last one is cut with an ellipsis.
 * @param width in points
 */
export function linesOf(text: string, width: number, most: number, measures: Measures): string[] {
  const lines: string[] = []
  let rest = drawable(text, measures)
  while (rest !== '' && lines.length < most) {
    if (measures.width(rest) <= width) return [...lines, rest]
    if (lines.length === most - 1) return [...lines, cutTo(rest, width, measures)]
    const whole = startOf(rest, width, measures)
    const space = whole.lastIndexOf(' ')
    const line = space > 0 ? whole.slice(0, space) : whole
    lines.push(line)
    rest = rest.slice(line.length).trimStart()
  }
  return lines
}

function cutTo(text: string, width: number, measures: Measures): string {
  const room = width - measures.width(ellipsis)
  return `${startOf(text, room, measures).trimEnd()}${ellipsis}`
}

/** The longest start that fits, at least one letter. */
function startOf(text: string, width: number, measures: Measures): string {
  const parts = Array.from(letters.segment(text), ({ segment }) => segment)
  let [low, high] = [1, parts.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (measures.width(parts.slice(0, middle).join('')) <= width) low = middle
    else high = middle - 1
  }
  return parts.slice(0, low).join('')
}
