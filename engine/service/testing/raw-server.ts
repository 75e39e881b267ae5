import { createServer } from 'node:net'
import type { Socket } from 'node:net'

/** One request as it came over the wire. */
export interface RawRequest {
  readonly head: string
  readonly body: string
  /** Pieces in which it arrived. */
  readonly writes: number
}

export interface RawServer {
  readonly port: number
  readonly requests: RawRequest[]
  /** Bytes that came in on each connection. */
  readonly received: Buffer[]
  /** Resolves once so many connections are open or were. */
  connected(count: number): Promise<void>
  close(): Promise<void>
}

/**
 * A server on loopback that reads whole requests and answers with whatever bytes a test likes: `respond` may write,
 * end or destroy.
 */
export async function startRawServer(
  respond: (socket: Socket, request: RawRequest, n: number) => void,
  greet?: (socket: Socket) => void,
): Promise<RawServer> {
  const requests: RawRequest[] = []
  const received: Buffer[] = []
  const sockets = new Set<Socket>()
  const waiters: (() => void)[] = []
  const server = createServer((socket) => {
    const index = received.length
    sockets.add(socket)
    received[index] = Buffer.alloc(0)
    let start = 0
    let writes = 0
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      received[index] = Buffer.concat([received[index]!, chunk])
      writes += 1
      const text = received[index].subarray(start).toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (text.length < end + 4 + length) return
      const request = { head: text.slice(0, end), body: text.slice(end + 4), writes }
      start += end + 4 + length
      writes = 0
      requests.push(request)
      respond(socket, request, requests.length)
    })
    greet?.(socket)
    for (const wake of waiters.splice(0)) wake()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return {
    port: address.port,
    requests,
    received,
    async connected(count) {
      while (received.length < count) await new Promise<void>((resolve) => waiters.push(resolve))
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** A well-formed answer. */
export function httpText(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  const all = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, text]) => `${name}: ${text}`)
  return `HTTP/1.1 ${status} Text\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}
