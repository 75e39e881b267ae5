import { hasPictureExtension } from './file-kinds.ts'
import type { Repair } from './found.ts'
import { say } from '../../shared/language/say.ts'

/** The longest address that is taken, in characters. */
export const MAX_ADDRESS = 8192

/** An address that can be sent, or the reason why not. */
export type AddressCheck =
  | { readonly ok: true; readonly url: string }
  | {
      readonly ok: false
      readonly reason: string
      readonly repair?: Repair
      /** False for plain prose: nobody meant it as an address or a path. */
      readonly attempt: boolean
    }

const web = /^https?:\/\//i
const wrappers: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['<', '>'],
  ['“', '”'],
  ['„', '“'],
  ['‘', '’'],
  ['«', '»'],
  ['`', '`'],
]

/** Takes a pair of quotes or angle brackets and the commas of a list off an address. */
export function unwrapAddress(text: string): string {
  let bare = trimSpace(text)
  for (let round = 0; round < 4; round++) {
    const before = bare
    bare = trimSpace(withoutTrailing(bare, ',;'))
    for (const [open, close] of wrappers) {
      if (bare.length > 1 && bare.startsWith(open) && bare.endsWith(close)) {
        bare = trimSpace(bare.slice(open.length, -close.length))
      }
    }
    if (bare === before) break
  }
  return bare
}

/** White space and the invisible marks that copying from a page leaves. */
const space = /[\s\u200b-\u200f\u2060\ufeff]/u

// The functions here look at each character once: a pattern that ends in $ would try every run of a long line anew.

/** Like `trim`, and also takes invisible marks off the ends. */
export function trimSpace(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && space.test(text[from]!)) from++
  while (to > from && space.test(text[to - 1]!)) to--
  return text.slice(from, to)
}

function withoutTrailing(text: string, marks: string): string {
  let to = text.length
  while (to > 0 && marks.includes(text[to - 1]!)) to--
  return text.slice(0, to)
}

/**
 * Judges one address. A good one comes back exactly as given apart from outer white space: nothing is
 * encoded or normalised, because the service shall read what the person meant.
 */
export function checkAddress(raw: string): AddressCheck {
  const text = trimSpace(raw)
  if (text === '') return refuse(say`There is no address here.`, undefined, false)
  return web.test(text) ? checkWebAddress(text) : refuseOther(text)
}

function checkWebAddress(url: string): AddressCheck {
  if (url.length > MAX_ADDRESS) {
    return refuse(say`The address is longer than ${MAX_ADDRESS.toLocaleString('en')} characters.`)
  }
  if (/[ \u00a0]/.test(url) && !hasControl(url.replace(/\u00a0/g, ' '))) {
    return refuse(say`The address has a space in it; a space is written %20.`, spaceRepair(url))
  }
  if (/\s/u.test(url) || hasControl(url))
    return refuse(say`The address has an invisible control character in it.`)
  if (/\p{Surrogate}/u.test(url) || url.includes('\ufffd')) {
    return refuse(say`The address has a damaged character in it; copy it again from where it came from.`)
  }
  if (/^https?:\/\/(?:[/?#\\]|$)/i.test(url) || !URL.canParse(url)) {
    return refuse(say`The address names no server that could exist.`)
  }
  return { ok: true, url }
}

function hasControl(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u.test(text)
}

function spaceRepair(url: string): Repair | undefined {
  const fixed = url.replace(/[ \u00a0]/g, '%20')
  // Two addresses run together, or words after one, are not one address with spaces in it.
  if (/%20(?:https?:|www\.)/i.test(fixed) || !hasPictureExtension(fixed)) return undefined
  return useInstead(say`Use %20`, fixed)
}

/** A repair is only offered when it leads to an address that would be taken. */
function useInstead(label: string, url: string): Repair | undefined {
  return checkAddress(url).ok ? { label, url } : undefined
}

function refuse(reason: string, repair?: Repair, attempt = true): AddressCheck {
  return repair ? { ok: false, reason, repair, attempt } : { ok: false, reason, attempt }
}

const localReason = say`This is a file on a computer; the service reads pictures from the web only, so an address that begins with https:// is needed.`

function refuseOther(text: string): AddressCheck {
  if (text.length > MAX_ADDRESS) return refuse(say`This is far too long for an address.`, undefined, false)
  if (/^(?:[a-z]:[\\/]|\\\\|~[\\/]|\.{1,2}[\\/]|file:)/i.test(text) || isUnixPath(text))
    return refuse(localReason)
  if (/^data:/i.test(text))
    return refuse(say`This is a picture written out as text; the service needs a web address.`)
  if (/^blob:/i.test(text))
    return refuse(say`A blob: address is known to one browser page only; the service needs a web address.`)
  const slip = /^(?:https?(?::\/?|\/\/|;\/\/)|h?t?tps?:\/\/|hhttps?:\/\/|:?\/\/)(?=[^/\s])(.+)$/i.exec(text)
  if (slip?.[1]) {
    return refuse(
      say`The address does not begin with https:// or http://.`,
      useInstead(say`Use https`, `https://${slip[1]}`),
    )
  }
  const scheme = /^([a-z][a-z0-9+.-]{1,20}):(?!\d)\S/i.exec(text)
  if (scheme?.[1] && !/\s/.test(text)) {
    return refuse(
      say`The service reads https:// and http:// addresses, not ${scheme[1].toLowerCase()}: ones.`,
    )
  }
  if (/^(?:www\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}(?::\d{1,5})?\/\S*$/i.test(text)) {
    return refuse(
      say`The address does not begin with https:// or http://.`,
      useInstead(say`Use https`, `https://${text}`),
    )
  }
  if (/^www\./i.test(text)) return refuse(say`The address does not begin with https:// or http://.`)
  const inside = /https?:\/\/[^\s<>"']+/gi
  const embedded = text.match(inside)
  if (embedded?.length === 1 && embedded[0]) {
    return refuse(
      say`There are other words before the address; a line holds the address alone.`,
      useInstead(say`Use the address in it`, embedded[0].replace(/[.,;:!?)\]}]+$/, '')),
    )
  }
  if (embedded)
    return refuse(say`There are several addresses among other words; a line holds one address alone.`)
  if (hasPictureExtension(text)) return refuse(say`This is a file name without an address. ${localReason}`)
  return refuse(say`This is not an image address; one begins with https:// or http://.`, undefined, false)
}

function isUnixPath(text: string): boolean {
  return text.startsWith('/') && !text.startsWith('//')
}

/**
 * Several addresses in one cell or line, as shop exports write them ("https://a/1.jpg, https://a/2.jpg"). A comma
 * alone parts them only before another address, because addresses may hold commas.
 */
export function splitAddresses(text: string): string[] {
  const starts = [...text.matchAll(/https?:\/\//gi)]
    .map((match) => match.index)
    .filter((index) => index === 0 || isSeparator(text[index - 1]!))
  if (starts.length < 2 || trimSpace(text.slice(0, starts[0])) !== '') return [text]
  return starts.map((start, index) => {
    let end = starts[index + 1] ?? text.length
    while (index + 1 < starts.length && isSeparator(text[end - 1]!)) end--
    return text.slice(start, end)
  })
}

function isSeparator(char: string): boolean {
  return ',;|'.includes(char) || /\s/.test(char)
}

/** Whether someone seems to have meant this as a web address. */
export function looksLikeAddress(text: string): boolean {
  return /^[\s"'<]*(?:https?:\/\/|www\.|\/\/[a-z0-9])/i.test(text)
}
