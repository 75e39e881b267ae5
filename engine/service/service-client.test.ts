import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { ApiKey } from './api-key.ts'
import { checkBaseUrl } from './base-url.ts'
import { createServiceClient } from './service-client.ts'
import type { SubmitConnection, HttpAnswer, HttpGet, Transport } from './transport.ts'
import { TransportError } from './transport.ts'

const secret = 'sk-canary-9f8e7d'
const key = ApiKey.parse(secret) as ApiKey

type Reply = HttpAnswer | TransportError

function reply(
  status: number,
  body: unknown = '',
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

/** A client over a transport that gives one answer to everything. */
function clientOf(answer: Reply, before?: 'sending') {
  const gets: HttpGet[] = []
  const posts: { readonly headers: Readonly<Record<string, string>>; readonly body: string }[] = []
  const give = () => (answer instanceof TransportError ? Promise.reject(answer) : Promise.resolve(answer))
  const connection: SubmitConnection = {
    usable: true,
    post(call) {
      if (before === 'sending') return give()
      try {
        call.sending()
      } catch (error) {
        return Promise.reject(error)
      }
      posts.push(call)
      return give()
    },
    close() {},
  }
  const transport: Transport = {
    request(call) {
      gets.push(call)
      return give()
    },
    open: () => (answer instanceof TransportError ? Promise.reject(answer) : Promise.resolve(connection)),
  }
  const checked = checkBaseUrl('https://service.example/api/v1/')
  if (!checked.ok) throw new Error(checked.problem)
  const client = createServiceClient({ base: checked.base, key, transport, clock: systemClock })
  return { client, connection, gets, posts }
}

const page = '<!doctype html><html><head><title>Hotel WiFi</title></head></html>'
const list = { runs: [{ run_id: 'a', status: 'SUCCESS' }], total: 1, page: 1, has_more: false }
const date = 'Sat, 21 Nov 2026 08:00:00 GMT'

test('every endpoint is asked at its place; the key goes with all but the catalogue', async () => {
  const { client, gets } = clientOf(reply(200, {}))
  await client.run('a/b?c')
  await client.list({ page: 0, limit: 500, status: 'IN_PROGRESS' })
  await client.balance()
  await client.downloadLink('r1')
  await client.apps()
  expect(gets.map((call) => call.url)).toEqual([
    'https://service.example/api/v1/runs/a%2Fb%3Fc',
    'https://service.example/api/v1/runs?page=1&limit=50&status=IN_PROGRESS',
    'https://service.example/api/v1/balance',
    'https://service.example/api/v1/runs/r1/download',
    'https://service.example/api/v1/apps',
  ])
  const keys = gets.map((call) => call.headers['authorization'])
  expect(keys).toEqual([...Array.from({ length: 4 }, () => `Bearer ${secret}`), undefined])
})

test('a list that ignores the status filter is filtered here, and its total is not believed', async () => {
  const runs = ['SUCCESS', 'IN_PROGRESS', 'FAILED'].map((status, index) => ({ run_id: `r${index}`, status }))
  const { client } = clientOf(reply(200, { runs, total: 3, page: 1, has_more: false }))
  const inProgress = await client.list({ status: 'IN_PROGRESS' })
  expect(inProgress).toMatchObject({ kind: 'ok', value: { runs: [{ runId: 'r1' }], hasMore: false } })
  expect(inProgress.kind === 'ok' && inProgress.value.total).toBeUndefined()
  expect(await client.list()).toMatchObject({ kind: 'ok', value: { total: 3, runs: { length: 3 } } })
})

test('an id that would be another path is never asked for', async () => {
  const { client, gets } = clientOf(reply(200, {}))
  for (const id of ['', '.', '..']) expect((await client.run(id)).kind).toBe('not-found')
  expect(gets).toHaveLength(0)
})

test("an answer carries the service's own time", async () => {
  const { client } = clientOf(reply(200, list, { date }))
  const answer = await client.list()
  if (answer.kind !== 'ok') throw new Error(answer.kind)
  expect(answer.date).toBe(Date.UTC(2026, 10, 21, 8))
  expect(answer.value.runs[0]!.runId).toBe('a')
  expect(answer.receivedAt - answer.sentAt).toBe(answer.rttMs)
})

test.each([
  [reply(400, { error: 'bad page' }), { kind: 'refused', status: 400, message: 'bad page' }],
  [reply(401), { kind: 'key-rejected', status: 401 }],
  [reply(403, { error: 'no' }), { kind: 'key-rejected', status: 403 }],
  [reply(403, page), { kind: 'not-the-service' }],
  [reply(402), { kind: 'out-of-credits' }],
  [reply(404), { kind: 'not-the-service' }],
  [reply(409), { kind: 'refused', status: 409 }],
  [reply(429, '', { 'retry-after': '3' }), { kind: 'busy', retryAfterMs: 3000 }],
  [
    reply(429, '', { 'retry-after': 'Sat, 21 Nov 2026 08:00:10 GMT', date }),
    { kind: 'busy', retryAfterMs: 10_000 },
  ],
  [reply(429), { kind: 'busy', status: 429 }],
  [reply(503, '', { 'retry-after': '1' }), { kind: 'busy', status: 503 }],
  [reply(503), { kind: 'unavailable', status: 503, offline: false }],
  [reply(500, page), { kind: 'unavailable', status: 500 }],
  [reply(408), { kind: 'unavailable' }],
  [reply(302, '', { location: 'https://login.example/?next=x' }), { kind: 'not-the-service', status: 302 }],
  [reply(200, page), { kind: 'not-the-service', status: 200 }],
  [reply(200, ''), { kind: 'not-the-service' }],
  [reply(200, 'null'), { kind: 'not-the-service' }],
  [reply(200, { hello: 'world' }), { kind: 'not-the-service' }],
  [new TransportError('dns', 'No address.', { sent: false }), { kind: 'unavailable', offline: true }],
  [new TransportError('reset', 'Broken.', { sent: true }), { kind: 'unavailable', offline: false }],
  [new TransportError('aborted', 'Stopped.', { sent: true }), { kind: 'aborted' }],
])('a GET that brings %j', async (answer, outcome) => {
  const result = await clientOf(answer).client.list()
  expect(result).toMatchObject(outcome)
  if (result.kind !== 'ok') expect(result.message).not.toMatch(/login\.example|Hotel/)
})

test('404 means "no such run" only where a run was asked for', async () => {
  const { client } = clientOf(reply(404, page))
  expect((await client.run('a')).kind).toBe('not-found')
  expect((await client.downloadLink('a')).kind).toBe('not-found')
  expect((await client.balance()).kind).toBe('not-the-service')
})

test('the record of another run is not taken for this one', async () => {
  const { client } = clientOf(reply(200, { run_id: 'b', status: 'SUCCESS' }))
  expect((await client.run('a')).kind).toBe('not-the-service')
  expect((await client.run('b')).kind).toBe('ok')
})

test("the service's words are shown without the key that they repeat", async () => {
  const result = await clientOf(reply(401, { error: `The key ${secret} is unknown` })).client.balance()
  expect(result).toMatchObject({ message: 'The key [key] is unknown' })
  expect(inspect(result)).not.toContain('canary')
})

const submitted: [Reply, object][] = [
  [reply(200, { run_id: 'r1' }), { kind: 'acked', runId: 'r1' }],
  [
    reply(400, { message: 'image missing' }),
    { kind: 'refused', reason: 'invalid', message: 'image missing' },
  ],
  [reply(401), { kind: 'refused', reason: 'key-rejected' }],
  [reply(402), { kind: 'refused', reason: 'out-of-credits' }],
  [reply(404), { kind: 'refused', reason: 'not-the-service' }],
  [reply(405), { kind: 'refused', reason: 'not-the-service' }],
  [reply(413), { kind: 'refused', reason: 'invalid' }],
  [reply(415), { kind: 'refused', reason: 'invalid' }],
  [reply(422), { kind: 'refused', reason: 'invalid' }],
  [reply(429, '', { 'retry-after': '2' }), { kind: 'refused', reason: 'busy', retryAfterMs: 2000 }],
  ...[300, 301, 302, 303, 307, 308, 399].map((status): [Reply, object] => [
    reply(status),
    { kind: 'refused', reason: 'not-the-service', status },
  ]),
  // Everything else may have been taken, and charged.
  ...[
    201, 202, 204, 206, 100, 101, 403, 406, 408, 409, 410, 423, 425, 451, 499, 500, 502, 503, 504, 520, 524,
    599,
  ].map((status): [Reply, object] => [reply(status, { run_id: 'r1' }), { kind: 'unknown', status }]),
  ...[
    '',
    ' ',
    'null',
    '{}',
    '[]',
    '"r1"',
    '{"run_id":""}',
    '{"run_id":null}',
    '{"run_id":7}',
    '{"run_id":["r1"]}',
  ].map((body): [Reply, object] => [reply(200, body), { kind: 'unknown', status: 200 }]),
  ...[
    '{"run_id":"r1"',
    '{"id":"r1"}',
    '{"runId":"r1"}',
    '{"data":{"run_id":"r1"}}',
    page,
    '\ufeff',
    '{"run_id":"\\u0000"}',
  ].map((body): [Reply, object] => [reply(200, body), { kind: 'unknown', status: 200 }]),
  ...(['timeout', 'reset', 'truncated', 'malformed', 'too-large', 'stalled'] as const).map(
    (kind): [Reply, object] => [
      new TransportError(kind, 'Lost.', { sent: true }),
      { kind: 'unknown', message: 'Lost.' },
    ],
  ),
  // After `sending` nothing is provable any more, whatever the transport claims.
  [new TransportError('reset', 'Lost.', { sent: false }), { kind: 'unknown' }],
]

test.each(submitted)('a submission that brings %j', async (answer, outcome) => {
  const { client, connection, posts } = clientOf(answer)
  let sending = 0
  const result = await client.submit(connection, '{"x":1}', () => (sending += 1))
  expect(result).toMatchObject(outcome)
  expect(sending).toBe(1)
  expect(posts).toEqual([expect.objectContaining({ body: '{"x":1}' })])
  expect(posts[0]!.headers).toMatchObject({
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
  })
})

test('a submission that fails before it is sent is unsent', async () => {
  const dead = clientOf(new TransportError('reset', 'Closed.', { sent: false }), 'sending')
  const result = await dead.client.submit(dead.connection, 'x', () => {})
  expect(result).toMatchObject({ kind: 'unsent', message: 'Closed.' })

  const doubtful = clientOf(new TransportError('reset', 'Closed.', { sent: true }), 'sending')
  expect((await doubtful.client.submit(doubtful.connection, 'x', () => {})).kind).toBe('unknown')

  const store = new Error('disk I/O error')
  const { client, connection, posts } = clientOf(reply(200, { run_id: 'r1' }))
  const stopped = await client.submit(connection, 'x', () => {
    throw store
  })
  expect(stopped).toMatchObject({ kind: 'unsent', cause: store })
  expect(posts).toHaveLength(0)
})

test('a connection that does not come about is told, not thrown', async () => {
  const { client } = clientOf(new TransportError('offline', 'No route.', { sent: false }))
  expect(await client.openSubmission()).toEqual({ kind: 'unsent', message: 'No route.', offline: true })
})
