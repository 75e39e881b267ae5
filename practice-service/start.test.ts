import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { bench } from './http/testing/client.ts'
import { startPracticeService } from './start.ts'

test.each(['0.0.0.0', '192.168.1.5', 'localhost', '::'])('refuses to listen on %s', async (host) => {
  await expect(startPracticeService({ host })).rejects.toThrow(/127\.0\.0\.1 or ::1 only/)
})

test('listens on ::1', async () => {
  const { service, accepted, record } = await bench({ host: '::1' })
  expect(service.url).toMatch(/^http:\/\/\[::1\]:\d+\/api\/v1$/)
  const runId = await accepted()
  await service.control.idle()
  expect((await fetch(String((await record(runId))['output_url']))).status).toBe(200)
})

test('says which port is taken', async () => {
  const { service } = await bench()
  const port = Number(new URL(service.origin).port)
  await expect(startPracticeService({ port })).rejects.toThrow(
    `port ${port}: another program uses that port.`,
  )
})

test('refuses accounts that contradict each other', async () => {
  await expect(startPracticeService({ accounts: [{ key: 'a' }, { key: 'a', name: 'b' }] })).rejects.toThrow(
    'same key',
  )
  await expect(startPracticeService({ accounts: [{ key: 'a' }, { key: 'b', name: 'a' }] })).rejects.toThrow(
    'named "a"',
  )
  await expect(startPracticeService({ accounts: [{ key: [] }] })).rejects.toThrow('at least one key')
})

test('has a default account with play credits of both kinds', async () => {
  const { service, get } = await bench()
  expect(service.keys).toEqual(['practice'])
  expect((await get('/balance')).body).toMatchObject({ total_credits: 500 })
})

test('closes although clients hold connections and runs are under way', async () => {
  const { service, accepted } = await bench({ processing: 3600, listDelayMs: 3_600_000, concurrency: 2 })
  await accepted()
  const { hostname, port } = new URL(service.origin)
  const socket = connect(Number(port), hostname)
  await new Promise((resolve) => socket.once('connect', resolve))
  const cut = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => undefined)
  await service.close()
  await cut
  await expect(fetch(service.origin)).rejects.toThrow('fetch failed')
})
