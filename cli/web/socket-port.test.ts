import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { describeTransport } from '../../shared/rpc/rpc.conformance.ts'
import { socketPort } from './socket-port.ts'

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
await once(server, 'listening')
afterAll(() => {
  for (const client of server.clients) client.terminate()
  server.close()
})

describeTransport(async () => {
  const arrived = once(server, 'connection') as Promise<[WebSocket]>
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [[accepted]] = await Promise.all([arrived, once(client, 'open')])
  return {
    engine: socketPort(accepted),
    page: socketPort(client),
    cut: () => accepted.terminate(),
  }
})
