import type { LookupFunction } from 'node:net'
import { pipeline } from 'node:stream'
import { callbackify } from 'node:util'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Agent, buildConnector } from 'undici'
import type { Dispatcher } from 'undici'
import { trustSystemCertificates } from './connect.ts'
import type { DownloadAnswer, DownloadOptions, DownloadTransport } from './download-transport.ts'
import { createLinkGuard, systemResolve } from './link-guard.ts'
import type { LinkGuard, Resolve } from './link-guard.ts'
import { asFault, fault } from './transport-fault.ts'
import { TransportError } from './transport.ts'
import { say } from '../../shared/language/say.ts'

export interface DownloadParts {
  /** The connection's base address: it decides how near a link may lead. */
  readonly baseUrl: string
  readonly resolve?: Resolve
  /** Bounds in ms. */
  readonly connectMs?: number
  readonly idleMs?: number
  /** Connections to one host at a time. */
  readonly connections?: number
}

export interface Downloads extends DownloadTransport {
  close(): Promise<void>
}

const mostRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])

/** Fetches signed links over a client of its own: no key, no cookies, no redirect that was not checked. */
export function createDownloads(parts: DownloadParts): Downloads {
  const { resolve = systemResolve, connectMs = 15_000, idleMs = 10_000, connections = 16 } = parts
  let started: Promise<{ readonly guard: LinkGuard; readonly agent: Agent }> | undefined
  const start = async () => {
    const guard = await createLinkGuard(parts.baseUrl, resolve)
    const connect = guardedConnector(guard, resolve, connectMs)
    const agent = new Agent({
      connect,
      connections,
      allowH2: false,
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
    })
    return { guard, agent }
  }

  async function open(address: string, options: DownloadOptions): Promise<DownloadAnswer> {
    const { guard, agent } = await (started ??= start())
    let link = parseLink(address)
    for (let hops = 0; ; hops += 1) {
      const refusal = guard.refusal(link)
      if (refusal !== undefined) throw new TransportError('blocked', refusal, { sent: hops > 0 })
      const answer = await ask(agent, link, options)
      const location = redirects.has(answer.statusCode) ? headerOf(answer, 'location') : undefined
      if (location === undefined) return answerOf(answer, link.host)
      // The body of a redirect is of no use; without an end to it the connection would hang.
      answer.body.on('error', () => {}).destroy()
      if (hops === mostRedirects) throw fault('malformed', link.host, true)
      link = parseLink(location, link)
    }
  }

  return {
    open,
    async close() {
      const running = await started
      await running?.agent.destroy()
    },
  }
}

function parseLink(address: string, base?: URL): URL {
  try {
    const link = new URL(address, base)
    link.hash = ''
    return link
  } catch {
    throw new TransportError('blocked', say`The link to the result is not a web address.`, { sent: false })
  }
}

async function ask(agent: Agent, link: URL, options: DownloadOptions): Promise<Dispatcher.ResponseData> {
  const { signal, resume } = options
  const range = resume ? { range: `bytes=${resume.from}-`, 'if-range': resume.etag } : {}
  try {
    return await agent.request({
      origin: link.origin,
      path: link.pathname + link.search,
      method: 'GET',
      headers: { 'user-agent': 'Vitrine', accept: '*/*', 'accept-encoding': 'identity', ...range },
      signal: signal ?? null,
    })
  } catch (error) {
    if (signal?.aborted) throw fault('aborted', link.host, true)
    throw asFault(error, link.host, true)
  }
}

function headerOf(answer: Dispatcher.ResponseData, name: string): string | undefined {
  const value = answer.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function answerOf(answer: Dispatcher.ResponseData, host: string): DownloadAnswer {
  const { statusCode: status } = answer
  const names = Object.keys(answer.headers)
  const headers = new Map(names.map((name) => [name.toLowerCase(), headerOf(answer, name) ?? '']))
  const unpack = unpackers[(headers.get('content-encoding') ?? '').trim().toLowerCase()]
  if (status !== 200 || !unpack) {
    return { status, headers: Object.fromEntries(headers), body: bodyOf(answer.body, host) }
  }
  // These are about the packed bytes, of which none are kept.
  for (const name of ['content-encoding', 'content-length', 'etag']) headers.delete(name)
  return { status, headers: Object.fromEntries(headers), body: unpackedBodyOf(answer.body, host, unpack()) }
}

/** Storage sends a file as it was stored, packed too, whatever encoding was asked for. */
const unpackers: Readonly<Record<string, () => Unpacker>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}
type Unpacker = NodeJS.ReadWriteStream & AsyncIterable<unknown>

async function* unpackedBodyOf(
  body: Dispatcher.ResponseData['body'],
  host: string,
  unpacker: Unpacker,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of pipeline(bodyOf(body, host), unpacker, () => {})) yield chunk as Uint8Array
  } catch (error) {
    if (error instanceof TransportError) throw error
    throw fault(
      (error as { code?: unknown }).code === 'Z_BUF_ERROR' ? 'truncated' : 'malformed',
      host,
      true,
      error,
    )
  }
}

async function* bodyOf(body: Dispatcher.ResponseData['body'], host: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk as Uint8Array
  } catch (error) {
    const wrong = asFault(error, host, true)
    throw wrong.kind === 'reset' ? fault('truncated', host, true, error) : wrong
  }
}

/** Connects only to addresses that the guard allows: judged when the name is resolved, and again once connected. */
function guardedConnector(guard: LinkGuard, resolve: Resolve, timeout: number): buildConnector.connector {
  const connectorFor = (protocol: string) =>
    buildConnector({
      lookup: guardedLookup(guard, protocol, resolve),
      timeout,
      allowH2: false,
      // Asks the lookup for a list, and tries one address after the other.
      autoSelectFamily: true,
    })
  const connectors: Readonly<Record<string, buildConnector.connector>> = {
    'http:': connectorFor('http:'),
    'https:': connectorFor('https:'),
  }
  return (options, callback) => {
    if (options.protocol === 'https:') trustSystemCertificates()
    connectors[options.protocol]?.(options, (...[error, socket]) => {
      if (error) {
        callback(error, null)
      } else if (guard.mayConnect(options.protocol, socket.remoteAddress ?? '')) {
        callback(null, socket)
      } else {
        socket.destroy()
        callback(fault('blocked', options.hostname, false), null)
      }
    })
  }
}

function guardedLookup(guard: LinkGuard, protocol: string, resolve: Resolve): LookupFunction {
  const find = callbackify(async (host: string) => {
    const found = await resolve(host)
    const allowed = found.filter((entry) => guard.mayConnect(protocol, entry.address))
    if (allowed.length === 0) throw fault('blocked', host, false)
    return allowed
  })
  return (host, _options, done) => find(host, (error, found) => done(error, error ? [] : found))
}
