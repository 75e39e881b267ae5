import { plainText } from '../shared/plain-text.ts'

const longestLine = 400
const mostLines = 200
/** More is never looked at. */
const longest = 100_000

/** Release notes as a feed gives them: a text, or one for each version since this one. */
export type GivenNotes =
  | string
  | readonly { readonly version?: string; readonly note?: string | null }[]
  | null
  | undefined

/**
 * Notes as plain lines. A feed may bring Markdown, HTML or anything else: tags and controls go, the rest is only ever
 * shown as text.
 */
export function notesText(notes: GivenNotes): string {
  const text =
    typeof notes === 'string'
      ? notes
      : (notes ?? []).map(({ version = '', note }) => `${version}\n${note ?? ''}`).join('\n\n')
  return text
    .slice(0, longest)
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
    .replace(/<(?:br|\/p|\/li|\/h[1-6]|\/div|\/ul|\/ol)\b[^>]*>/gi, '\n')
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .slice(0, mostLines)
    .map((line) => plainText(line, longestLine))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
