import type { IncomingMessage, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Clock } from '../service/clock.ts'
import type { Answer } from './answer.ts'

/** A connection's end of one exchange. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Value of the Date header. */
  readonly date: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Sends an answer whole. */
export function deliver(exchange: Exchange, answer: Answer): void {
  const { request, response } = exchange
  response.sendDate = false
  const bodiless = answer.status === 304 || answer.status === 204
  response.writeHead(answer.status, {
    ...answer.headers,
    date: exchange.date,
    ...(bodiless ? {} : { 'content-length': String(answer.body.length) }),
  })
  response.end(bodiless || request.method === 'HEAD' ? undefined : answer.body)
}

/** How an answer that is spoiled on the wire is framed, and how far it comes. */
export interface Spoiling {
  readonly framing: 'length' | 'short-length' | 'chunked' | 'unframed'
  /** Share of the body that is sent, 0 to 1. */
  readonly share: number
  readonly end: 'reset' | 'close' | 'stall'
  /** Sends the share in so many pieces with a pause before each. */
  readonly drip?: { readonly pieces: number; readonly pauseMs: number }
}

/** Writes an answer to the bare connection, so that it can break the rules of HTTP. */
export async function deliverSpoiled(exchange: Exchange, answer: Answer, spoiling: Spoiling): Promise<void> {
  const { socket } = exchange.request
  const sent = answer.body.subarray(0, Math.floor(answer.body.length * spoiling.share))
  await write(exchange, Buffer.from(head(exchange, answer, spoiling), 'latin1'))
  const { pieces, pauseMs } = spoiling.drip ?? { pieces: 1, pauseMs: 0 }
  const step = Math.max(1, Math.ceil(sent.length / pieces))
  for (let start = 0; start < sent.length && !socket.destroyed; start += step) {
    if (pauseMs > 0) await exchange.clock.sleep(pauseMs, exchange.signal)
    const piece = sent.subarray(start, start + step)
    await write(exchange, spoiling.framing === 'chunked' ? chunk(piece) : piece)
  }
  if (spoiling.end === 'reset') reset(exchange)
  if (spoiling.end === 'close') close(exchange)
}

/** Breaks the connection so that the client sees a reset. */
export function reset(exchange: Exchange): void {
  exchange.request.socket.resetAndDestroy()
}

/** Ends the connection in good order, with whatever was sent. */
export function close(exchange: Exchange): void {
  exchange.request.socket.end()
}

function head(exchange: Exchange, answer: Answer, spoiling: Spoiling): string {
  const lines = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? 'Unknown'}`]
  for (const [name, value] of Object.entries(answer.headers)) lines.push(`${name}: ${value}`)
  lines.push(`date: ${exchange.date}`, 'connection: close')
  if (spoiling.framing === 'chunked') lines.push('transfer-encoding: chunked')
  if (spoiling.framing === 'length') lines.push(`content-length: ${answer.body.length}`)
  if (spoiling.framing === 'short-length') lines.push(`content-length: ${Math.floor(answer.body.length / 2)}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

function chunk(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')])
}

/** Resolves when the bytes have left for the client, so that a reset behind them does not take them along. */
function write(exchange: Exchange, data: Buffer): Promise<void> {
  const { socket } = exchange.request
  return new Promise((resolve) => {
    if (socket.destroyed) resolve()
    else socket.write(data, () => resolve())
  })
}
