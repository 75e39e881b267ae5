import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../service/testing/virtual-clock.ts'
import { bench } from './testing/client.ts'
import type { PracticeOptions } from '../start.ts'

async function finished(options: PracticeOptions = {}) {
  const clock = new VirtualClock()
  const made = await bench({ clock, ...options })
  const runId = await made.accepted()
  await clock.advance(1)
  const link = async () => String((await made.record(runId))['output_url'])
  return { ...made, clock, runId, link }
}

describe('signed links (8)', () => {
  test('live for 900 seconds, to the millisecond', async () => {
    const { clock, link } = await finished()
    const url = await link()
    await clock.advance(899_999)
    expect((await fetch(url)).status).toBe(200)
    await clock.advance(1)
    expect((await fetch(url)).status).toBe(403)
    expect((await fetch(await link())).status).toBe(200)
  })

  test('live as long as was ordered, and all die on order', async () => {
    const { service, clock, link, get, runId } = await finished({ linkSeconds: 2 })
    expect((await get(`/runs/${runId}/download`)).body).toMatchObject({ expires_in: 2 })
    const url = await link()
    service.control.expireLinks()
    expect((await fetch(url)).status).toBe(403)
    const fresh = await link()
    expect((await fetch(fresh)).status).toBe(200)
    await clock.advance(2_000)
    expect((await fetch(fresh)).status).toBe(403)
  })

  test('are worth nothing once any character is changed', async () => {
    const { link } = await finished()
    const url = await link()
    const start = url.indexOf('/files/') + '/files/'.length
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: start, max: url.length - 1 }), async (at) => {
        const other = url[at] === '0' ? '1' : '0'
        const response = await fetch(`${url.slice(0, at)}${other}${url.slice(at + 1)}`)
        expect(response.status).not.toBe(200)
        await response.body?.cancel()
      }),
      { numRuns: 60 },
    )
    const { origin, pathname } = new URL(url)
    expect((await fetch(origin + pathname)).status).toBe(403)
  })

  test('another service does not honour them', async () => {
    const one = await finished()
    const other = await finished()
    const { pathname, search } = new URL(await one.link())
    expect((await fetch(`${other.service.origin}${pathname}${search}`)).status).toBe(403)
  })

  test('may lead to another origin, where the API is not to be found', async () => {
    const { service, link } = await finished({ filesOrigin: 'separate' })
    const url = await link()
    expect(service.filesOrigin).not.toBe(service.origin)
    expect(url.startsWith(`${service.filesOrigin}/files/`)).toBe(true)
    expect((await fetch(url)).status).toBe(200)
    const { pathname, search } = new URL(url)
    expect((await fetch(`${service.origin}${pathname}${search}`)).status).toBe(404)
    expect((await fetch(`${service.filesOrigin}/api/v1/apps`)).status).toBe(404)
  })

  test('the books tell when a key was sent to them', async () => {
    const { service, link } = await finished()
    await fetch(await link())
    expect(service.books().filesRequestsWithAuthorization).toBe(0)
    const response = await fetch(await link(), { headers: { authorization: 'Bearer practice' } })
    expect(response.status).toBe(200)
    expect(service.books().filesRequestsWithAuthorization).toBe(1)
  })
})

describe('files', () => {
  test('have a type, a length and a strong ETag that stays', async () => {
    const { link } = await finished()
    const first = await fetch(await link())
    const bytes = Buffer.from(await first.arrayBuffer())
    expect(first.headers.get('content-type')).toBe('image/png')
    expect(first.headers.get('content-length')).toBe(String(bytes.length))
    expect(first.headers.get('accept-ranges')).toBe('bytes')
    expect(first.headers.get('etag')).toMatch(/^"[^"]+"$/)
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    const second = await fetch(await link(), { method: 'HEAD' })
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(second.headers.get('content-length')).toBe(String(bytes.length))
  })

  test('are different for every run', async () => {
    const { accepted, record, clock, link } = await finished()
    const other = await accepted()
    await clock.advance(1)
    const [one, two] = await Promise.all([
      fetch(await link()),
      fetch(String((await record(other))['output_url'])),
    ])
    expect(one.headers.get('etag')).not.toBe(two.headers.get('etag'))
  })

  test('come in ranges', async () => {
    const { link } = await finished()
    const url = await link()
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer())
    const part = async (range: string, more: Record<string, string> = {}) => {
      const response = await fetch(url, { headers: { range, ...more } })
      return {
        status: response.status,
        range: response.headers.get('content-range'),
        bytes: Buffer.from(await response.arrayBuffer()),
      }
    }
    const size = whole.length
    expect(await part('bytes=10-19')).toEqual({
      status: 206,
      range: `bytes 10-19/${size}`,
      bytes: whole.subarray(10, 20),
    })
    expect((await part('bytes=20-')).bytes).toEqual(whole.subarray(20))
    expect((await part('bytes=-5')).bytes).toEqual(whole.subarray(size - 5))
    expect((await part(`bytes=0-${size + 100}`)).bytes).toEqual(whole)
    expect(await part(`bytes=${size}-`)).toMatchObject({ status: 416, range: `bytes */${size}` })
    expect((await part('lines=1-2')).status).toBe(200)
    const { headers } = await fetch(url)
    expect((await part('bytes=10-', { 'if-range': headers.get('etag') ?? '' })).status).toBe(206)
    expect(await part('bytes=10-', { 'if-range': '"other"' })).toMatchObject({ status: 200, bytes: whole })
  })
})
