import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { addresses, stage, type Stage, type TestEnd } from './testing/stage.ts'

interface Notice {
  readonly path: string
  readonly body: string
  /** From 0, in the order in which the service sent them. */
  readonly n: number
}

/** What the tunnel does with one notice: the bodies and paths that it brings instead, each after some ms. */
type Journey = (notice: Notice) => readonly { path?: string; body?: string; afterMs?: number }[]

/**
 * A tunnel as a person has one: a public address that brings requests to a port of this computer. It takes everything
 * at once, and brings what and when the journey says.
 */
async function tunnel(t: TestEnd, journey: Journey) {
  let open: (port: number) => void = () => {}
  const end = new Promise<number>((resolve) => {
    open = resolve
  })
  const answers: (number | 'none')[] = []
  const bring = async (path: string, body: string, afterMs: number) => {
    const port = await end
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body }).catch(
      () => undefined,
    )
    answers.push(answer?.status ?? 'none')
  }
  let count = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(204).end()
      const notice = { path: request.url!, body: Buffer.concat(chunks).toString('utf8'), n: count }
      count += 1
      for (const { path = notice.path, body = notice.body, afterMs = 0 } of journey(notice))
        void bring(path, body, afterMs)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}/studio`, open, answers, count: () => count }
}

async function runThrough(
  { call }: Stage,
  source: string,
  through: { address: string; open: (port: number) => void },
  more: readonly string[] = [],
) {
  const args = [
    'run',
    source,
    '--app',
    'rescue',
    '--out',
    'out',
    '--json',
    '--yes',
    '--webhook-url',
    through.address,
  ]
  return await call([...args, '--webhook-port', '0', ...more], {
    onOut(text) {
      const port = /Notifications are heard at http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1]
      if (port !== undefined) through.open(Number(port))
    },
  })
}

/** Every image was charged once, and has the run of its own source. */
async function expectEachItsOwn({ service, manifest }: Stage, images: number) {
  const ours = service.books().runs.filter((run) => !run.stranger)
  const lines = (await manifest()) as { source: string; runId: string }[]
  expect(lines.map(({ source }) => source)).toEqual(addresses(images))
  expect(lines.map(({ runId, source }) => `${runId} ${source}`).toSorted()).toEqual(
    ours.map((run) => `${run.runId} ${run.source}`).toSorted(),
  )
}

const images = 40

test('through a tunnel that doubles, delays, drops and forges, every picture comes, once', async (t) => {
  const set = await stage(t, { processing: 0.3, concurrency: 4 })
  const through = await tunnel(t, ({ path, body, n }) => {
    const forged = [
      { path: `${path.slice(0, -3)}abc` },
      { path: '/studio/', body: '{"run_id":"run_forged"}' },
      {
        body: JSON.stringify({ run_id: 'run_forged', status: 'SUCCESS', output_url: 'http://127.0.0.1:1/x' }),
      },
      { body: '{{{{' },
      { body: 'x'.repeat(100_000) },
    ]
    const copies = [[], [{}], [{}, {}], [{ afterMs: 700 }], [{ body, afterMs: 50 }]][n % 5]!
    return [forged[n % forged.length]!, ...copies]
  })
  const done = await runThrough(set, await set.list(images), through)
  expect(done.status, done.err).toBe(0)
  expect(done.summary()).toMatchObject({ delivered: images, review: 0, failed: 0 })
  await expectEachItsOwn(set, images)
  const { runs, requests } = set.service.books()
  // Each submission had an address of its own.
  expect(new Set(runs.map((run) => run.webhookUrl)).size).toBe(images)
  expect(runs.every((run) => /\/studio\/[\w-]{32}$/.test(run.webhookUrl))).toBe(true)
  // Neither the secrets nor the links in notices are told to anybody.
  const secrets = runs.map((run) => run.webhookUrl.split('/').at(-1)!)
  expect(secrets.some((secret) => done.out.includes(secret) || done.err.includes(secret))).toBe(false)
  // A listener that has gone, or that refused a long body before its end, may give none.
  expect(new Set(through.answers.filter((answer) => answer !== 'none'))).toEqual(new Set([204, 404]))
  expect(requests.submit.count).toBe(images)
})

test('with every notice the service is asked less than without, and once for each run', async (t) => {
  const asked = async (listens: boolean) => {
    const set = await stage(t, { processing: 1, concurrency: 4 })
    const through = await tunnel(t, () => [{}])
    const source = await set.list(images)
    const args = ['run', source, '--app', 'rescue', '--out', 'out', '--json', '--yes']
    const done = listens ? await runThrough(set, source, through) : await set.call(args)
    expect(done.status, done.err).toBe(0)
    await expectEachItsOwn(set, images)
    const { list, run } = set.service.books().requests
    return { list: list.count, run: run.count }
  }
  const [without, told] = [await asked(false), await asked(true)]
  expect(told.list).toBeLessThan(without.list)
  // A forecast may ask in vain while nothing was learned yet, and for more on a busy machine.
  expect(told.run).toBeLessThanOrEqual(images + 10)
})

test('a lost answer on a shared account is settled by its secret; what the notice names falsely is not believed', async (t) => {
  const set = await stage(t, {
    accounts: [{ key: 'practice', subscriptionCredits: 100_000 }],
    processing: 0.3,
    // Nobody waits behind the others.
    concurrency: 60,
    faults: [{ on: 'submit', nth: [2, 3], fault: { kind: 'reset-after' } }],
  })
  const { submitAsStranger } = set.service.control
  let others = 0
  const noise = setInterval(() => {
    if (others < 2000)
      submitAsStranger('practice', 'rescue', { image: `https://other.example/${(others += 1)}.jpg` })
  }, 20)
  t.onTestFinished(() => clearInterval(noise))
  const through = await tunnel(t, () => [{ body: '{"run_id":"run_forged"}' }, { afterMs: 20 }])
  const done = await runThrough(set, await set.list(4), through, ['--in-flight', '1'])
  clearInterval(noise)
  expect(done.status, done.err).toBe(0)
  expect(done.summary()).toMatchObject({ delivered: 4, review: 0 })
  await expectEachItsOwn(set, 4)
})

test('a port without an address, and one that is none, are wrong use', async (t) => {
  const { call, list } = await stage(t)
  const source = await list(1)
  const without = await call(['run', source, '--app', 'rescue', '--webhook-port', '8001'])
  expect(without.status).toBe(64)
  expect(without.err).toContain('--webhook-port needs --webhook-url')
  const address = ['--webhook-url', 'https://hook.example']
  expect((await call(['run', source, '--app', 'rescue', ...address, '--webhook-port', '70000'])).status).toBe(
    64,
  )
})
