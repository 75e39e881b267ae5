import { lookup as lookupName } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import ipaddr from 'ipaddr.js'
import { isLoopbackHost } from './base-url.ts'
import { say } from '../../shared/language/say.ts'

/**
 * How near a place is to this machine, from the open net to the machine itself. A link may never lead nearer than the
 * connection's own address (docs/reliability.md, T16). `forbidden`: no file is fetched from there by anyone (link-local with
 * its metadata hosts, unspecified, multicast, reserved).
 */
export type Place = 'public' | 'private' | 'loopback' | 'forbidden'

const nearness: Readonly<Record<Exclude<Place, 'forbidden'>, number>> = { public: 0, private: 1, loopback: 2 }

const placeByRange: Readonly<Record<string, Place>> = {
  unicast: 'public',
  private: 'private',
  uniqueLocal: 'private',
  carrierGradeNat: 'private',
  loopback: 'loopback',
}

/** Cloud metadata services that lie in a private range. */
const metadata = new Set(['fd00:ec2::254', '100.100.100.200'])

/** The place of an IP address; an IPv4 address inside an IPv6 one counts as what it is. */
export function placeOf(address: string): Place {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return 'forbidden'
  const ip = ipaddr.process(bare)
  if (metadata.has(ip.toString())) return 'forbidden'
  if (ip instanceof ipaddr.IPv6) {
    const inner = embedded(ip)
    if (inner) return placeOf(inner)
  }
  return placeByRange[ip.range()] ?? 'forbidden'
}

/** The IPv4 address within NAT64 (64:ff9b::/96) and IPv4-compatible (::/96) addresses; other tunnels are no place. */
function embedded(ip: ipaddr.IPv6): string | undefined {
  const bytes = ip.toByteArray()
  const range = ip.range()
  if (range === 'rfc6052') return bytes.slice(12).join('.')
  const compatible = bytes.slice(0, 12).every((byte) => byte === 0) && range !== 'loopback'
  return compatible && range !== 'unspecified' ? bytes.slice(12).join('.') : undefined
}

/** Finds all addresses of a name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

export const systemResolve: Resolve = (host) => lookupName(host, { all: true, verbatim: true })

/** Judges links for one connection. */
export interface LinkGuard {
  /**
   * Whether a link's text may be tried at all: https, or http where the connection is at home, and no name or
   * password in it. Undefined: yes; else why not, in a sentence that names no more than the host.
   */
  refusal(link: URL): string | undefined
  /** Whether a link of this protocol (`https:`, `http:`) may be fetched from this IP address. */
  mayConnect(protocol: string, address: string): boolean
}

/**
 * The guard for a connection's base address. Only a loopback address or `localhost` counts as loopback; another name
 * counts as private when every one of its addresses is, and as public otherwise.
 */
export async function createLinkGuard(baseUrl: string, resolve: Resolve = systemResolve): Promise<LinkGuard> {
  const home = await homeOf(new URL(baseUrl).hostname, resolve)
  const mayConnect = (protocol: string, address: string) => {
    const place = placeOf(address)
    if (place === 'forbidden' || nearness[place] > nearness[home]) return false
    return protocol === 'https:' || place !== 'public'
  }
  return {
    mayConnect,
    refusal(link) {
      const host = link.hostname.replace(/^\[|\]$/g, '')
      if (link.protocol !== 'https:' && !(link.protocol === 'http:' && home !== 'public')) {
        return say`The link to ${link.host || 'nowhere'} is not https, so it was not fetched.`
      }
      if (link.username !== '' || link.password !== '') {
        return say`The link to ${link.host} holds a name or password, so it was not fetched.`
      }
      const literal = ipaddr.isValid(host) || isLoopbackHost(host)
      const address = ipaddr.isValid(host) ? host : '127.0.0.1'
      if (literal && !mayConnect(link.protocol, address)) {
        return say`The link leads to ${link.host}, which no result of this service may come from; it was not fetched.`
      }
      return undefined
    },
  }
}

async function homeOf(hostname: string, resolve: Resolve): Promise<Exclude<Place, 'forbidden'>> {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isLoopbackHost(host)) return 'loopback'
  const addresses = ipaddr.isValid(host)
    ? [host]
    : await resolve(host).then(
        (found) => found.map((entry) => entry.address),
        () => [],
      )
  const atHome = addresses.length > 0 && addresses.every((address) => placeOf(address) === 'private')
  return atHome ? 'private' : 'public'
}
