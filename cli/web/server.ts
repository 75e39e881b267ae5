import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { Readable } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { dropPath } from '../../shared/contract/drops.ts'
import { pageHeaders } from '../../shared/page-headers.ts'
import type { Port } from '../../shared/rpc/frames.ts'
import { DropRefused } from './drop-upload.ts'
import { judge, type Door, type Knock, type Verdict } from './gate.ts'
import type { PageFiles } from '../../engine/page-files.ts'
import { Sessions } from './sessions.ts'
import { socketPort } from './socket-port.ts'

export interface WebParts {
  /** 0 for any free port. */
  readonly port: number
  readonly page: PageFiles
  /** Answers for addresses below `/pictures/`. */
  readonly pictures: (request: Request) => Promise<Response>
  /** Takes in the files of a drop; returns its id. */
  readonly takeDrop: (request: IncomingMessage) => Promise<string>
  /** A page has opened its line. */
  readonly onLine: (port: Port) => void
  /** The address was used; the next one is another. */
  readonly onExchange: () => void
  readonly onFault: (error: unknown) => void
}

/** The running loopback server. */
export interface WebServer {
  readonly port: number
  /** An address with the token in it that is good for opening one page. */
  readonly address: () => string
  readonly close: () => Promise<void>
}

const linePath = '/line'
/** A pasted list of 100,000 addresses is far below it. */
const largestMessage = 72 * 1024 * 1024
const mostLines = 16
const pingMs = 30_000

/**
 * Serves the page, its pictures and its line on 127.0.0.1.
 * @throws the system's error where the port is taken
 */
export async function startWebServer(parts: WebParts): Promise<WebServer> {
  const sessions = new Sessions()
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 120_000, keepAliveTimeout: 30_000 })
  server.maxConnections = 256
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(parts.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const door: Door = {
    port,
    cookieName: `vitrine-${port}`,
    isSession: (value) => sessions.isSession(value),
    isToken: (value) => sessions.isToken(value),
    linePath,
    postPaths: [`/${dropPath}`],
  }
  server.on('request', (request, response) => {
    answer({ ...parts, door, sessions }, request, response).catch((error: unknown) => {
      parts.onFault(error)
      if (response.headersSent) response.destroy()
      else refuse(response, 500, 'Something went wrong inside Vitrine; its log has the details.')
    })
  })
  const lines = openLines(parts, door)
  server.on('upgrade', (request, stream, head) => lines.upgrade(request, stream, head))
  return {
    port,
    address: () => `http://127.0.0.1:${port}/?token=${sessions.token}`,
    async close() {
      lines.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

type Answering = WebParts & { readonly door: Door; readonly sessions: Sessions }

async function answer(web: Answering, request: IncomingMessage, response: ServerResponse) {
  const knock = knockOf(request, false)
  const verdict = judge(knock, web.door)
  if (verdict.kind === 'refuse') {
    refuse(response, verdict.status, verdict.message, knock.path === '/')
    return
  }
  if (verdict.kind === 'exchange') {
    exchange(web, knock, response)
    return
  }
  if (request.method === 'POST') await takeDrop(web, request, response)
  else if (knock.path.startsWith('/pictures/')) await sendPicture(web, request, response)
  else await sendPage(web, knock.path, response, request.method === 'HEAD')
}

/** The cookie, and a way on to an address without the token. */
function exchange({ sessions, door, onExchange }: Answering, knock: Knock, response: ServerResponse) {
  const cookie = `${door.cookieName}=${sessions.exchange()}; HttpOnly; SameSite=Strict; Path=/`
  const headers = { ...pageHeaders, 'cache-control': 'no-store', 'set-cookie': cookie }
  if (knock.fetchSite === undefined || knock.fetchSite === 'none') {
    response.writeHead(303, { ...headers, location: '/' }).end()
  } else {
    // After a redirect that another page began a browser keeps a strict cookie back; from here it goes on by itself.
    response.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8', refresh: '0; url=/' })
    response.end('<!doctype html><title>Vitrine</title><p>Opening Vitrine …')
  }
  onExchange()
}

async function takeDrop(web: Answering, request: IncomingMessage, response: ServerResponse) {
  try {
    const drop = await web.takeDrop(request)
    response.writeHead(200, { ...pageHeaders, 'content-type': 'application/json' })
    response.end(JSON.stringify({ drop }))
  } catch (error) {
    if (!(error instanceof DropRefused)) throw error
    response.shouldKeepAlive = false
    response.writeHead(error.status, {
      ...pageHeaders,
      'content-type': 'application/json',
      connection: 'close',
    })
    response.end(JSON.stringify({ message: error.message }))
  }
}

async function sendPage({ page }: Answering, path: string, response: ServerResponse, headOnly: boolean) {
  const file = await page.read(path)
  if (!file) {
    refuse(response, 404, 'There is no such page.')
    return
  }
  response.writeHead(200, {
    ...pageHeaders,
    'content-type': file.type,
    'content-length': file.bytes.length,
    'cache-control': file.lasting ? 'private, max-age=31536000, immutable' : 'no-store',
  })
  response.end(headOnly ? undefined : file.bytes)
}

async function sendPicture(web: Answering, request: IncomingMessage, response: ServerResponse) {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const { range } = request.headers
  const answered = await web.pictures(
    new Request(`http://${request.headers.host}${request.url}`, {
      signal: gone.signal,
      ...(range === undefined ? {} : { headers: { range } }),
    }),
  )
  response.writeHead(answered.status, { ...Object.fromEntries(answered.headers), ...pageHeaders })
  if (!answered.body || request.method === 'HEAD') {
    await answered.body?.cancel()
    response.end()
    return
  }
  const body = Readable.fromWeb(answered.body)
  response.once('close', () => body.destroy())
  body.once('error', () => response.destroy())
  body.pipe(response)
}

function refuse(response: ServerResponse, status: number, message: string, asPage = false) {
  const type = asPage ? 'text/html' : 'text/plain'
  response.writeHead(status, {
    ...pageHeaders,
    'cache-control': 'no-store',
    'content-type': `${type}; charset=utf-8`,
  })
  response.end(asPage ? `<!doctype html><title>Vitrine</title><p>${message}` : message)
}

function knockOf(request: IncomingMessage, upgrade: boolean): Knock {
  // Of an address with a host in it (or no address at all) nothing is found: such requests are for proxies.
  const [path = '', query] = (request.url ?? '').split('?', 2)
  const { host, origin, cookie } = request.headers
  return {
    method: request.method ?? '',
    path,
    host,
    origin,
    cookie,
    fetchSite: request.headers['sec-fetch-site'],
    token: new URLSearchParams(query ?? '').get('token') ?? undefined,
    upgrade,
  }
}

function openLines({ onLine, onFault }: WebParts, door: Door) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessage,
    perMessageDeflate: false,
  })
  const alive = new WeakSet<WebSocket>()
  const pulse = setInterval(() => {
    for (const socket of sockets.clients) {
      if (alive.delete(socket)) socket.ping()
      else socket.terminate()
    }
  }, pingMs)
  return {
    upgrade(request: IncomingMessage, stream: Duplex, head: Buffer) {
      stream.on('error', () => {})
      const verdict: Verdict = judge(knockOf(request, true), door)
      if (verdict.kind !== 'enter' || sockets.clients.size >= mostLines) {
        const status = verdict.kind === 'refuse' ? verdict.status : 503
        stream.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
        return
      }
      sockets.handleUpgrade(request, stream, head, (socket) => {
        alive.add(socket)
        socket.on('pong', () => alive.add(socket))
        // The close that follows says all; a too large message, for instance, ends the line.
        socket.on('error', () => {})
        try {
          onLine(socketPort(socket))
        } catch (error) {
          onFault(error)
          socket.terminate()
        }
      })
    },
    close() {
      clearInterval(pulse)
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
    },
  }
}
