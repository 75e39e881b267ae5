import { createServer, request as ask } from 'node:http'
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  Server,
  ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { endpointOf, type Endpoint, type NetworkFault } from './network-faults.ts'
import { latencyMs, redirectTo, strike, type Answered, type Ways } from './raw-answers.ts'

/** Chooses what happens to a request; `number` counts those of its endpoint, from 1. */
export type Choose = (endpoint: Endpoint, number: number) => NetworkFault | undefined

/** What another host was asked, to which the program was led. */
export interface Strayed {
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

const round = '/files/round'

/**
 * A network with faults of its own between the program and a service: everything goes through, links are turned to
 * lead through it as well, and a request that was chosen meets its fault on the bare socket.
 */
export class FaultProxy {
  /** How often each fault struck, by endpoint, fault and phase. */
  readonly struck = new Map<string, number>()
  readonly strayed: Strayed[] = []
  choose: Choose = () => undefined
  readonly #upstream: string
  readonly #server: Server
  readonly #elsewhere: Server
  readonly #counts = new Map<Endpoint, number>()
  readonly #open = new Set<Socket>()

  constructor(upstream: string) {
    this.#upstream = upstream
    const listener = (request: IncomingMessage, response: ServerResponse) => {
      this.#serve(request, response).catch(() => request.socket.destroy())
    }
    this.#server = createServer({ keepAliveTimeout: 30_000 }, listener)
    this.#server.on('connection', (socket: Socket) => {
      // Half-open connections stay so until the proxy ends.
      socket.allowHalfOpen = true
      this.#open.add(socket)
      socket.on('error', () => {}).on('close', () => this.#open.delete(socket))
    })
    this.#elsewhere = createServer((request, response) => {
      this.strayed.push({ target: request.url ?? '', headers: request.headers })
      response.writeHead(404).end('nothing here')
    })
  }

  async listen(): Promise<void> {
    const servers = [this.#server, this.#elsewhere]
    await Promise.all(
      servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))),
    )
  }

  get origin(): string {
    return originOf(this.#server)
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    const servers = [this.#server, this.#elsewhere]
    for (const server of servers) server.closeAllConnections()
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', socket } = request
    request.on('error', () => {})
    response.on('error', () => {})
    if (url.startsWith(round)) return void socket.end(redirectTo(this.origin + url))
    const endpoint = endpointOf(method, url)
    const number = (this.#counts.get(endpoint) ?? 0) + 1
    this.#counts.set(endpoint, number)
    const fault = this.choose(endpoint, number)
    const body = await bytesOf(request)
    if (fault) {
      const name = `${endpoint} ${fault.how} ${fault.when}`
      this.struck.set(name, (this.struck.get(name) ?? 0) + 1)
    }
    if (fault?.when === 'before' && fault.how !== 'latency')
      return strike(socket, fault, undefined, this.#ways())
    if (fault?.when === 'before') await pause(latencyMs)
    const answer = await this.#forward(method, url, request.headers, body)
    if (fault && fault.when !== 'before') return strike(socket, fault, answer, this.#ways())
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }

  #forward(method: string, path: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const target = new URL(this.#upstream)
      const outgoing = ask(
        { host: target.hostname, port: target.port, method, path, agent: false },
        (answer) => {
          bytesOf(answer).then((bytes) => resolve(this.#turned(answer, bytes)), reject)
        },
      )
      for (const [name, value] of Object.entries(headers)) {
        if (name !== 'host' && name !== 'connection' && value !== undefined) outgoing.setHeader(name, value)
      }
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  /** Links in an answer lead through the proxy too. */
  #turned(answer: IncomingMessage, bytes: Buffer): Answered {
    const isText = /json/.test(answer.headers['content-type'] ?? '')
    const body = isText ? Buffer.from(bytes.toString().replaceAll(this.#upstream, this.origin)) : bytes
    const headers: OutgoingHttpHeaders = { ...answer.headers, 'content-length': String(body.length) }
    delete headers.connection
    delete headers['keep-alive']
    delete headers['transfer-encoding']
    return { status: answer.statusCode ?? 0, headers, body }
  }

  /** Where redirects lead. */
  #ways(): Ways {
    return { loop: `${this.origin}${round}`, elsewhere: `${originOf(this.#elsewhere)}/elsewhere` }
  }
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
