import ipaddr from 'ipaddr.js'
import { say } from '../../shared/language/say.ts'

/** A checked service address: scheme, host, path up to and including the version; never ends in a slash. */
export interface BaseUrl {
  /** For storing, comparing and showing; holds no secret. */
  readonly href: string
  readonly origin: string
  /** True for localhost and loopback addresses: plain http and http links are allowed there. */
  readonly loopback: boolean
}

export type CheckedBaseUrl =
  | { readonly ok: true; readonly base: BaseUrl }
  | { readonly ok: false; readonly problem: string }

/** True for `localhost`, names under it, 127.0.0.0/8 and ::1, as they stand in a URL's host. */
export function isLoopbackHost(host: string): boolean {
  const bare = host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback'
}

/**
 * Checks a service address as a person typed it (up to and including `/api/v1`). Plain http is for loopback only: the
 * key would travel in clear.
 */
export function checkBaseUrl(text: string): CheckedBaseUrl {
  const typed = text.trim()
  let url: URL
  try {
    url = new URL(typed)
  } catch {
    return no(say`The service address is not a web address; it looks like https://service.example/api/v1.`)
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return no(say`The service address must begin with https://.`)
  }
  if (url.username !== '' || url.password !== '') {
    return no(say`The service address must not hold a name or password; the key is given by itself.`)
  }
  if (/[?#]/.test(typed)) return no(say`The service address must not have a part after ? or #.`)
  const loopback = isLoopbackHost(url.hostname)
  if (url.protocol === 'http:' && !loopback) {
    return no(say`The address http://${url.host} would send the key in clear; use https://${url.host}.`)
  }
  const path = url.pathname.replace(/\/+$/, '')
  return { ok: true, base: { href: url.origin + path, origin: url.origin, loopback } }
}

function no(problem: string): CheckedBaseUrl {
  return { ok: false, problem }
}
