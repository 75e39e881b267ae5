import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import type { DownloadOptions } from './download-transport.ts'
import type { Resolve } from './link-guard.ts'
import { httpText, startRawServer } from './testing/raw-server.ts'
import type { RawServer } from './testing/raw-server.ts'
import { TransportError } from './transport.ts'
import { createDownloads } from './undici-downloads.ts'
import type { DownloadParts } from './undici-downloads.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close()
})

async function serve(respond: Parameters<typeof startRawServer>[0]) {
  const server = await startRawServer(respond)
  open.push(server)
  return server
}

function downloadsOf(parts: Partial<DownloadParts> = {}) {
  const downloads = createDownloads({ baseUrl: 'http://127.0.0.1:1/api/v1', ...parts })
  open.push(downloads)
  return downloads
}

function linkTo(server: RawServer, path = '/file.png?sig=secret') {
  return `http://127.0.0.1:${server.port}${path}`
}

async function fetched(link: string, options: DownloadOptions = {}, parts: Partial<DownloadParts> = {}) {
  const answer = await downloadsOf(parts).open(link, options)
  const chunks: Uint8Array[] = []
  for await (const chunk of answer.body) chunks.push(chunk)
  return { ...answer, text: Buffer.concat(chunks).toString() }
}

async function faultOf(work: Promise<unknown>): Promise<TransportError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof TransportError)) throw new Error(`expected a TransportError, got ${String(error)}`)
  return error
}

test('a file that the host keeps packed is unpacked; half of one is no file', async () => {
  const packed = gzipSync('picture '.repeat(5000))
  const serveHead = (size: number) =>
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${size}\r\netag: "1"\r\n\r\n`)
  const server = await serve((socket, request) => {
    const body = request.head.includes('half') ? packed.subarray(0, packed.length / 2) : packed
    socket.write(Buffer.concat([serveHead(body.length), body]))
  })
  const whole = await fetched(linkTo(server))
  expect(whole.text).toBe('picture '.repeat(5000))
  expect(whole.headers).toEqual({})
  expect((await faultOf(fetched(linkTo(server, '/half')))).kind).toBe('truncated')
})

test('a link is fetched as it is, with neither key nor cookie on the wire', async () => {
  const server = await serve((socket) =>
    socket.write(httpText(200, 'picture', { 'set-cookie': 'a=b', etag: '"1"' })),
  )
  const downloads = downloadsOf()
  for (let n = 0; n < 2; n += 1) {
    const answer = await downloads.open(linkTo(server), {})
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1"' } })
    for await (const chunk of answer.body) expect(Buffer.from(chunk).toString()).toBe('picture')
  }
  expect(server.requests).toHaveLength(2)
  for (const { head } of server.requests) {
    expect(head).toMatch(/^GET \/file\.png\?sig=secret HTTP\/1\.1\r\n/)
    expect(head.toLowerCase()).not.toMatch(/authorization|cookie|bearer/)
  }
})

test('a resumed download asks for the rest of the same file', async () => {
  const server = await serve((socket) =>
    socket.write(httpText(206, 'rest', { 'content-range': 'bytes 5-8/9' })),
  )
  const answer = await fetched(linkTo(server), { resume: { from: 5, etag: '"abc"' } })
  expect(answer).toMatchObject({ status: 206, text: 'rest' })
  expect(server.requests[0]!.head.toLowerCase()).toContain('range: bytes=5-')
  expect(server.requests[0]!.head).toContain('if-range: "abc"')
})

test('redirects are followed to places that are allowed, three at most', async () => {
  const end = await serve((socket) => socket.write(httpText(200, 'there')))
  const hop: RawServer = await serve((socket, request) => {
    const left = Number(/GET \/(\d)/.exec(request.head)?.[1])
    const location = left > 1 ? `/${left - 1}` : linkTo(end)
    socket.write(httpText(302, 'moved', { location }))
  })
  expect((await fetched(linkTo(hop, '/3'))).text).toBe('there')
  expect((await faultOf(fetched(linkTo(hop, '/4')))).kind).toBe('malformed')
})

test.each([
  'http://169.254.169.254/latest/meta-data',
  'http://0.0.0.0/',
  'file:///etc/passwd',
  'http://u:p@127.0.0.1/',
  'http://[fe80::1]/',
])('a redirect to %s is not followed', async (location) => {
  const server = await serve((socket) => socket.write(httpText(301, '', { location })))
  expect((await faultOf(fetched(linkTo(server)))).kind).toBe('blocked')
})

test('a name that leads to this machine is not connected to for a service on the open net', async () => {
  const server = await serve((socket) => socket.write(httpText(200, 'secret')))
  const asked: string[] = []
  const resolve: Resolve = (host) => {
    asked.push(host)
    return Promise.resolve([
      { address: host === 'service.example' ? '93.184.216.34' : '127.0.0.1', family: 4 },
    ])
  }
  const link = `https://rebind.example:${server.port}/x`
  const error = await faultOf(fetched(link, {}, { baseUrl: 'https://service.example/api/v1', resolve }))
  expect(error.kind).toBe('blocked')
  expect(asked).toContain('rebind.example')
  expect(server.received).toHaveLength(0)
})

test('for a service on this machine a name may lead here', async () => {
  const server = await serve((socket) => socket.write(httpText(200, 'here')))
  const resolve: Resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  expect((await fetched(`http://files.test:${server.port}/x`, {}, { resolve })).text).toBe('here')
})

const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
test.each([
  ['a short body', httpText(200, 'half', { 'content-length': '100' })],
  ['chunks without an end', `${chunked}4\r\nhalf\r\n`],
  ['half a chunk', `${chunked}ff\r\nhalf`],
])('%s is truncated', async (_, text) => {
  const server = await serve((socket) => socket.end(text))
  expect((await faultOf(fetched(linkTo(server)))).kind).toBe('truncated')
})

test('a reset in the body is truncated, one before the head is a reset', async () => {
  const server = await serve((socket, request) => {
    if (request.head.startsWith('GET /head')) socket.resetAndDestroy()
    else socket.write(httpText(200, 'half', { 'content-length': '100' }), () => socket.resetAndDestroy())
  })
  expect(['truncated', 'reset']).toContain((await faultOf(fetched(linkTo(server)))).kind)
  expect((await faultOf(fetched(linkTo(server, '/head')))).kind).toBe('reset')
})

test('silence is a stall, before the head and within the body', async () => {
  const server = await serve((socket, request) => {
    if (!request.head.startsWith('GET /head'))
      socket.write(httpText(200, 'half', { 'content-length': '100' }))
  })
  expect((await faultOf(fetched(linkTo(server), {}, { idleMs: 300 }))).kind).toBe('stalled')
  expect((await faultOf(fetched(linkTo(server, '/head'), {}, { idleMs: 300 }))).kind).toBe('stalled')
})

test('an abort ends a download, before the head and within the body', async () => {
  const abort = new AbortController()
  const server = await serve((socket) => socket.write(httpText(200, 'half', { 'content-length': '100' })))
  const answer = await downloadsOf().open(linkTo(server), { signal: abort.signal })
  abort.abort()
  const drained = (async () => {
    for await (const chunk of answer.body) expect(chunk.length).toBe(4)
  })()
  expect((await faultOf(drained)).kind).toBe('aborted')
  expect((await faultOf(fetched(linkTo(server), { signal: AbortSignal.abort() }))).kind).toBe('aborted')
})

test('errors name the host, never the signature', async () => {
  const error = await faultOf(fetched('http://127.0.0.1:1/x?sig=secret'))
  expect(error.kind).toBe('refused')
  expect(error.message).not.toContain('secret')
})
