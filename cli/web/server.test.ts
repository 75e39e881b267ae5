import { createConnection } from 'node:net'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { pageHeaders } from '../../shared/page-headers.ts'
import { receiveDrop } from './drop-upload.ts'
import { PageFiles } from '../../engine/page-files.ts'
import { startWebServer } from './server.ts'
import { emptyFolder, type TestEnd } from './testing/program.ts'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** A server over a small built page. */
async function stage(test: TestEnd) {
  const folder = await emptyFolder(test)
  await mkdir(join(folder, 'page', 'assets'), { recursive: true })
  await writeFile(join(folder, 'page', 'index.html'), '<!doctype html><title>Page</title>')
  await writeFile(join(folder, 'page', 'assets', 'main-1.js'), 'export {}')
  await writeFile(join(folder, 'page', 'notes.exe'), 'never served')
  await writeFile(join(folder, 'secret.html'), 'never served')
  const faults: unknown[] = []
  const dropped: (readonly string[])[] = []
  let lines = 0
  const server = await startWebServer({
    port: 0,
    page: await PageFiles.in(join(folder, 'page')),
    pictures: (request) => {
      if (request.url.endsWith('/fault')) return Promise.reject(new Error('at secret.ts:1'))
      const headers = { 'content-type': 'image/png', 'x-range': request.headers.get('range') ?? 'none' }
      return Promise.resolve(new Response(new URL(request.url).pathname, { status: 206, headers }))
    },
    takeDrop: async (request) => {
      dropped.push(await receiveDrop(request, join(folder, 'drops')))
      return 'the drop'
    },
    onLine: (port) => {
      lines += 1
      port.send({ type: 'hello', protocol: 1 })
    },
    onExchange: () => {},
    onFault: (error) => void faults.push(error),
  })
  test.onTestFinished(async () => await server.close())
  const ask = (path: string, { method = 'GET', headers = {}, body }: Asking = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = httpRequest({ host: '127.0.0.1', port: server.port, path, method, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode!,
            headers: answer.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        )
      })
      sent.on('error', reject)
      sent.end(body)
    })
  const token = () => new URL(server.address()).searchParams.get('token')!
  const enter = async () => {
    const { headers } = await ask(`/?token=${token()}`)
    return headers['set-cookie']![0]!.split(';')[0]!
  }
  return {
    server,
    ask,
    token,
    enter,
    faults,
    dropped,
    folder,
    lines: () => lines,
    origin: `http://127.0.0.1:${server.port}`,
  }
}

describe('the loopback server', () => {
  test('a token is good once; the cookie is for this page alone, and the address is clean after it', async (context) => {
    const { ask, token, server } = await stage(context)
    const first = token()
    expect(first).toHaveLength(43)
    expect((await ask('/')).status).toBe(401)
    const exchanged = await ask(`/?token=${first}`)
    expect([exchanged.status, exchanged.headers.location]).toEqual([303, '/'])
    const [cookie] = exchanged.headers['set-cookie']!
    expect(cookie).toMatch(
      new RegExp(`^vitrine-${server.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`),
    )
    const again = await ask(`/?token=${first}`)
    expect([again.status, again.body]).toEqual([401, expect.stringContaining('used already')])
    expect(token()).not.toBe(first)
    const page = await ask('/', { headers: { cookie: cookie!.split(';')[0]! } })
    expect([page.status, page.body]).toEqual([200, expect.stringContaining('Page')])
  })

  test('a browser that came over another page is led on by a page of ours, so that its cookie counts', async (context) => {
    const { ask, token } = await stage(context)
    const led = await ask(`/?token=${token()}`, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect([led.status, led.headers['refresh']]).toEqual([200, '0; url=/'])
    expect(led.headers['set-cookie']).toHaveLength(1)
  })

  test('every answer carries the policy, and none allows another page to read it', async (context) => {
    const { ask, enter, token } = await stage(context)
    const cookie = await enter()
    const answers = [
      await ask('/', { headers: { cookie } }),
      await ask('/assets/main-1.js', { headers: { cookie } }),
      await ask('/pictures/1/source/thumb-128?v=1', { headers: { cookie } }),
      await ask('/nothing', { headers: { cookie } }),
      await ask('/'),
      await ask('/', { method: 'DELETE' }),
      await ask(`/?token=${token()}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 206, 404, 401, 405, 303])
    for (const { headers } of answers) {
      for (const [name, value] of Object.entries(pageHeaders)) expect(headers[name.toLowerCase()]).toBe(value)
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  test('only files of the built page are served, whatever the path is written like', async (context) => {
    const { ask, enter } = await stage(context)
    const headers = { cookie: await enter() }
    const paths = [
      '/notes.exe',
      '/../secret.html',
      '/%2e%2e/secret.html',
      '/..%2fsecret.html',
      '/..%5csecret.html',
      '/assets/../../secret.html',
      '/assets/%2e%2e/%2e%2e/secret.html',
      '//etc/passwd',
      '/%00',
      '/assets',
      '/assets/',
      '/.',
      '/C:/secret.html',
      '/index.html%00.js',
      'http://elsewhere.example/index.html',
      '*',
    ]
    for (const path of paths) expect([path, (await ask(path, { headers })).status]).toEqual([path, 404])
    expect((await ask('/index.html', { headers })).status).toBe(200)
    const kept = await ask('/assets/main-1.js', { headers })
    expect([kept.headers['content-type'], kept.headers['cache-control']]).toEqual([
      'text/javascript; charset=utf-8',
      'private, max-age=31536000, immutable',
    ])
    expect((await ask('/', { method: 'HEAD', headers })).body).toBe('')
  })

  test('pictures are asked for with their range, and a fault of ours is told without its details', async (context) => {
    const { ask, enter, faults } = await stage(context)
    const cookie = await enter()
    const part = await ask('/pictures/7/primary/file?v=2', { headers: { cookie, range: 'bytes=0-1' } })
    expect([part.status, part.headers['x-range'], part.body]).toEqual([
      206,
      'bytes=0-1',
      '/pictures/7/primary/file',
    ])
    const fault = await ask('/pictures/fault', { headers: { cookie } })
    expect([fault.status, fault.body]).toEqual([500, expect.not.stringContaining('secret.ts')])
    expect(faults).toHaveLength(1)
  })

  const form = (files: readonly (readonly [string, string])[], names?: unknown) => {
    const boundary = 'limit'
    const part = (head: string, body: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
    const listed = part('name="names"', JSON.stringify(names ?? files.map(([name]) => name)))
    const sent = files.map(([, text]) =>
      part('name="file"; filename="blob"\r\nContent-Type: text/plain', text),
    )
    return {
      body: `${listed}${sent.join('')}--${boundary}--\r\n`,
      type: `multipart/form-data; boundary=${boundary}`,
    }
  }

  test('dropped files are taken in below a folder of their own, and no name leads out of it', async (context) => {
    const { ask, enter, dropped, folder, origin } = await stage(context)
    const cookie = await enter()
    const { body, type } = form([
      ['Shoot/rings/list.txt', 'https://pictures.example/1.jpg'],
      ['Shoot/more.csv', 'url'],
      ['../outside.txt', 'x'],
      ['/absolute.txt', 'x'],
      ['a\\b.txt', 'x'],
      ['C:x.txt', 'x'],
      ['top.txt', 'https://pictures.example/2.jpg'],
    ])
    const post = { method: 'POST', body, headers: { cookie, origin, 'content-type': type } }
    const answer = await ask('/drops', post)
    expect([answer.status, answer.body]).toEqual([200, '{"drop":"the drop"}'])
    const [paths] = dropped
    expect(paths!.map((path) => path.split('/').at(-1))).toEqual(['Shoot', 'top.txt'])
    expect(paths!.every((path) => path.startsWith(join(folder, 'drops')))).toBe(true)
    expect(await readFile(join(paths![0]!, 'rings', 'list.txt'), 'utf8')).toContain('1.jpg')
    await expect(readFile(join(folder, 'outside.txt'))).rejects.toThrow()
  })

  test('drops that are too large, too many, no forms, or from elsewhere are refused with a sentence', async (context) => {
    const { ask, enter, origin, dropped, faults } = await stage(context)
    const cookie = await enter()
    const post = async (body: string | Uint8Array, type: string, more: Record<string, string> = {}) =>
      await ask('/drops', {
        method: 'POST',
        body,
        headers: { cookie, origin, 'content-type': type, ...more },
      })
    const small = form([['a.txt', 'x']])
    expect((await post('{}', 'application/json')).status).toBe(415)
    expect((await post('nonsense', small.type)).status).toBe(400)
    const uneven = form([['a.txt', 'x']], ['a.txt', 'b.txt'])
    expect((await post(uneven.body, uneven.type)).status).toBe(400)
    const nameless = form([['..', 'x']])
    expect((await post(nameless.body, nameless.type)).body).toContain('name that can be used')
    const many = form(
      [],
      Array.from({ length: 20_001 }, (_, index) => `${index}.txt`),
    )
    expect((await post(many.body, many.type)).body).toContain('20,000')
    const large = form([['a.txt', 'x'.repeat(65 * 1024 * 1024)]])
    const refused = await post(large.body, large.type).catch(() => ({ status: 413, body: 'MB' }))
    expect([refused.status, refused.body]).toEqual([413, expect.stringContaining('MB')])
    expect((await post(small.body, small.type, { origin: 'http://elsewhere.example' })).status).toBe(403)
    expect((await post(small.body, small.type, { cookie: 'none=1' })).status).toBe(401)
    expect([dropped, faults]).toEqual([[], []])
  })

  test('a line is opened for the page alone', async (context) => {
    const { enter, server, origin, lines, token } = await stage(context)
    const cookie = await enter()
    const open = async (headers: Record<string, string>, path = '/line') => {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers })
      const said = await new Promise<string>((resolve) => {
        socket.once('message', (data) => resolve((data as Buffer).toString()))
        socket.once('unexpected-response', (_, answer) => resolve(String(answer.statusCode)))
        socket.once('error', () => {})
      })
      socket.terminate()
      return said
    }
    expect(await open({ cookie, origin })).toBe('{"type":"hello","protocol":1}')
    expect(await open({ origin })).toBe('401')
    expect(await open({ cookie })).toBe('403')
    expect(await open({ cookie, origin: 'http://elsewhere.example' })).toBe('403')
    expect(await open({ cookie, origin: `http://localhost:${server.port}` })).toBe('403')
    expect(await open({ cookie, origin, host: `elsewhere.example:${server.port}` })).toBe('403')
    expect(await open({ cookie, origin, 'sec-fetch-site': 'same-site' })).toBe('403')
    expect(await open({ cookie, origin }, '/other')).toBe('404')
    expect(await open({ origin }, `/line?token=${token()}`)).toBe('401')
    expect(lines()).toBe(1)
  })

  test('more lines than a person has windows are refused, and a message beyond all bounds ends its line', async (context) => {
    const { enter, server, origin } = await stage(context)
    const headers = { cookie: await enter(), origin }
    const connect = () => new WebSocket(`ws://127.0.0.1:${server.port}/line`, { headers })
    const sockets = Array.from({ length: 16 }, connect)
    await Promise.all(sockets.map((socket) => once(socket, 'open')))
    const [error] = (await once(connect(), 'error')) as [Error]
    expect(error.message).toContain('503')
    const [first] = sockets
    const closed = once(first!, 'close')
    first!.on('error', () => {})
    first!.send(Buffer.alloc(73 * 1024 * 1024, 'x'))
    expect((await closed)[0]).toBe(1009)
    for (const socket of sockets) socket.terminate()
  })

  test('nobody but this computer reaches it', async (context) => {
    const { server } = await stage(context)
    const others = Object.values(networkInterfaces())
      .flatMap((entries) => entries ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address)
    // Of Linux all of 127/8 is this computer: what listens on every address is heard at this one too.
    const hosts = process.platform === 'linux' ? [...others, '127.0.0.2'] : others
    for (const host of hosts) {
      const socket = createConnection({ host, port: server.port })
      const outcome = await new Promise<string>((resolve) => {
        socket.once('connect', () => resolve('reached'))
        socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'refused'))
      })
      socket.destroy()
      expect(outcome, host).toBe('ECONNREFUSED')
    }
  })

  test('it closes with its lines, and answers no more', async (context) => {
    const { server, enter, origin } = await stage(context)
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/line`, {
      headers: { cookie: await enter(), origin },
    })
    await once(socket, 'open')
    const closed = once(socket, 'close')
    await server.close()
    await closed
    const refused = createConnection(server.port, '127.0.0.1')
    const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException]
    expect(error.code).toBe('ECONNREFUSED')
  })
})
