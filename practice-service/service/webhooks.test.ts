import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { bench } from '../http/testing/client.ts'
import { VirtualClock } from './testing/virtual-clock.ts'

const receivers: Server[] = []
afterEach(() => {
  for (const receiver of receivers.splice(0)) {
    receiver.close()
    receiver.closeAllConnections()
  }
})

interface Notice {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly type: string | undefined
  readonly body: Record<string, unknown>
}

/** Receives notices, answering each with the next status (the last one for ever). */
async function receiver(...statuses: number[]) {
  const notices: Notice[] = []
  const waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>
      notices.push({ method: request.method, path: request.url, type: request.headers['content-type'], body })
      response.statusCode = statuses[notices.length - 1] ?? statuses.at(-1) ?? 204
      response.end()
      for (const tell of waiting.splice(0)) tell()
    })
  })
  receivers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?secret=1`
  const received = async (count: number) => {
    while (notices.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
    return notices
  }
  return { url, notices, received }
}

test('a success is told with the fields it has and no other (6)', async () => {
  const { url, received } = await receiver(204)
  const { accepted } = await bench()
  const runId = await accepted({ webhook_url: url })
  const [notice] = await received(1)
  expect(notice).toMatchObject({ method: 'POST', path: '/hook?secret=1', type: 'application/json' })
  expect(notice?.body).toEqual({
    run_id: runId,
    status: 'SUCCESS',
    output_url: expect.stringMatching(/^http:/),
    thumbnail: expect.stringMatching(/^http:/),
  })
  for (const link of [notice?.body['output_url'], notice?.body['thumbnail']]) {
    expect((await fetch(String(link))).status).toBe(200)
  }
})

test('a failure is told as FAILURE, where the record says FAILED (3)', async () => {
  const { url, received } = await receiver(204)
  const { accepted, record } = await bench({ outcome: () => ({ fail: 'No item was found.' }) })
  const runId = await accepted({ webhook_url: url })
  const [notice] = await received(1)
  expect(notice?.body).toEqual({ run_id: runId, status: 'FAILURE', error: 'No item was found.' })
  expect((await record(runId))['status']).toBe('FAILED')
})

test('is tried again a bounded number of times, and the run does not wait for it', async () => {
  const clock = new VirtualClock()
  const { url, notices, received } = await receiver(500)
  const { service, accepted, record } = await bench({ clock, webhook: { retryDelaysMs: [1_000, 5_000] } })
  const runId = await accepted({ webhook_url: url })
  await clock.advance(0)
  expect(await record(runId)).toMatchObject({ status: 'SUCCESS' })
  for (const [attempts, pause] of [
    [1, 1_000],
    [2, 5_000],
  ] as const) {
    await received(attempts)
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(pause)
  }
  await received(3)
  while (service.books().webhooks.failed === 0) await new Promise((resolve) => setImmediate(resolve))
  await clock.advance(1_000_000)
  expect(notices).toHaveLength(3)
  expect(service.books().webhooks).toEqual({ attempts: 3, delivered: 0, failed: 1, unreachable: 0 })
  expect(service.books().runs[0]).toMatchObject({ webhookAttempts: 3, webhookDelivered: false })
})

test('stops once it is taken', async () => {
  const { url, received } = await receiver(503, 200)
  const { service, accepted } = await bench({ webhook: { retryDelaysMs: [1, 1, 1] } })
  await accepted({ webhook_url: url })
  await received(2)
  while (service.books().webhooks.delivered === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(service.books().runs[0]).toMatchObject({ webhookAttempts: 2, webhookDelivered: true })
})

test.each(['https://hook.invalid/x', 'http://INVALID/', 'https://a.b.invalid./'])(
  '%s can reach nobody and is not even tried',
  async (url) => {
    const { service, accepted } = await bench()
    await accepted({ webhook_url: url })
    await service.control.idle()
    expect(service.books().webhooks).toEqual({ attempts: 0, delivered: 0, failed: 0, unreachable: 1 })
  },
)
