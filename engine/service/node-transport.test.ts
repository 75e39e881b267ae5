import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import type { Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createNodeTransport } from './node-transport.ts'
import type { NodeTransportOptions } from './node-transport.ts'
import { httpText, startRawServer } from './testing/raw-server.ts'
import type { RawServer } from './testing/raw-server.ts'
import { TransportError } from './transport.ts'
import type { HttpAnswer } from './transport.ts'

const open: { close(): void | Promise<void> }[] = []
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close()
})

async function serve(
  respond: Parameters<typeof startRawServer>[0],
  greet?: Parameters<typeof startRawServer>[1],
) {
  const server = await startRawServer(respond, greet)
  open.push(server)
  return server
}

function transportWith(options: NodeTransportOptions = {}) {
  const transport = createNodeTransport(options)
  open.push(transport)
  return transport
}

function get(
  server: RawServer,
  options: NodeTransportOptions & { timeoutMs?: number } = {},
): Promise<HttpAnswer> {
  const { timeoutMs = 20_000 } = options
  const url = `http://127.0.0.1:${server.port}/api/v1/runs`
  return transportWith(options).request({ method: 'GET', url, headers: {}, timeoutMs })
}

async function post(server: RawServer, timeoutMs = 20_000): Promise<HttpAnswer> {
  const connection = await transportWith().open(`http://127.0.0.1:${server.port}/api/v1/run`, { timeoutMs })
  return await connection.post({ headers: { 'x-a': 'b' }, body: '{"a":"ü"}', timeoutMs, sending: () => {} })
}

async function faultOf(work: Promise<unknown>): Promise<TransportError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof TransportError)) throw new Error(`expected a TransportError, got ${String(error)}`)
  return error
}

const bodyText = '{"runs":[]}'
const chunked = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
const bare = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n'
type Fault = readonly [name: string, kinds: readonly string[], respond: (socket: Socket) => void]

/** Faults of a whole answer; each must be told from an answer, by GET and by POST. */
const faults: readonly Fault[] = [
  ['reset before the answer', ['reset'], (socket) => socket.resetAndDestroy()],
  ['closed before the answer', ['reset'], (socket) => socket.end()],
  ['half of the status line', ['reset', 'truncated'], (socket) => socket.end('HTTP/1.1 2')],
  ['half of the headers', ['reset', 'truncated'], (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty')],
  [
    'a short body',
    ['truncated'],
    (socket) => socket.end(httpText(200, bodyText, { 'content-length': '500' })),
  ],
  [
    'reset in the body',
    ['truncated', 'reset'],
    (socket) => {
      socket.write(httpText(200, bodyText, { 'content-length': '500' }), () => socket.resetAndDestroy())
    },
  ],
  ['chunks without an end', ['truncated'], (socket) => socket.end(`${chunked}b\r\n${bodyText}\r\n`)],
  ['half a chunk', ['truncated'], (socket) => socket.end(`${chunked}ff\r\n${bodyText}`)],
  ['no length and half of the JSON', ['truncated'], (socket) => socket.end(`${bare}{"runs":[`)],
  ['no HTTP at all', ['malformed'], (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
  [
    'an unknown encoding',
    ['malformed'],
    (socket) => socket.end(httpText(200, 'x', { 'content-encoding': 'zstdx' })),
  ],
  [
    'broken gzip',
    ['malformed'],
    (socket) => socket.end(httpText(200, 'not gzip', { 'content-encoding': 'gzip' })),
  ],
  [
    'endless headers',
    ['too-large', 'reset'],
    (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`),
  ],
]

test.each(faults)('GET: %s', async (_, kinds, respond) => {
  const server = await serve(respond)
  expect(kinds).toContain((await faultOf(get(server))).kind)
})

test.each(faults)('POST: %s counts as sent, and is not sent again', async (_, kinds, respond) => {
  const server = await serve(respond)
  const error = await faultOf(post(server))
  expect(kinds).toContain(error.kind)
  expect(error.sent).toBe(true)
  expect(server.requests).toHaveLength(1)
})

test('a silent service is given up after the bound, by GET and by POST', async () => {
  const server = await serve(() => {})
  expect((await faultOf(get(server, { timeoutMs: 50 }))).kind).toBe('timeout')
  expect((await faultOf(get(server, { idleMs: 50 }))).kind).toBe('stalled')
  const late = await faultOf(post(server, 50))
  expect(late).toMatchObject({ kind: 'timeout', sent: true })
})

test('a service that stalls within the body is given up', async () => {
  const server = await serve((socket) => socket.write(httpText(200, bodyText, { 'content-length': '500' })))
  expect((await faultOf(get(server, { idleMs: 60 }))).kind).toBe('stalled')
})

test('an answer without a length passes as whole JSON only', async () => {
  const server = await serve((socket) => socket.end(bare + bodyText))
  expect((await get(server)).body).toBe(bodyText)
})

test('gzip is read, a gzip bomb and a huge body are not', async () => {
  const packed = (text: string) => {
    const bytes = gzipSync(text)
    return Buffer.concat([
      Buffer.from(httpText(200, '', { 'content-encoding': 'gzip', 'content-length': String(bytes.length) })),
      bytes,
    ])
  }
  const answers = [packed(bodyText), packed('0'.repeat(30 * 1024 * 1024)), httpText(200, '0'.repeat(200_000))]
  const server = await serve((socket, _, n) => socket.end(answers[n - 1]!))
  expect((await get(server)).body).toBe(bodyText)
  expect((await faultOf(get(server))).kind).toBe('too-large')
  expect((await faultOf(get(server, { mostBody: 100_000 }))).kind).toBe('too-large')
})

test('a byte order mark before the answer is no part of it', async () => {
  const server = await serve((socket) => socket.end(httpText(200, `\ufeff${bodyText}`)))
  expect((await get(server)).body).toBe(bodyText)
})

test('a truncated gzip body is not an answer', async () => {
  const bytes = gzipSync(bodyText.repeat(50)).subarray(0, 30)
  const head = httpText(200, '', { 'content-encoding': 'gzip', 'content-length': String(bytes.length) })
  const server = await serve((socket) => socket.end(Buffer.concat([Buffer.from(head), bytes])))
  expect((await faultOf(get(server))).kind).toBe('truncated')
})

test('redirects are answers, never followed', async () => {
  const other = await serve((socket) => socket.end(httpText(200, '{}')))
  const server = await serve((socket) =>
    socket.end(httpText(307, '', { location: `http://127.0.0.1:${other.port}/` })),
  )
  expect((await get(server)).status).toBe(307)
  expect((await post(server)).status).toBe(307)
  expect(other.requests).toHaveLength(0)
})

test('a GET whose kept connection has died is asked again, once, on a fresh one', async () => {
  const server = await serve((socket, _, n) => {
    if (n === 2) socket.destroy()
    else socket.write(httpText(200, `{"n":${n}}`))
  })
  const transport = transportWith()
  const ask = () =>
    transport.request({
      method: 'GET',
      url: `http://127.0.0.1:${server.port}/`,
      headers: {},
      timeoutMs: 20_000,
    })
  expect((await ask()).body).toBe('{"n":1}')
  expect((await ask()).body).toBe('{"n":3}')
})

test('an aborted GET ends at once', async () => {
  const server = await serve(() => abort.abort())
  const abort = new AbortController()
  const url = `http://127.0.0.1:${server.port}/`
  const call = { method: 'GET' as const, url, headers: {}, timeoutMs: 20_000, signal: abort.signal }
  expect((await faultOf(transportWith().request(call))).kind).toBe('aborted')
  expect((await faultOf(transportWith().request(call))).kind).toBe('aborted')
})

test('nothing leaves before the POST, which then comes in one piece on a connection of its own', async () => {
  const server = await serve((socket) => socket.end(httpText(200, '{"run_id":"r"}')))
  const url = `http://127.0.0.1:${server.port}/api/v1/run?x=1`
  const connection = await transportWith().open(url, { timeoutMs: 20_000 })
  await server.connected(1)
  expect(connection.usable).toBe(true)
  let atSending = -1
  const sending = () => {
    atSending = server.received[0]!.length
  }
  const answer = await connection.post({
    headers: { 'x-a': 'b' },
    body: '{"a":"ü"}',
    timeoutMs: 20_000,
    sending,
  })
  expect(atSending).toBe(0)
  expect(answer).toMatchObject({ status: 200, body: '{"run_id":"r"}' })
  const { head, body, writes } = server.requests[0]!
  expect(writes).toBe(1)
  expect(Buffer.from(body, 'latin1').toString()).toBe('{"a":"ü"}')
  expect(head).toMatch(/^POST \/api\/v1\/run\?x=1 HTTP\/1\.1\r\n/)
  expect(head.toLowerCase()).toContain(`host: 127.0.0.1:${server.port}`)
  expect(head.toLowerCase()).not.toMatch(/expect|transfer-encoding/)
  expect(connection.usable).toBe(false)
})

test('what `sending` throws comes out as it is, and not one byte has left', async () => {
  const server = await serve(() => {})
  const connection = await transportWith().open(`http://127.0.0.1:${server.port}/`, { timeoutMs: 20_000 })
  const stop = new Error('the store is full')
  const sending = () => {
    throw stop
  }
  await expect(connection.post({ headers: {}, body: 'x', timeoutMs: 20_000, sending })).rejects.toBe(stop)
  await server.connected(1)
  // The server has seen the connection close by the time that a second one is served.
  const second = await transportWith().open(`http://127.0.0.1:${server.port}/`, { timeoutMs: 20_000 })
  second.close()
  await server.connected(2)
  expect(server.received[0]).toHaveLength(0)
})

test('each submission goes on the very connection that was opened for it, and is the last thing on it', async () => {
  // A service that would keep it open, and says so.
  const closed: Promise<unknown>[] = []
  const server = await serve(
    (socket) => socket.write(httpText(200, '{"run_id":"r"}', { connection: 'keep-alive' })),
    (socket) => closed.push(once(socket, 'close')),
  )
  const transport = transportWith()
  for (let n = 1; n <= 3; n += 1) {
    const connection = await transport.open(`http://127.0.0.1:${server.port}/`, { timeoutMs: 20_000 })
    await server.connected(n)
    const call = { headers: {}, body: `{"n":${n}}`, timeoutMs: 20_000, sending: () => {} }
    expect((await connection.post(call)).status).toBe(200)
    expect(server.received).toHaveLength(n)
    expect(server.received[n - 1]!.toString()).toMatch(/connection: close/i)
    expect(server.received[n - 1]!.toString()).toContain(`{"n":${n}}`)
    await closed[n - 1]
  }
  expect(server.requests).toHaveLength(3)
})

test('a connection is used once', async () => {
  const server = await serve((socket) => socket.write(httpText(200, '{}')))
  const connection = await transportWith().open(`http://127.0.0.1:${server.port}/`, { timeoutMs: 20_000 })
  const call = { headers: {}, body: 'x', timeoutMs: 20_000, sending: () => {} }
  await connection.post(call)
  expect(await faultOf(connection.post(call))).toMatchObject({ sent: false })
  expect(server.requests).toHaveLength(1)
})

test('a connection that the peer closed, or on which it spoke first, is not used', async () => {
  for (const greet of [(socket: Socket) => socket.end(), (socket: Socket) => socket.write('hello')]) {
    const server = await serve(() => {}, greet)
    const connection = await transportWith().open(`http://127.0.0.1:${server.port}/`, { timeoutMs: 20_000 })
    await expect.poll(() => connection.usable, { timeout: 20_000 }).toBe(false)
    let sent = false
    const sending = () => {
      sent = true
    }
    expect(
      await faultOf(connection.post({ headers: {}, body: 'x', timeoutMs: 20_000, sending })),
    ).toMatchObject({ sent: false })
    expect(sent).toBe(false)
  }
})

test('no connection, no name, no handshake, an abort: all provably unsent', async () => {
  const gone = await startRawServer(() => {})
  await gone.close()
  const refuses = await faultOf(transportWith().open(`http://127.0.0.1:${gone.port}/`, { timeoutMs: 20_000 }))
  expect(refuses).toMatchObject({ kind: 'refused', sent: false })
  expect(refuses.message).not.toContain('ECONN')

  const nameless = await faultOf(transportWith().open('http://name.invalid/', { timeoutMs: 20_000 }))
  expect(nameless).toMatchObject({ kind: 'dns', sent: false })

  const silent = await serve(() => {})
  const slow = await faultOf(transportWith().open(`https://127.0.0.1:${silent.port}/`, { timeoutMs: 60 }))
  expect(slow).toMatchObject({ kind: 'timeout', sent: false })

  const plain = await serve(
    (socket) => socket.end('not TLS'),
    (socket) => socket.end('not TLS'),
  )
  const wrong = await faultOf(transportWith().open(`https://127.0.0.1:${plain.port}/`, { timeoutMs: 20_000 }))
  expect(wrong).toMatchObject({ kind: 'tls', sent: false })

  const signal = AbortSignal.abort()
  const aborted = await faultOf(
    transportWith().open(`http://127.0.0.1:${silent.port}/`, { timeoutMs: 20_000, signal }),
  )
  expect(aborted).toMatchObject({ kind: 'aborted', sent: false })
})
