import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../service/testing/virtual-clock.ts'
import type { FaultRule, PracticeService } from '../start.ts'
import { bench, getBytes, raw, submissionBytes } from './testing/client.ts'

type Fault = FaultRule['fault']

const charged = (service: PracticeService) => service.books().accounts['practice']?.charged ?? 0

/** Submits over a bare connection while the fault strikes submissions. */
async function submitUnder(fault: Fault, until?: (text: string) => boolean) {
  const { service } = await bench({ faults: [{ on: 'submit', fault, times: 1 }] })
  return { service, ...(await raw(service.origin, submissionBytes(service), until)) }
}

const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4)
const headerOf = (text: string, name: string) => new RegExp(`^${name}: (.*?)\r$`, 'im').exec(text)?.[1]

describe('faults in place of the handling: nothing is charged', () => {
  test.each<[string, Fault, RegExp | '', 'closed' | 'reset' | 'open']>([
    ['429', { kind: 'status', status: 429 }, /^HTTP\/1.1 429 /, 'open'],
    ['503', { kind: 'status', status: 503 }, /^HTTP\/1.1 503 /, 'open'],
    ['a sign-in page', { kind: 'html' }, /^HTTP\/1.1 200 [^]*text\/html[^]*<form>/, 'open'],
    [
      'a redirect',
      { kind: 'redirect', status: 307, to: 'http://127.0.0.1:9/x' },
      /307[^]*location: http:\/\/127.0.0.1:9\/x/,
      'open',
    ],
    ['a reset', { kind: 'reset-before' }, '', 'reset'],
    ['an end without an answer', { kind: 'close-before' }, '', 'closed'],
  ])('%s', async (_name, fault, expected, end) => {
    const answered = await submitUnder(fault, (text) => text.includes('\r\n\r\n'))
    if (expected === '') expect(answered.text).toBe('')
    else expect(answered.text).toMatch(expected)
    expect(answered.end).toBe(end)
    expect(charged(answered.service)).toBe(0)
    expect(answered.service.books().faults).toEqual({ [fault.kind]: 1 })
  })

  test.each([['7'], ['Wed, 21 Oct 2026 07:28:00 GMT'], ['-5'], ['tomorrow']])(
    'Retry-After: %s is sent as it is',
    async (value) => {
      const { text } = await submitUnder({ kind: 'status', status: 429, retryAfter: value }, (got) =>
        got.includes('\r\n\r\n'),
      )
      expect(headerOf(text, 'retry-after')).toBe(value)
    },
  )

  test('silence: the connection stays open and nothing comes', async () => {
    const { service } = await bench({ faults: [{ on: 'submit', fault: { kind: 'silence' } }] })
    const answered = raw(service.origin, submissionBytes(service))
    while (service.books().faults['silence'] === undefined)
      await new Promise((resolve) => setImmediate(resolve))
    await service.close()
    expect(await answered).toMatchObject({ text: '' })
    expect(charged(service)).toBe(0)
  })

  test('handled: the same answer, although the run was charged', async () => {
    const { service, text } = await submitUnder({ kind: 'status', status: 502, handled: true }, (got) =>
      got.includes('\r\n\r\n'),
    )
    expect(text).toMatch(/^HTTP\/1.1 502/)
    expect(charged(service)).toBe(2)
  })

  test('handled later: the connection is gone long before the run is accepted', async () => {
    const clock = new VirtualClock()
    const { service } = await bench({
      clock,
      faults: [{ on: 'submit', fault: { kind: 'reset-before', handleAfterMs: 60_000 } }],
    })
    expect((await raw(service.origin, submissionBytes(service))).end).toBe('reset')
    await clock.advance(59_999)
    expect(charged(service)).toBe(0)
    await clock.advance(1)
    expect(charged(service)).toBe(2)
  })
})

describe('faults after the handling: the run is charged', () => {
  test('a reset instead of the answer', async () => {
    const { service, text, end } = await submitUnder({ kind: 'reset-after' })
    expect({ text, end }).toEqual({ text: '', end: 'reset' })
    expect(charged(service)).toBe(2)
  })

  test('an orderly end instead of the answer', async () => {
    const { service, text, end } = await submitUnder({ kind: 'close-after' })
    expect({ text, end }).toEqual({ text: '', end: 'closed' })
    expect(charged(service)).toBe(2)
  })

  test('a reset in the middle of the body', async () => {
    const { service, text, end } = await submitUnder({ kind: 'reset-mid-body' })
    expect(end).toBe('reset')
    expect(bodyOf(text).length).toBe(Math.floor(Number(headerOf(text, 'content-length')) / 2))
    expect(charged(service)).toBe(2)
  })

  test('a chunked body without its end', async () => {
    const { text, end } = await submitUnder({ kind: 'truncate-chunked' })
    expect(end).toBe('closed')
    expect(headerOf(text, 'transfer-encoding')).toBe('chunked')
    expect(bodyOf(text)).toMatch(/^[0-9a-f]+\r\n\{"run_id":/)
    expect(bodyOf(text)).not.toContain('\r\n0\r\n')
  })

  test('a body shorter than its Content-Length', async () => {
    const { text, end } = await submitUnder({ kind: 'truncate-length' })
    expect(end).toBe('closed')
    expect(bodyOf(text).length).toBeLessThan(Number(headerOf(text, 'content-length')))
  })

  test('a body longer than its Content-Length', async () => {
    const { text } = await submitUnder({ kind: 'short-length' })
    expect(bodyOf(text).length).toBeGreaterThan(Number(headerOf(text, 'content-length')))
  })

  test('half a body without any framing', async () => {
    const { text, end } = await submitUnder({ kind: 'truncate-unframed' })
    expect(end).toBe('closed')
    expect(headerOf(text, 'content-length')).toBeUndefined()
    expect(headerOf(text, 'transfer-encoding')).toBeUndefined()
    expect(() => JSON.parse(bodyOf(text)) as unknown).toThrow(SyntaxError)
  })

  test('half a body, then silence', async () => {
    const { text, end } = await submitUnder({ kind: 'stall-body' }, (got) => /\r\n\r\n\{"run/.test(got))
    expect(end).toBe('open')
    expect(bodyOf(text).length).toBeLessThan(Number(headerOf(text, 'content-length')))
  })

  test.each<[string, Fault, unknown]>([
    ['broken JSON', { kind: 'broken-json' }, expect.stringMatching(/,,$/)],
    ['other JSON', { kind: 'other-json' }, expect.objectContaining({ ok: true })],
    ['nothing', { kind: 'empty' }, ''],
    [
      'an edited answer',
      { kind: 'edit', set: { run_id: 'again', more: 1 }, remove: ['x'] },
      { run_id: 'again', more: 1 },
    ],
    ['a changed answer', { kind: 'change', change: () => ({ run_id: 5 }) }, { run_id: 5 }],
  ])('%s with status 200', async (_name, fault, expected) => {
    const { service, submit } = await bench({ faults: [{ on: 'submit', fault }] })
    const { status, body } = await submit()
    expect(status).toBe(200)
    expect(body).toEqual(expected)
    expect(charged(service)).toBe(2)
  })

  test('the body in pieces, all of it in the end', async () => {
    const clock = new VirtualClock()
    const { service } = await bench({
      clock,
      faults: [{ on: 'apps', fault: { kind: 'drip', pauseMs: 1000, pieces: 4 } }],
    })
    const progress = { done: false }
    const answered = raw(service.origin, getBytes(service, '/api/v1/apps')).finally(
      () => (progress.done = true),
    )
    while (!progress.done) await clock.advance(1000)
    const { text } = await answered
    expect(JSON.parse(bodyOf(text))).toHaveLength(3)
    expect(clock.now() - Date.UTC(2026, 10, 21, 9)).toBeGreaterThanOrEqual(4000)
  })
})

describe('faults of files', () => {
  async function fileUnder(fault: Fault) {
    const { service, accepted, record } = await bench()
    const runId = await accepted()
    await service.control.idle()
    const url = String((await record(runId))['output_url'])
    const good = Buffer.from(await (await fetch(url)).arrayBuffer())
    service.control.setFaults([{ on: 'file', fault }])
    return { url, good, origin: service.origin, service }
  }

  test('an expired link', async () => {
    const { url, service } = await fileUnder({ kind: 'expired' })
    expect((await fetch(url)).status).toBe(403)
    service.control.clearFaults()
    expect((await fetch(url)).status).toBe(200)
  })

  test('bytes exchanged: the right length, the wrong content', async () => {
    const { url, good } = await fileUnder({ kind: 'swapped-bytes' })
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect(bytes.length).toBe(good.length)
    expect(bytes.equals(good)).toBe(false)
  })

  test('a web page that calls itself a picture', async () => {
    const { url } = await fileUnder({ kind: 'html-as-file' })
    const response = await fetch(url)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(await response.text()).toContain('<!doctype html>')
  })

  test('a truncated picture', async () => {
    const { url, good, origin, service } = await fileUnder({ kind: 'truncate-length' })
    const { pathname, search } = new URL(url)
    const { bytes } = await raw(origin, getBytes(service, pathname + search))
    expect(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)).toEqual(good.subarray(0, good.length >>> 1))
  })
})

describe('limits and delays', () => {
  test('a rate limit answers 429 with Retry-After, and lets requests through again with time', async () => {
    const clock = new VirtualClock()
    const { get } = await bench({ clock, rateLimit: { perSecond: 2, burst: 3 } })
    const statuses = async (count: number) => {
      const got: number[] = []
      for (let at = 0; at < count; at += 1) got.push((await get('/balance')).status)
      return got
    }
    expect(await statuses(5)).toEqual([200, 200, 200, 429, 429])
    await clock.advance(1000)
    expect(await statuses(3)).toEqual([200, 200, 429])
    expect((await get('/balance')).headers.get('retry-after')).toBe('1')
  })

  test('a full queue answers 429 and charges nothing', async () => {
    const { service, submit } = await bench({ maxQueued: 2 })
    service.control.hold()
    expect([(await submit()).status, (await submit()).status, (await submit()).status]).toEqual([
      200, 200, 429,
    ])
    expect(charged(service)).toBe(4)
  })

  test('a submission that is accepted late is accepted although the client has gone', async () => {
    const clock = new VirtualClock()
    const { service } = await bench({ clock, acceptDelayMs: 30_000 })
    const { hostname, port } = new URL(service.origin)
    const text = submissionBytes(service)
    await new Promise<void>((resolve) => {
      const body = bodyOf(text)
      const headers = {
        authorization: 'Bearer practice',
        'content-type': 'application/json',
        'content-length': body.length,
      }
      const call = request({ hostname, port, path: '/api/v1/run', method: 'POST', headers })
      call.on('error', () => resolve())
      call.end(body)
      const look = () => (clock.sleeping > 0 ? call.destroy(new Error('gone')) : setImmediate(look))
      look()
    })
    expect(charged(service)).toBe(0)
    await clock.advance(30_000)
    expect(charged(service)).toBe(2)
  })

  test('a request that is cut off before its end is never handled', async () => {
    const { service, get } = await bench()
    const { hostname, port } = new URL(service.origin)
    const text = submissionBytes(service)
    // All of the JSON, but less than the length that was announced.
    const short = text.replace(/content-length: \d+/, 'content-length: 500')
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname)
      socket.on('close', () => resolve())
      socket.write(short, () => socket.destroy())
    })
    while (service.books().requests.submit.count === 0) await new Promise((resolve) => setImmediate(resolve))
    await get('/balance')
    expect(service.books().runs).toEqual([])
    expect((await raw(service.origin, text, (got) => got.includes('run_id'))).text).toMatch(/^HTTP\/1.1 200/)
  })

  test('latency holds every answer back', async () => {
    const clock = new VirtualClock()
    const { service } = await bench({ clock, latencyMs: 400 })
    const answered = raw(service.origin, getBytes(service, '/api/v1/balance'), (text) =>
      text.includes('\r\n\r\n{'),
    )
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve))
    const began = clock.now()
    await clock.advance(400)
    expect((await answered).text).toMatch(/^HTTP\/1.1 200/)
    expect(clock.now() - began).toBe(400)
  })
})

describe('when faults strike', () => {
  const fault: Fault = { kind: 'status', status: 500 }

  test('only the n-th, only so often, only the kinds named, the first rule first', async () => {
    const { service, get } = await bench({
      faults: [
        { on: ['list', 'balance'], fault, nth: [2, 3] },
        { on: 'balance', fault: { kind: 'status', status: 503 }, times: 1 },
      ],
    })
    const statuses = []
    for (const path of ['/balance', '/runs', '/runs', '/balance', '/apps'])
      statuses.push((await get(path)).status)
    expect(statuses).toEqual([503, 500, 500, 200, 200])
    expect(service.books().requests.balance.answers).toEqual({ 503: 1, 200: 1 })
  })

  test('every rule counts a request, also one that another rule strikes', async () => {
    const { get } = await bench({
      faults: [
        { on: 'balance', fault, nth: 1 },
        { on: 'balance', fault: { kind: 'status', status: 503 }, nth: 2 },
      ],
    })
    const statuses = []
    for (let at = 0; at < 3; at += 1) statuses.push((await get('/balance')).status)
    expect(statuses).toEqual([500, 503, 200])
  })

  test('by a rule of the test', async () => {
    const { get } = await bench({
      faults: [{ on: 'any', fault, when: (request) => request.path.includes('limit=7') }],
    })
    expect((await get('/runs?limit=7')).status).toBe(500)
    expect((await get('/runs?limit=8')).status).toBe(200)
  })

  test('by chance, the same for the same seed', async () => {
    const pattern = async (seed: number) => {
      const { get } = await bench({ seed, faults: [{ on: 'balance', fault, probability: 0.5 }] })
      const got: number[] = []
      for (let at = 0; at < 40; at += 1) got.push((await get('/balance')).status)
      return got.join()
    }
    expect(await pattern(7)).toBe(await pattern(7))
    expect(await pattern(7)).not.toBe(await pattern(8))
    expect(await pattern(7)).toContain('500')
  })
})
