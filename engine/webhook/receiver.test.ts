import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { createWebhookReceiver, type ReceiverSettings } from './receiver.ts'
import { hashInPath, secretAddress, secretBytes } from './secret-address.ts'

const address = 'https://hook.example/studio?x=1'

/** A receiver that listens, and what it hears. */
async function listening(bounds: { headMs?: number; bodyMs?: number } = {}) {
  const heard: { hash: string; runId: string | undefined }[] = []
  const known = new Set<string>()
  const asked: string[] = []
  const stop = new AbortController()
  let settings: ReceiverSettings | undefined = { address, port: 0 }
  const part = createWebhookReceiver({ clock: systemClock, settings: () => settings, ...bounds })
  const told: string[] = []
  let port = 0
  const ready = new Promise<void>((resolve) => {
    const running = part.run(
      {
        knows: (hash) => {
          asked.push(hash)
          return known.has(hash)
        },
        announced: (hash, runId) => heard.push({ hash, runId }),
        tell: (message) => {
          told.push(message)
          port = Number(/127\.0\.0\.1:(\d+)/.exec(message)?.[1] ?? 0)
          resolve()
        },
      },
      stop.signal,
    )
    onTestFinished(async () => {
      stop.abort()
      await running
    })
  })
  await ready
  const { url, hash } = part.addressFor(address)!
  known.add(hash)
  return {
    part,
    port,
    heard,
    asked,
    told,
    hash,
    path: new URL(url).pathname,
    change: (next: ReceiverSettings | undefined) => {
      settings = next
    },
  }
}

/** One request as bytes; all that comes back. */
async function raw(port: number, text: string | Buffer, { end = false } = {}): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port })
  let answer = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    answer += chunk
  })
  // What is left of a request that is broken off may not find anybody any more.
  socket.on('error', () => {})
  socket.write(text)
  if (end) socket.end()
  await once(socket, 'close')
  return answer
}

function post(path: string, body: string, method = 'POST'): string {
  return `${method} ${path} HTTP/1.1\r\nhost: hook.example\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

const notice = JSON.stringify({ run_id: 'run-7', status: 'SUCCESS', output_url: 'http://127.0.0.1:1/never' })
/** Without its date, which is the only thing in it that changes. */
const plain = (answer: string) => answer.replace(/^Date: .*\r\n/im, '')

test('a notice with its secret is heard: the run id, and nothing else', async () => {
  const { port, path, heard, hash } = await listening()
  expect(await raw(port, post(path, notice))).toMatch(/^HTTP\/1\.1 204 /)
  // Whatever a tunnel puts before it.
  expect(await raw(port, post(`/tunnel${path}?y=2`, notice))).toMatch(/^HTTP\/1\.1 204 /)
  expect(heard).toEqual([
    { hash, runId: 'run-7' },
    { hash, runId: 'run-7' },
  ])
})

test('all that has no secret of ours gets the same answer to the byte, after the same work', async () => {
  const { port, path, heard, asked } = await listening()
  const secret = path.split('/').at(-1)!
  const wrong = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
  const requests = [
    post(`/studio/${wrong}`, notice),
    post('/', ''),
    post('/studio/', notice),
    post(`/${secret}x`, notice),
    post(`/${secret.slice(1)}`, notice),
    post(`/${secret}/`, notice),
    post(`/${secret.toLowerCase()}`, notice),
    post('/%00%0d%0a', 'no JSON'),
    post(path, '', 'GET'),
    post(path, notice, 'PUT'),
    post(path, '', 'DELETE'),
  ]
  const answers = []
  for (const request of requests) answers.push(plain(await raw(port, request)))
  expect(new Set(answers).size).toBe(1)
  expect(answers[0]).toMatch(/^HTTP\/1\.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n$/)
  // Each was hashed and looked up once.
  expect(asked).toHaveLength(requests.length)
  expect(heard).toEqual([])
})

test.each([
  ['no JSON', 'hello'],
  ['nothing', ''],
  ['a list', '[]'],
  ['a run id that is no text', '{"run_id":7}'],
  ['a run id that is too long', JSON.stringify({ run_id: 'x'.repeat(201) })],
])('%s with a secret is heard without a run id', async (_, body) => {
  const { port, path, heard, hash } = await listening()
  expect(await raw(port, post(path, body))).toMatch(/^HTTP\/1\.1 204 /)
  expect(heard).toEqual([{ hash, runId: undefined }])
})

test('a body that is too long is not read to its end', async () => {
  const { port, path, heard, hash } = await listening()
  const head = `POST ${path} HTTP/1.1\r\nhost: h\r\ncontent-length: 1000000000\r\n\r\n`
  await raw(port, head + `{"run_id":"run-7","x":"${'x'.repeat(80_000)}`)
  expect(heard).toEqual([{ hash, runId: undefined }])
})

test('requests that come slowly, or not to their end, are broken off', async () => {
  const { port, path, heard } = await listening({ headMs: 300, bodyMs: 600 })
  await Promise.all([
    raw(port, `POST ${path} HTTP/1.1\r\nhost: h\r\n`),
    raw(port, `POST ${path} HTTP/1.1\r\nhost: h\r\ncontent-length: 50\r\n\r\n{"run_id":`),
    raw(port, 'POST '),
    raw(port, `POST ${path} HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`),
  ])
  expect(heard.every(({ runId }) => runId === undefined)).toBe(true)
})

test('nobody but this computer reaches it', async () => {
  const { port } = await listening()
  const others = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)
  // Of Linux all of 127/8 is this computer: what listens on every address is heard at this one too.
  const hosts = process.platform === 'linux' ? [...others, '127.0.0.2'] : others
  for (const host of hosts) {
    const socket = connect({ host, port })
    const outcome = await new Promise<string>((resolve) => {
      socket.once('connect', () => resolve('reached'))
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'refused'))
    })
    socket.destroy()
    expect(outcome, host).toBe('ECONNREFUSED')
  }
})

test('a port that is taken is told once; when it is changed there, the receiver moves', async () => {
  const { told, change, port } = await listening()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const taken = (other.address() as AddressInfo).port
  change({ address, port: taken })
  const until = Date.now() + 30_000
  while (told.length < 2 && Date.now() < until) await systemClock.sleep(20)
  expect(told[1]).toMatch(new RegExp(`^Notifications .* port ${taken} of this computer is taken; .*\\.$`))
  // It has left the port where it was.
  const socket = connect({ host: '127.0.0.1', port })
  const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toBe('ECONNREFUSED')
})

test('only the address of the tunnel gets a secret, each time another', async () => {
  const { part, change } = await listening()
  expect(part.addressFor('https://vitrine.invalid/none')).toBeUndefined()
  expect(part.addressFor('https://hook.example/other')).toBeUndefined()
  const two = [part.addressFor(address)!, part.addressFor(` ${address} `)!]
  expect(two[0]!.url).toMatch(/^https:\/\/hook\.example\/studio\/[\w-]{32}\?x=1$/)
  expect(new Set(two.map(({ url }) => url)).size).toBe(2)
  change(undefined)
  expect(part.addressFor(address)).toBeUndefined()
})

test('whatever the address, its secret is found again in the path that is asked for', () => {
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.uint8Array({ minLength: secretBytes, maxLength: secretBytes }),
      (url, random) => {
        const made = secretAddress(url, random)
        const { pathname, search, hash } = new URL(made.url)
        expect(hashInPath(pathname + search)).toBe(made.hash)
        expect(hash).toBe('')
      },
    ),
  )
})

test('any path is borne', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      expect(hashInPath(path)).toMatch(/^[\w-]{43}$/)
    }),
  )
})
