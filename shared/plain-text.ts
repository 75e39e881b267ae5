/**
 * Text of strangers (error messages of the service, titles, file names) made fit for a terminal, a log and a table:
 * no control characters, no terminal sequences, no marks that turn the reading direction, one line, bounded.
 */

/** Longest error text that is kept, in characters. */
export const longestSentence = 300

// Terminal sequences (CSI, OSC, two-character escapes) go first: without their ESC the rest would stay as litter.
const [escape, bell, csi, terminator] = [0x1b, 0x07, 0x9b, 0x9c].map((code) => String.fromCodePoint(code))
const strings = new RegExp(
  `${escape}[\\]PX^_][\\s\\S]{0,2048}?(?:${bell}|${escape}\\\\|${terminator}|$)`,
  'g',
)
const sequences = new RegExp(`[${escape}${csi}]\\[?[0-9;:?<=>]*[ -/]*[@-~]`, 'g')
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\ufeff]/gu

/** Ends a cut text; counted in the bound. */
const ellipsis = '…'

/** Strips and bounds a text; `most` counts code points. */
export function plainText(text: string, most = longestSentence): string {
  // Bounded before the patterns see it, so that a huge answer costs nothing.
  const start = text.length > most * 16 + 4096 ? text.slice(0, most * 16 + 4096) : text
  const plain = start
    .replace(strings, ' ')
    .replace(sequences, ' ')
    .replace(/[\t\n\r\u2028\u2029]/g, ' ')
    .replace(invisible, '')
    .replace(/\s+/g, ' ')
    .trim()
  const points = Array.from(plain)
  return points.length <= most
    ? plain
    : `${points
        .slice(0, most - 1)
        .join('')
        .trimEnd()}${ellipsis}`
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** The words of an HTML page: its title, else its text. */
function wordsOfPage(html: string): string {
  const page = html.slice(0, 64 * 1024)
  const title = /<title[^>]*>([^<]{1,2000})/i.exec(page)?.[1]
  const text =
    title ??
    page.replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ').replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
  return text
    .replace(/<[^>]*>?/g, ' ')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => entities[name] ?? ' ')
}

/** True for a body that is a web page rather than an answer of an API. */
export function looksLikePage(body: string): boolean {
  return /^[\s\ufeff]*(<!doctype html|<html|<head|<body|<!--|<\?xml|<center|<title|<script|<h1)/i.test(
    body.slice(0, 512),
  )
}

const sentenceKeys = [
  'error',
  'message',
  'detail',
  'error_description',
  'errors',
  'reason',
  'title',
  'description',
  'msg',
]

/**
 * The sentence in an error of unknown shape (7: "not shown"): a string, or the first text under `error`, `message`,
 * `detail`, `errors` and the like, some levels deep. Undefined where there is none.
 */
export function sentenceIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') {
    const page = looksLikePage(value) || /<[a-z!/][^>]*>/i.test(value.slice(0, 4096))
    return plainText(page ? wordsOfPage(value) : value) || undefined
  }
  if (typeof value !== 'object' || value === null || depth > 4) return undefined
  if (Array.isArray(value)) {
    const found = value.slice(0, 3).flatMap((entry: unknown) => sentenceIn(entry, depth + 1) ?? [])
    return found.length > 0 ? plainText(found.join('; ')) : undefined
  }
  const fields = value as Readonly<Record<string, unknown>>
  for (const key of sentenceKeys) {
    const found = Object.hasOwn(fields, key) ? sentenceIn(fields[key], depth + 1) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** The sentence in the body of an HTTP error: JSON of any shape, a web page, or bare text. */
export function errorSentence(body: string): string | undefined {
  const trimmed = body.trim()
  if (trimmed === '') return undefined
  try {
    const json: unknown = JSON.parse(trimmed)
    if (typeof json === 'object' || typeof json === 'string') return sentenceIn(json)
  } catch {
    // Not JSON: then the text itself is what there is.
  }
  return sentenceIn(trimmed)
}
