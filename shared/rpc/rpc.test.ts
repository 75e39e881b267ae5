import { expect, test } from 'vitest'
import { connect } from './connect.ts'
import { linkedPorts } from './linked-ports.ts'
import { describeTransport } from './rpc.conformance.ts'

describeTransport(() => {
  const [engine, page] = linkedPorts()
  return Promise.resolve({ engine, page, cut: () => page.close() })
})

test('a page of another version is told to reload', async () => {
  const [engine, page] = linkedPorts()
  const { ready } = connect({}, page)
  engine.send({ type: 'hello', protocol: 999 })
  await expect(ready).rejects.toThrow('reload')
})
