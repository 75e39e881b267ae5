import type { OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import {
  isBreak,
  isSpoiled,
  type Break,
  type NetworkFault,
  type Replaced,
  type Spoiled,
  type When,
} from './network-faults.ts'

/** What the service said. */
export interface Answered {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
}

/** Where redirects lead. */
export interface Ways {
  readonly loop: string
  readonly elsewhere: string
}

/** How long a slow connection keeps everybody waiting. */
export const latencyMs = 700
const zeros = 16 * 1024 * 1024
let bomb: Buffer | undefined
/** 256 MB of zeros in 256 kB: members of a gzip file may follow each other. */
function gzipBomb(): Buffer {
  bomb ??= Buffer.concat(Array.from<Buffer>({ length: 16 }).fill(gzipSync(Buffer.alloc(zeros))))
  return bomb
}

/**
 * Answers on the bare socket as the fault has it. @param answer what the service said, where it was asked
 */
export function strike(socket: Socket, fault: NetworkFault, answer: Answered | undefined, ways: Ways): void {
  if (isBreak(fault.how)) breakOff(socket, fault.how, answer, fault.when)
  else if (isSpoiled(fault.how)) spoil[fault.how](socket, answer!)
  else replace[fault.how](socket, ways)
}

const spoil: Readonly<Record<Spoiled, (socket: Socket, answer: Answered) => void>> = {
  drip: (socket, answer) => drip(socket, Buffer.concat([headOf(answer), answer.body])),
  'over-long': (socket, answer) =>
    void socket.end(Buffer.concat([headOf(answer), answer.body, Buffer.alloc(64, 'x')])),
  'short-length'(socket, answer) {
    const headers = { ...answer.headers, 'content-length': String(Math.ceil(answer.body.length / 2)) }
    socket.end(Buffer.concat([headOf({ ...answer, headers }), answer.body]))
  },
}

const signIn = '<!doctype html><title>Sign in to the network</title><form><input name=room></form>'
const inward = 'http://169.254.169.254/latest/meta-data/'
const nonsense = '220 mail.example ESMTP ready\r\n500 what?\r\n'
const badLength = 'HTTP/1.1 200 OK\r\ncontent-length: a few\r\n\r\n{}'

const replace: Readonly<Record<Replaced, (socket: Socket, ways: Ways) => void>> = {
  'bad-length': (socket) => void socket.end(badLength),
  'gzip-bomb': (socket) =>
    void socket.end(
      Buffer.concat([plainHead({ 'content-encoding': 'gzip' }, gzipBomb().length), gzipBomb()]),
    ),
  'redirect-loop': (socket, { loop }) => void socket.end(redirectTo(loop)),
  'redirect-elsewhere': (socket, { elsewhere }) => void socket.end(redirectTo(elsewhere)),
  'redirect-inward': (socket) => void socket.end(redirectTo(inward)),
  html: (socket) =>
    void socket.end(plainHead({ 'content-type': 'text/html' }, signIn.length).toString() + signIn),
  garbage: (socket) => void socket.end(nonsense),
  empty: (socket) => void socket.end(plainHead({}, 0)),
  endless,
}

function headOf({ status, headers }: Answered): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
  return Buffer.from(`HTTP/1.1 ${status} Said\r\n${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`)
}

function plainHead(headers: Readonly<Record<string, string>>, length: number): Buffer {
  const all = { 'content-type': 'application/json', 'content-length': String(length), ...headers }
  return headOf({ status: 200, headers: all, body: Buffer.alloc(0) })
}

/** An answer that leads on. */
export function redirectTo(location: string): string {
  return `HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`
}

/** How many bytes of an answer arrive before it breaks off. */
function shareOf(answer: Answered | undefined, when: When): { first: Buffer; rest: Buffer } {
  if (!answer) return { first: Buffer.alloc(0), rest: Buffer.alloc(0) }
  const head = headOf(answer)
  const whole = Buffer.concat([head, answer.body])
  const cut = when === 'head' ? head.length >>> 1 : head.length + (answer.body.length >>> 1)
  return { first: whole.subarray(0, cut), rest: whole.subarray(cut) }
}

function breakOff(socket: Socket, how: Break, answer: Answered | undefined, when: When): void {
  const { first, rest } = shareOf(answer, when)
  const after = () => {
    if (how === 'reset') socket.resetAndDestroy()
    else if (how === 'close') socket.destroySoon()
    else if (how === 'half-open') socket.end()
    else if (how === 'latency') setTimeout(() => socket.end(rest), latencyMs)
  }
  if (first.length > 0) socket.write(first, () => setTimeout(after, 20))
  else after()
}

function drip(socket: Socket, bytes: Buffer): void {
  const pieces = 12
  const size = Math.ceil(bytes.length / pieces)
  const next = (at: number) => {
    if (socket.destroyed) return
    if (at >= bytes.length) socket.end()
    else socket.write(bytes.subarray(at, at + size), () => setTimeout(next, 60, at + size))
  }
  next(0)
}

/** Without an end, but for a bound that no test should come near. */
function endless(socket: Socket): void {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const framed = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')])
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n')
  let left = 16_384
  const more = () => {
    while (!socket.destroyed && left > 0) {
      left -= 1
      if (!socket.write(framed)) return void socket.once('drain', more)
    }
    socket.destroy()
  }
  more()
}
