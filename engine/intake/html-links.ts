import { hasPictureExtension } from './file-kinds.ts'

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

/** Text of XML or HTML with its entities resolved. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : whole
  })
}

/** Whether text is HTML, as a browser hands it over with a drag or a copy. */
export function isHtml(text: string): boolean {
  return /^\s*(?:<!--[^]{0,200}?-->\s*)*<(?:!doctype html|html|head|body|meta|a|img|p|div|span|ul|ol|li|table|picture|figure)[\s>/]/i.test(
    text,
  )
}

/**
 * The addresses in HTML in order: of pictures, and of links that lead to pictures; where there is neither, of all
 * links. Relative ones are left out: where they would lead is not known.
 */
export function htmlAddresses(html: string): string[] {
  // Bounded, so that quotes that are never closed do not make every tag search to the end.
  const tags = /<(img|a)\s((?:"[^"]{0,9000}"|'[^']{0,9000}'|[^'"<>]){0,9000})>/gi
  const pictures: string[] = []
  const links: string[] = []
  for (const [, tag, attributes] of html.matchAll(tags)) {
    const wanted = tag?.toLowerCase() === 'img' ? 'src' : 'href'
    const value = attributeOf(attributes ?? '', wanted)
    if (value === undefined || !/^https?:\/\//i.test(value)) continue
    if (wanted === 'src' || hasPictureExtension(value)) pictures.push(value)
    links.push(value)
  }
  return [...new Set(pictures.length > 0 ? pictures : links)]
}

function attributeOf(attributes: string, name: string): string | undefined {
  for (const match of attributes.matchAll(
    /([^\s=/]{1,40})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g,
  )) {
    if (match[1]?.toLowerCase() === name) return decodeEntities(match[2] ?? match[3] ?? match[4] ?? '').trim()
  }
  return undefined
}
