import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { echoPicture } from './echo-pictures.ts'
import { SourcePictures } from './source-picture.ts'

const servers: Server[] = []
const sources: SourcePictures[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
  await Promise.all(sources.splice(0).map((each) => each.close()))
})

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function fetchSource(address: string, limits = { timeoutMs: 10_000, maxBytes: 100_000 }): Promise<Buffer> {
  const source = new SourcePictures(limits)
  sources.push(source)
  return source.fetch(address, new AbortController().signal)
}

test('a picture comes as it is, over redirects too', async () => {
  const picture = echoPicture('ring')
  const origin = await served((request, response) => {
    if (request.url === '/old') response.writeHead(302, { location: '/ring.png' }).end()
    else response.end(picture)
  })
  expect(await fetchSource(`${origin}/old`)).toEqual(picture)
})

test.each<[string, RequestListener, RegExp]>([
  [
    '404',
    (_request, response) => response.writeHead(404).end('gone'),
    /could not be downloaded: 404 Not Found \(http:\/\/127\.0\.0\.1:\d+\/ring\.jpg\)$/,
  ],
  [
    'a web page',
    (_request, response) => response.end('<!DOCTYPE html><p>Sign in'),
    /not lead to an image but to a web page/,
  ],
  ['a text', (_request, response) => response.end('hello'), /not lead to an image the service can read/],
  ['nothing', (_request, response) => response.end(), /the file is empty/],
  ['a file without end', (_request, response) => response.end(Buffer.alloc(100_001, 0xff)), /too large/],
  ['a reset', (request) => request.socket.resetAndDestroy(), /the connection was (reset|closed early)/],
  [
    'a cut',
    (request, response) => {
      response.writeHead(200, { 'content-length': 5000 })
      response.write(echoPicture('x'), () => request.socket.end())
    },
    /could not be downloaded: the connection/,
  ],
])('%s is told in a sentence', async (_name, listener, expected) => {
  const origin = await served(listener)
  await expect(fetchSource(`${origin}/ring.jpg`)).rejects.toThrow(expected)
})

test('a server that never answers is given up', async () => {
  const origin = await served(() => undefined)
  await expect(fetchSource(`${origin}/ring.jpg`, { timeoutMs: 50, maxBytes: 1000 })).rejects.toThrow(
    /no answer within 0\.05 s/,
  )
})

test.each([
  ['ring.jpg', /not a web address \(ring\.jpg\)/],
  ['file:///etc/hosts', /not a web address/],
  ['http://127.0.0.1:1/ring.jpg', /the connection was refused|the connection failed/],
])('%s cannot be fetched', async (address, expected) => {
  await expect(fetchSource(address)).rejects.toThrow(expected)
})

test('the query of a signed address stays out of the message', async () => {
  const origin = await served((_request, response) => response.writeHead(403).end())
  await expect(fetchSource(`${origin}/ring.jpg?signature=secret`)).rejects.toThrow(
    /403 Forbidden \(http:.*ring\.jpg\?…\)/,
  )
})
