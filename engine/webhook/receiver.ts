import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { WebhookHost, WebhookPart } from '../queue/parts.ts'
import { hashInPath, secretAddress, secretBytes } from './secret-address.ts'
import { say } from '../../shared/language/say.ts'

/** Where notifications come in; both are the person's. */
export interface ReceiverSettings {
  /** The tunnel's public address: what the service is told, with a secret added. */
  readonly address: string
  /** Where the tunnel ends on this computer; 0 for any free port, which is then told. */
  readonly port: number
}

export interface ReceiverParts {
  readonly clock: Clock
  /** Read anew from time to time, so that a change holds at once; undefined where nobody is to listen. */
  readonly settings: () => ReceiverSettings | undefined
  /** Bounds in ms of the time that a request may take. */
  readonly headMs?: number
  readonly bodyMs?: number
}

const mostBody = 64 * 1024
const mostHead = 8 * 1024
const mostConnections = 64
const lookEveryMs = 1000
/** A port that is taken is tried again. */
const retryMs = 10_000

/**
 * Listens on this computer's loopback for the service's completion notices (interface, 6), which come through a
 * person's tunnel. They are not signed: what is taken from one is that the secret of its path came back, and a run id
 * to be looked at. Whatever has no secret of ours is answered in one way (docs/decisions/0033).
 */
export function createWebhookReceiver(parts: ReceiverParts): WebhookPart {
  const { clock } = parts
  let last: ReceiverSettings | undefined
  const settings = () => {
    try {
      last = parts.settings()
    } catch {
      // Preferences that cannot be read just now change nothing.
    }
    return last
  }
  return {
    addressFor(webhookUrl) {
      const wanted = settings()
      if (!wanted || wanted.address.trim() !== webhookUrl.trim()) return undefined
      return secretAddress(webhookUrl.trim(), randomBytes(secretBytes))
    },
    async run(host, signal) {
      let server: Server | undefined
      let port: number | undefined
      let told: number | undefined
      while (!signal.aborted) {
        const wanted = settings()?.port
        if (wanted !== port) {
          await close(server)
          server = wanted === undefined ? undefined : await listen(parts, wanted, host)
          port = server ? wanted : undefined
          if (wanted !== undefined && !server && told !== wanted) host.tell(portTaken(wanted))
          if (wanted !== undefined && !server) told = wanted
          if (server && wanted === 0) host.tell(say`Notifications are heard at ${addressOf(server)}.`)
        }
        await clock.sleep(wanted === port ? lookEveryMs : retryMs, signal)
      }
      await close(server)
    },
  }
}

function portTaken(port: number): string {
  return say`Notifications of the service cannot be heard: port ${port} of this computer is taken; choose another. Results are found by asking meanwhile.`
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Undefined where the port cannot be had. */
async function listen(
  { headMs = 5000, bodyMs = 10_000 }: ReceiverParts,
  port: number,
  host: WebhookHost,
): Promise<Server | undefined> {
  const server = createServer(
    {
      maxHeaderSize: mostHead,
      headersTimeout: headMs,
      requestTimeout: bodyMs,
      connectionsCheckingInterval: 1000,
    },
    (request, response) => {
      // What the store cannot do now it cannot do for the queue either, which will say so.
      answer(request, response, host).catch(() => response.destroy())
    },
  )
  server.maxConnections = mostConnections
  return await new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.on('error', () => {})
      resolve(server)
    })
  })
}

async function close(server: Server | undefined): Promise<void> {
  if (!server) return
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

async function answer(request: IncomingMessage, response: ServerResponse, host: WebhookHost) {
  // The same work for every request, before anything is told apart.
  const known = host.knows(hashInPath(request.url ?? '')) && request.method === 'POST'
  response.writeHead(known ? 204 : 404, { connection: 'close', ...(known ? {} : { 'content-length': '0' }) })
  if (!known) {
    response.end()
    return
  }
  const body = await bodyOf(request)
  response.end()
  host.announced(hashInPath(request.url ?? ''), runIdIn(body))
}

/** Undefined where it is too long, or does not come to its end. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > mostBody) return undefined
      chunks.push(chunk)
    }
  } catch {
    return undefined
  }
  return Buffer.concat(chunks).toString('utf8')
}

const noticeSchema = z.object({ run_id: z.string().min(1).max(200) })

/** The only thing that is read of a notice; the rest is asked of the service. */
function runIdIn(body: string | undefined): string | undefined {
  if (body === undefined) return undefined
  try {
    return noticeSchema.safeParse(JSON.parse(body)).data?.run_id
  } catch {
    return undefined
  }
}
