/**
 * Names of strangers made safe for every file system at once (docs/reliability.md, T14, T15): the same name comes out on Linux,
 * macOS and Windows, so that an output folder can move between them.
 */

import type { Image } from '../store/rows.ts'

/** Bytes that a name may take: 255 less room for " (99999)". */
export const longestName = 244

const separators = /[/\\:*?"<>|]/g
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu
const reserved = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9¹²³])[ ]*(\.|$)/i
/** What the program itself writes into an output folder. */
const ours = /^manifest\.jsonl$/i

/**
 * One part of a path: no separators, control or direction marks, no name that Windows reserves, no dot or blank at
 * an end, composed Unicode (NFC), at most 244 bytes. Never empty; the same again when applied to its own result.
 * @param keep bytes at the end that are not cut when the name is too long (its extension)
 */
export function safeName(text: string, keep = 0): string {
  const plain = text
    .replace(/\s/g, ' ')
    .replace(invisible, '')
    .replace(separators, '_')
    .normalize('NFC')
    .replace(separators, '_')
  // Shortened first: what is left of a long name may be a reserved one.
  const short = shorten(trimEnds(plain), keep) || '_'
  return reserved.test(short) || ours.test(short) ? shorten(`_${short}`, keep) : short
}

/** A leading dot would hide the file; a trailing dot or blank is lost on Windows. */
function trimEnds(text: string): string {
  return text
    .replace(/^ +/, '')
    .replace(/^\.+/, '_')
    .replace(/[. ]+$/, '')
}

function shorten(name: string, keep: number): string {
  if (bytesOf(name) <= longestName) return name
  const tail = keep > 0 && keep < 40 ? name.slice(-keep) : ''
  const head = trimEnds(cut(name.slice(0, name.length - tail.length), longestName - bytesOf(tail)))
  return head + tail
}

/** The longest beginning of a text within so many UTF-8 bytes, not through a character with its marks if it can be. */
export function cut(text: string, bytes: number): string {
  const pieces = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  // One letter may carry hundreds of marks: then it is cut through.
  return beginning(pieces, bytes) || beginning(Array.from(text), bytes)
}

function beginning(pieces: readonly string[], bytes: number): string {
  let length = 0
  let kept = 0
  for (const piece of pieces) {
    length += bytesOf(piece)
    if (length > bytes) break
    kept += 1
  }
  return pieces.slice(0, kept).join('')
}

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Two names that any file system could take for one have the same folded form. */
export function foldName(relative: string): string {
  return relative.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC')
}

/** `a/b.jpg` → `a/b (2).jpg`. */
export function numberedName(relative: string, n: number): string {
  if (n < 2) return relative
  const start = relative.lastIndexOf('/') + 1
  const dot = relative.lastIndexOf('.')
  const stemEnd = dot > start ? dot : relative.length
  return `${relative.slice(0, stemEnd)} (${n})${relative.slice(stemEnd)}`
}

/**
 * The name that an image's outputs have in its batch's template: that of its list, else that in its address. What is
 * made of one picture has one number.
 */
export function nameOfImage(image: Pick<Image, 'name' | 'source' | 'picture' | 'position'>): string {
  return image.name ?? nameFromUrl(image.source, (image.picture ?? image.position) + 1)
}

const longestGuess = 120

/**
 * The name of a picture from the last part of its address, percent-decoded, without its extension. What is no UTF-8
 * stays as it is written. `image-<position>` where the address has no name.
 * @param position from 1
 */
export function nameFromUrl(address: string, position: number): string {
  const withoutQuery = address.replace(/[?#][\s\S]*$/, '')
  const path = withoutQuery.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/\\]*/i, '')
  const decoded = path.replace(/(?:%[0-9a-f]{2})+/gi, decodeOrKeep)
  const last = decoded.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? ''
  const stem = last.replace(/\.(?=[a-z0-9]*[a-z])[a-z0-9]{2,5}$/i, '')
  const name = safeName(cut(stem, longestGuess))
  return /^[_. ]*$/.test(name) ? `image-${position}` : name
}

function decodeOrKeep(escapes: string): string {
  try {
    return decodeURIComponent(escapes)
  } catch {
    return escapes
  }
}
