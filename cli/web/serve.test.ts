import { createServer, type AddressInfo } from 'node:net'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { engineContract } from '../../shared/contract/engine-contract.ts'
import { dropAnswerSchema, dropPath } from '../../shared/contract/drops.ts'
import { connect } from '../../shared/rpc/connect.ts'
import { call, emptyFolder, type TestEnd } from '../testing/stage.ts'
import { batchOnce, until } from './testing/program.ts'
import { socketPort } from './socket-port.ts'

/** `vitrine serve` in this process, over a small page; resolves with what it printed when it listens. */
async function serving(test: TestEnd, args: readonly string[] = []) {
  const folder = await emptyFolder(test)
  await mkdir(join(folder, 'page'))
  await writeFile(join(folder, 'page', 'index.html'), '<!doctype html><title>Page</title>')
  const env = { VITRINE_HOME: join(folder, 'home'), HOME: folder, VITRINE_PRACTICE_SECONDS: '0.05' }
  let stop = () => {}
  let told: (text: string) => void = () => {}
  const address = new Promise<string>((resolve) => {
    told = resolve
  })
  const ended = call(['serve', '--no-open', ...args], env, folder, {
    overrides: { page: join(folder, 'page') },
    stopper: (listener) => {
      stop = listener
    },
    onOut: (text) => {
      const url = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/.exec(text)?.[0]
      if (url !== undefined) told(url)
    },
  })
  test.onTestFinished(() => stop())
  return { address: await address, ended, stop: () => stop(), folder }
}

test('a person opens the printed address and works, over HTTP and the line, until Ctrl-C', async (context) => {
  const { address, ended, stop, folder } = await serving(context)
  const exchanged = await fetch(address, { redirect: 'manual' })
  const cookie = exchanged.headers.getSetCookie()[0]!.split(';')[0]!
  const { origin, host } = new URL(address)
  const page = await fetch(origin, { headers: { cookie } })
  expect(await page.text()).toContain('Page')
  const socket = new WebSocket(`ws://${host}/line`, { headers: { cookie, origin } })
  const { api, ready } = connect(engineContract, socketPort(socket))
  await ready
  await api.connections.usePractice({})
  const form = new FormData()
  form.append('names', JSON.stringify(['Shoot/list.txt']))
  form.append('file', new Blob(['https://pictures.example/ring.jpg']))
  const sent = await fetch(`${origin}/${dropPath}`, {
    method: 'POST',
    body: form,
    headers: { cookie, origin },
  })
  const { drop } = dropAnswerSchema.parse(await sent.json())
  const read = await until(
    api.intake.read({ sources: [{ kind: 'drop', drop }], token: 't' }),
    ({ kind }) => kind === 'found',
  )
  expect(read).toMatchObject({ found: { images: 1, suggestedName: 'Shoot' } })
  const draft = read.kind === 'found' ? read.found.draft : ''
  const { estimate } = await api.intake.estimate({
    draft,
    name: '',
    preset: null,
    recipe: { appId: 'rescue', settings: {}, parameters: {} },
    outDir: join(folder, 'out'),
    nameTemplate: '{name}{suffix}.{ext}',
    onConflict: 'rename',
    budget: null,
    test: null,
  })
  const { batch } = await api.intake.begin({ estimate, start: true })
  // The picture is nowhere: the practice service says so, and nothing else is harmed.
  const done = await batchOnce({ api }, batch, ({ state }) => state === 'finished')
  expect(done.counts.failed).toBe(1)
  const closed = once(socket, 'close')
  stop()
  await closed
  const { status, out, err } = await ended
  expect([status, out.trim()]).toEqual([0, address])
  expect(err).toContain('For another browser: http://127.0.0.1:')
  expect(err).toContain('Vitrine runs in the browser until Ctrl-C.')
})

test('--json tells each address as an event', async (context) => {
  const { address, ended, stop } = await serving(context, ['--json'])
  await fetch(address, { redirect: 'manual' })
  stop()
  const { records } = await ended
  expect(records()).toMatchObject([
    { event: 'address', url: address },
    { event: 'address', url: expect.not.stringContaining(new URL(address).search) },
  ])
})

test('a port that is taken is wrong use, in one sentence', async (context) => {
  const taken = createServer()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  context.onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const folder = await emptyFolder(context)
  await mkdir(join(folder, 'page'))
  await writeFile(join(folder, 'page', 'index.html'), '<!doctype html><title>Page</title>')
  const { status, err } = await call(
    ['serve', '--no-open', '--port', String(port)],
    { VITRINE_HOME: join(folder, 'home') },
    folder,
    { overrides: { page: join(folder, 'page') } },
  )
  expect([status, err]).toEqual([
    64,
    `Port ${port} is taken by another program; choose another with --port, or leave it out.\n`,
  ])
})
