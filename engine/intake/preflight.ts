import type { Clock } from '../clock.ts'
import { displayText } from './display-text.ts'
import { isHtml } from './html-links.ts'
import { pictureKind } from './picture-magic.ts'
import { say } from '../../shared/language/say.ts'

/**
 * How an address is asked. It gets no key and must add none: sources lie on any host. The caller's transport is
 * also the one that follows redirects and keeps to the addresses that may be asked.
 */
type PreflightTransport = (
  url: string,
  init: {
    readonly method: 'GET'
    readonly headers: Readonly<Record<string, string>>
    readonly signal: AbortSignal
  },
) => Promise<Response>

type PreflightVerdict =
  | 'image'
  | 'page'
  | 'not-an-image'
  | 'missing'
  | 'refused'
  | 'server-trouble'
  | 'unreachable'
  | 'too-slow'

/** What asking one address before spending a credit on it showed. */
export interface Preflight {
  readonly url: string
  readonly verdict: PreflightVerdict
  /** For a person: what was found, and what to do where it is no image. */
  readonly sentence: string
  /** Size of the picture's file in bytes, where the server tells. */
  readonly bytes?: number
  /** Such as "jpeg". */
  readonly kind?: string
}

export interface PreflightOptions {
  readonly transport: PreflightTransport
  readonly clock: Clock
  readonly signal?: AbortSignal
  /** For one address; default 15,000 milliseconds. */
  readonly timeoutMs?: number
  /** Addresses asked at a time; default 6. */
  readonly concurrency?: number
}

/** So many first bytes of an answer are looked at. */
const LOOK_AT = 4096

/** Asks every address, some at a time; the answers come in the order in which they arrive. */
export async function* preflight(
  urls: Iterable<string>,
  options: PreflightOptions,
): AsyncGenerator<Preflight> {
  const waiting = urls[Symbol.iterator]()
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  const asked = new Map<number, Promise<{ readonly index: number; readonly answer: Preflight }>>()
  let index = 0
  const fill = () => {
    while (asked.size < (options.concurrency ?? 6) && !signal.aborted) {
      const next = waiting.next()
      if (next.done) return
      const own = index++
      asked.set(
        own,
        preflightOne(next.value, { ...options, signal }).then((answer) => ({ index: own, answer })),
      )
    }
  }
  try {
    for (fill(); asked.size > 0; fill()) {
      const { index: settled, answer } = await Promise.race(asked.values())
      asked.delete(settled)
      if (signal.aborted) return
      yield answer
    }
  } finally {
    // The caller may stop in the middle: what is still being asked is not worth waiting for.
    stop.abort()
  }
}

/** Asks one address for its first bytes. Never throws. */
export async function preflightOne(url: string, options: PreflightOptions): Promise<Preflight> {
  const done = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, done.signal]) : done.signal
  const seconds = (options.timeoutMs ?? 15_000) / 1000
  const tooSlow = options.clock
    .sleep(seconds * 1000, signal)
    .then(() =>
      finding(
        url,
        'too-slow',
        say`The server did not answer within ${seconds} s; try again or move the picture.`,
      ),
    )
  try {
    return await Promise.race([ask(url, options.transport, signal), tooSlow])
  } catch {
    return finding(url, 'unreachable', say`The address cannot be reached; check it in a browser.`)
  } finally {
    done.abort()
  }
}

async function ask(url: string, transport: PreflightTransport, signal: AbortSignal): Promise<Preflight> {
  const response = await transport(url, {
    method: 'GET',
    headers: { accept: 'image/*,*/*;q=0.1', range: `bytes=0-${LOOK_AT - 1}` },
    signal,
  })
  const head = await firstBytes(response)
  const refusal = judgeStatus(url, response.status)
  if (refusal) return refusal
  const kind = pictureKind(head)
  if (kind === undefined) return judgeOther(url, head, response.headers.get('content-type') ?? '')
  const bytes = wholeSize(response)
  const name = kind.toUpperCase()
  const sentence =
    bytes === undefined
      ? say`A picture (${name}).`
      : say`A picture (${name}, ${(bytes / 1_000_000).toFixed(1)} MB).`
  return {
    ...finding(url, 'image', sentence),
    kind,
    ...(bytes !== undefined && { bytes }),
  }
}

/** Reads no more than is looked at: a server may ignore the range and send the whole file. */
async function firstBytes(response: Response): Promise<Uint8Array> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  if (!reader) return new Uint8Array()
  while (size < LOOK_AT) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    size += value.length
  }
  // A server that breaks off while being cancelled has already told what was needed.
  reader.cancel().catch(() => undefined)
  return Buffer.concat(chunks).subarray(0, LOOK_AT)
}

function judgeStatus(url: string, status: number): Preflight | undefined {
  if (status === 200 || status === 206) return undefined
  if (status === 401 || status === 403 || status === 407) {
    return finding(
      url,
      'refused',
      say`The server wants a login or refuses (${status}); use a public link or one with a signature.`,
    )
  }
  if (status === 404 || status === 410) {
    return finding(url, 'missing', say`There is nothing at this address (${status}); check it in a browser.`)
  }
  if (status === 429 || status >= 500) {
    return finding(url, 'server-trouble', say`The server has trouble (${status}); try again later.`)
  }
  return finding(
    url,
    'not-an-image',
    say`The server answers ${status} instead of a picture; check the address in a browser.`,
  )
}

function judgeOther(url: string, head: Uint8Array, contentType: string): Preflight {
  const text = Buffer.from(head).toString('utf8')
  if (isHtml(text) || /\bhtml\b/i.test(contentType)) {
    const login = /<input[^>]+password|sign[ -]?in|log[ -]?in|anmelden|connexion/i.test(text)
    return finding(
      url,
      'page',
      login
        ? say`This is a login page and not a picture; use the address of the picture itself.`
        : say`This is a web page and not a picture; use the address of the picture itself.`,
    )
  }
  if (head.length === 0)
    return finding(url, 'not-an-image', say`The file at this address is empty; publish it again.`)
  return finding(
    url,
    'not-an-image',
    contentType === ''
      ? say`What is at this address is not a picture; check it in a browser.`
      : say`What is at this address is not a picture (${displayText(contentType, 60)}); check it in a browser.`,
  )
}

function wholeSize(response: Response): number | undefined {
  const total = /\/(\d{1,15})$/.exec(response.headers.get('content-range') ?? '')?.[1]
  const length = response.status === 200 ? response.headers.get('content-length') : undefined
  const size = Number(total ?? length ?? Number.NaN)
  return Number.isSafeInteger(size) && size > 0 ? size : undefined
}

function finding(url: string, verdict: PreflightVerdict, sentence: string): Preflight {
  return { url, verdict, sentence }
}
