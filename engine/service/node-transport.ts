import { Agent as PlainAgent, request as requestPlain } from 'node:http'
import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as requestSecure } from 'node:https'
import { openSocket, trustSystemCertificates } from './connect.ts'
import { readAnswer } from './http-body.ts'
import { NodeSubmitConnection } from './node-submit-connection.ts'
import { asFault, fault } from './transport-fault.ts'
import { TransportError } from './transport.ts'
import type { HttpAnswer, HttpGet, SubmitConnection, Transport } from './transport.ts'

export interface NodeTransportOptions {
  /** Longest silence within a GET, in ms. */
  readonly idleMs?: number
  /** Most bytes of an answer. */
  readonly mostBody?: number
}

/** The real transport: Node's own HTTP/1.1, whose stack never repeats a request by itself. */
export interface NodeTransport extends Transport {
  /** Closes idle connections. */
  close(): void
}

export function createNodeTransport(options: NodeTransportOptions = {}): NodeTransport {
  const { idleMs = 10_000, mostBody } = options
  const agents = {
    plain: new PlainAgent({ keepAlive: true, maxFreeSockets: 8, timeout: 60_000 }),
    secure: new SecureAgent({ keepAlive: true, maxFreeSockets: 8, timeout: 60_000 }),
  }

  async function request(call: HttpGet): Promise<HttpAnswer> {
    const startedAt = performance.now()
    const secure = call.url.startsWith('https:')
    if (secure) trustSystemCertificates()
    const agent = secure ? agents.secure : agents.plain
    try {
      return await exchange(call, { timeoutMs: call.timeoutMs, idleMs, mostBody }, agent)
    } catch (error) {
      if (!(error instanceof ReusedSocketDied)) throw error
      const left = call.timeoutMs - (performance.now() - startedAt)
      return await exchange(call, { timeoutMs: Math.max(1, left), idleMs, mostBody }, false)
    }
  }

  return {
    request,
    async open(url, { timeoutMs, signal }): Promise<SubmitConnection> {
      const target = new URL(url)
      return new NodeSubmitConnection(await openSocket(target, timeoutMs, signal), target)
    },
    close() {
      agents.plain.destroy()
      agents.secure.destroy()
    },
  }
}

interface Bounds {
  readonly timeoutMs: number
  readonly idleMs: number
  readonly mostBody: number | undefined
}

function exchange(call: HttpGet, bounds: Bounds, agent: Agent | false): Promise<HttpAnswer> {
  const url = new URL(call.url)
  return new Promise((resolve, reject) => {
    let answering = false
    const headers = { 'accept-encoding': 'gzip, deflate, br', ...call.headers }
    const outgoing = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, {
      method: call.method,
      headers,
      agent,
    })
    const breakOff = (error: TransportError) => {
      settle(() => reject(error))
      outgoing.destroy()
    }
    const late = setTimeout(() => breakOff(fault('timeout', url.host, true)), bounds.timeoutMs)
    const aborted = () => breakOff(fault('aborted', url.host, true))
    const settle = (finish: () => void) => {
      clearTimeout(late)
      call.signal?.removeEventListener('abort', aborted)
      finish()
    }
    if (call.signal?.aborted) {
      aborted()
      outgoing.on('error', () => {})
      return
    }
    call.signal?.addEventListener('abort', aborted, { once: true })
    outgoing.setTimeout(bounds.idleMs, () => breakOff(fault('stalled', url.host, true)))
    outgoing.on('error', (error) => settle(() => reject(broken(outgoing, error, url.host, answering))))
    outgoing.on('response', (message: IncomingMessage) => {
      answering = true
      readAnswer(message, url.host, bounds.mostBody).then(
        (answer) => settle(() => resolve(answer)),
        (error: unknown) => {
          settle(() => reject(error))
          outgoing.destroy()
        },
      )
    })
    outgoing.end()
  })
}

/** A kept connection died before any of the answer came: the peer had closed it, a fresh one may do. */
class ReusedSocketDied extends TransportError {}

function broken(outgoing: ClientRequest, error: Error, host: string, answering: boolean): TransportError {
  const died = asFault(error, host, true)
  if (!outgoing.reusedSocket || died.kind !== 'reset' || answering) return died
  return new ReusedSocketDied(died.kind, died.message, { sent: true, cause: error })
}
