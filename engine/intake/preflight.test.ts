import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Clock } from '../clock.ts'
import { systemClock } from '../clock.ts'
import { preflight, preflightOne } from './preflight.ts'
import type { Preflight } from './preflight.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
let server: Server
let base = ''
let asked: IncomingHttpHeaders[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.headers)
    const path = request.url ?? ''
    const status = Number(/\d{3}$/.exec(path)?.[0] ?? 200)
    if (path === '/hang') return
    if (path === '/break') {
      request.socket.destroy()
      return
    }
    if (path === '/endless') {
      response.writeHead(200)
      response.write(png)
      const more = () => response.write(Buffer.alloc(65_536))
      response.on('drain', more)
      more()
      return
    }
    if (path.startsWith('/range'))
      response.writeHead(206, { 'content-range': 'bytes 0-15/48000000' }).end(png)
    else if (path === '/login') response.end('<html><form><input type="password"></form>')
    else if (path === '/text') response.writeHead(200, { 'content-type': 'text/plain' }).end('hello')
    else if (path === '/empty') response.end()
    else response.writeHead(status).end(png)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

describe('preflightOne', () => {
  it.each([
    ['/range', { verdict: 'image', kind: 'png', bytes: 48_000_000, sentence: 'A picture (PNG, 48.0 MB).' }],
    ['/endless', { verdict: 'image', kind: 'png' }],
    ['/login', { verdict: 'page', sentence: expect.stringContaining('a login page') }],
    ['/text', { verdict: 'not-an-image', sentence: expect.stringContaining('(text/plain)') }],
    ['/empty', { verdict: 'not-an-image', sentence: expect.stringContaining('empty') }],
    ['/403', { verdict: 'refused' }],
    ['/404', { verdict: 'missing' }],
    ['/429', { verdict: 'server-trouble' }],
    ['/503', { verdict: 'server-trouble' }],
    ['/break', { verdict: 'unreachable' }],
  ])('judges %s', async (path, expected) => {
    const answer = await preflightOne(`${base}${path}`, { transport: fetch, clock: systemClock })
    expect(answer).toMatchObject({ url: `${base}${path}`, ...expected })
  })

  it('gives up on a server that does not answer, when the clock says so', async () => {
    let slept = 0
    const clock: Clock = {
      ...systemClock,
      sleep: (ms) => {
        slept = ms
        return Promise.resolve()
      },
    }
    const answer = await preflightOne(`${base}/hang`, { transport: fetch, clock, timeoutMs: 9000 })
    expect([answer.verdict, slept]).toEqual(['too-slow', 9000])
  })
})

describe('preflight', () => {
  it('asks all, a few at a time, for the first bytes and without a key', async () => {
    asked = []
    let open = 0
    let mostOpen = 0
    const transport: typeof fetch = async (url, init) => {
      mostOpen = Math.max(mostOpen, ++open)
      return fetch(url, init).finally(() => open--)
    }
    const answers: Preflight[] = []
    const urls = Array.from({ length: 40 }, (_, index) => `${base}/range${index}`)
    for await (const answer of preflight(urls, { transport, clock: systemClock, concurrency: 3 }))
      answers.push(answer)
    expect(new Set(answers.map((answer) => answer.url))).toEqual(new Set(urls))
    expect(mostOpen).toBe(3)
    for (const headers of asked) {
      expect(headers['range']).toBe('bytes=0-4095')
      expect(headers['authorization'] ?? headers['cookie']).toBeUndefined()
    }
  })

  it('ends with the signal, whatever is still open', async () => {
    const stop = new AbortController()
    const answers: Preflight[] = []
    for await (const answer of preflight([`${base}/range`, `${base}/hang`], {
      transport: fetch,
      clock: systemClock,
      signal: stop.signal,
    })) {
      answers.push(answer)
      stop.abort()
    }
    expect(answers.length).toBe(1)
  })
})
