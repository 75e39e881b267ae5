import { describe, expect, test } from 'vitest'
import { bench, raw, reply } from './testing/client.ts'
import type { PracticeService } from '../start.ts'

async function order(service: PracticeService, method: string, path: string, body?: unknown) {
  const init = { method, headers: { 'content-type': 'application/json' } }
  return reply(
    await fetch(
      `${service.origin}/practice/${path}`,
      body === undefined ? init : { ...init, body: JSON.stringify(body) },
    ),
  )
}

describe('the control endpoints', () => {
  test('set, add, show and clear faults', async () => {
    const { service, get } = await bench()
    const rule = { on: 'balance', fault: { kind: 'status', status: 503 } }
    expect((await order(service, 'PUT', 'faults', [rule])).status).toBe(200)
    expect((await get('/balance')).status).toBe(503)
    expect((await order(service, 'GET', 'faults')).body).toEqual([rule])
    await order(service, 'DELETE', 'faults')
    expect((await get('/balance')).status).toBe(200)
    await order(service, 'POST', 'faults', { ...rule, times: 1 })
    expect((await get('/balance')).status).toBe(503)
  })

  test.each([
    ['faults', [{ on: 'balance', fault: { kind: 'flood' } }]],
    ['faults', [{ on: 'everything', fault: { kind: 'empty' } }]],
    ['faults', { on: 'balance' }],
    ['conduct', { concurrency: -1 }],
    ['conduct', { speed: 1 }],
  ])('refuse what they do not understand: %s', async (path, body) => {
    const { service } = await bench()
    const answer = await order(service, 'PUT', path, body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error: expect.stringMatching(/\.$/) })
  })

  test('change the conduct and top up', async () => {
    const { service, get } = await bench()
    await order(service, 'PUT', 'conduct', { linkSeconds: 5, refund: 'keep' })
    expect((await order(service, 'GET', 'conduct')).body).toMatchObject({
      linkSeconds: 5,
      refund: 'keep',
      latencyMs: 0,
    })
    await order(service, 'POST', 'top-up', { account: 'practice', credits: 11 })
    expect((await get('/balance')).body).toMatchObject({ total_credits: 511 })
    expect((await order(service, 'POST', 'top-up', { account: 'nobody', credits: 1 })).status).toBe(400)
  })

  test('submit as a stranger, hold and release', async () => {
    const { service, get } = await bench()
    await order(service, 'POST', 'hold')
    const stranger = {
      account: 'practice',
      app_id: 'rescue',
      parameters: { image: 'http://127.0.0.1/x.jpg' },
    }
    const { run_id: runId } = (await order(service, 'POST', 'strangers', stranger)).body as { run_id: string }
    expect((await get(`/runs/${runId}`)).body).toMatchObject({ status: 'IN_QUEUE' })
    await order(service, 'POST', 'release')
    await service.control.idle()
    expect((await order(service, 'GET', 'books')).body).toMatchObject({
      runs: [{ runId, stranger: true, charged: 2 }],
    })
  })

  test('cannot be used by a web page of another site', async () => {
    const { service } = await bench()
    const simple = await fetch(`${service.origin}/practice/hold`, { method: 'POST', body: '' })
    expect(simple.status).toBe(400)
    const rebound = await raw(
      service.origin,
      'GET /practice/books HTTP/1.1\r\nhost: shop.example\r\nconnection: close\r\n\r\n',
    )
    expect(rebound.text).toMatch(/^HTTP\/1.1 403/)
    expect(
      (await fetch(`${service.origin}/practice/hold`, { method: 'OPTIONS' })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBeNull()
  })
})

describe('for people', () => {
  test('the front page and the sample shoot', async () => {
    const { service } = await bench()
    expect(await (await fetch(service.origin)).text()).toContain('Practice service')
    expect(await (await fetch(`${service.origin}/shoot/`)).text()).toContain('Rings/Solitaire/')
    const list = (await (await fetch(`${service.origin}/shoot/all.txt`)).text()).trim().split('\n')
    expect(list).toHaveLength(24)
    const picture = await fetch(list[0]!)
    expect(picture.headers.get('content-type')).toBe('image/jpeg')
    expect(Buffer.from(await picture.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
  })

  test.each(['/shoot/../start.ts', '/shoot/%2e%2e/start.ts', '/shoot/Rings', '/shoot/..%2f..%2fstart.ts'])(
    'nothing but the pictures can be had: %s',
    async (path) => {
      const { service } = await bench()
      const { text } = await raw(
        service.origin,
        `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
      )
      expect(text).toMatch(/^HTTP\/1.1 404/)
    },
  )
})
