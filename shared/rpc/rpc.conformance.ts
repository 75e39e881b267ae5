import { expect, test } from 'vitest'
import { z } from 'zod'
import { connect } from './connect.ts'
import { call, stream, type Contract, type Handlers } from './contract.ts'
import { Fault } from './fault.ts'
import type { Port } from './frames.ts'
import { serve } from './serve.ts'

/** Both Node and browsers have it; the folder's own code has no use for it. */
declare function setTimeout(work: () => void, ms: number): unknown

const contract = {
  sums: {
    add: call(z.object({ a: z.number(), b: z.number() }), z.object({ sum: z.number() })),
    nothing: call(z.object({}), z.void()),
    fail: call(z.object({ how: z.enum(['fault', 'error', 'misfit']) }), z.object({ sum: z.number() })),
    wait: call(z.object({}), z.object({})),
  },
  counting: {
    up: stream(z.object({ to: z.number() }), z.object({ n: z.number() })),
  },
} as const satisfies Contract

class Bench {
  readonly internal: unknown[] = []
  #tell: () => void = () => undefined
  readonly aborted = new Promise<void>((resolve) => {
    this.#tell = resolve
  })
  counted = 0

  readonly handlers: Handlers<typeof contract> = {
    sums: {
      add: ({ a, b }) => {
        const answer = { sum: a + b, secret: 'key' }
        return answer
      },
      nothing: () => undefined,
      fail: ({ how }) => {
        if (how === 'fault') throw new Fault('refused', 'Not today.')
        if (how === 'error') throw new Error('at /home/somebody/secret.ts:1')
        return { sum: 'many' } as unknown as { sum: number }
      },
      wait: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            this.#tell()
            resolve({})
          })
        }),
    },
    counting: {
      up: (input, { signal }) => this.#up(input.to, signal),
    },
  }

  async *#up(to: number, signal: AbortSignal) {
    try {
      for (let n = 1; n <= to && !signal.aborted; n += 1) {
        this.counted = n
        yield { n }
        await new Promise<void>((resolve) => void setTimeout(resolve, 0))
      }
    } finally {
      if (signal.aborted) this.#tell()
    }
  }
}

/** What every transport has to do alike. `open` gives both ends of a new line, and what cuts it. */
export function describeTransport(
  open: () => Promise<{
    readonly engine: Port
    readonly page: Port
    readonly cut: () => void
  }>,
) {
  const start = async () => {
    const { engine, page, cut } = await open()
    const bench = new Bench()
    const { api, ready } = connect(contract, page)
    serve(contract, bench.handlers, engine, { onInternal: (_, error) => bench.internal.push(error) })
    await ready
    return { api, page, bench, cut }
  }

  test('answers come back to their questions, whatever the order', async () => {
    const { api } = await start()
    const sums = await Promise.all([1, 2, 3].map((a) => api.sums.add({ a, b: 10 })))
    expect(sums).toEqual([{ sum: 11 }, { sum: 12 }, { sum: 13 }])
    await expect(api.sums.nothing({})).resolves.toBeUndefined()
  })

  test('what the contract does not name stays inside', async () => {
    const { api } = await start()
    expect(JSON.stringify(await api.sums.add({ a: 1, b: 1 }))).not.toContain('key')
  })

  test('wrong input is refused by name, and an unknown procedure too', async () => {
    const { api, page } = await start()
    const wrong = api.sums.add({ a: 'one' as unknown as number, b: 2 })
    await expect(wrong).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('wrong a'),
    })
    for (const path of ['sums.missing', '__proto__.toString', 'sums.constructor', 'sums', 'sums.add.more']) {
      const answer = new Promise((resolve) => {
        page.onFrame((frame) => resolve(frame))
      })
      page.send({ type: 'start', id: 9999, path, input: {} })
      expect(await answer).toMatchObject({ type: 'fail', id: 9999, fault: { code: 'bad-input' } })
    }
  })

  test('only known faults cross; ours are told without their details', async () => {
    const { api, bench } = await start()
    await expect(api.sums.fail({ how: 'fault' })).rejects.toMatchObject({
      code: 'refused',
      message: 'Not today.',
    })
    const ours = await api.sums.fail({ how: 'error' }).catch((error: unknown) => error)
    expect(ours).toMatchObject({ code: 'internal' })
    expect(String(ours)).not.toContain('secret.ts')
    expect(String(bench.internal[0])).toContain('secret.ts')
    await expect(api.sums.fail({ how: 'misfit' })).rejects.toMatchObject({ code: 'internal' })
  })

  test('a stream brings its items in order, and ends', async () => {
    const { api } = await start()
    const seen: number[] = []
    for await (const { n } of api.counting.up({ to: 5 })) seen.push(n)
    expect(seen).toEqual([1, 2, 3, 4, 5])
  })

  test('leaving a stream, or aborting a question, ends the work on the other side', async () => {
    const left = await start()
    for await (const { n } of left.api.counting.up({ to: 1_000_000 })) if (n === 3) break
    await left.bench.aborted
    expect(left.bench.counted).toBeLessThan(1_000_000)
    const dropped = await start()
    const abort = new AbortController()
    const answer = dropped.api.sums.wait({}, { signal: abort.signal })
    abort.abort()
    await expect(answer).rejects.toMatchObject({ code: 'disconnected' })
    await dropped.bench.aborted
  })

  test('a lost line fails what was open, and ends the work', async () => {
    const { api, bench, cut } = await start()
    const answer = api.sums.wait({})
    const failed = expect(answer).rejects.toMatchObject({ code: 'disconnected' })
    await api.sums.add({ a: 1, b: 1 })
    cut()
    await failed
    await bench.aborted
    await expect(api.sums.add({ a: 1, b: 1 })).rejects.toMatchObject({ code: 'disconnected' })
  })

  test('frames that are no frames are borne', async () => {
    const { api, page } = await start()
    for (const frame of [
      null,
      7,
      'text',
      [],
      {},
      { type: 'start' },
      { type: 'stop', id: 'x' },
      { type: 'item' },
    ]) {
      page.send(frame)
    }
    await expect(api.sums.add({ a: 2, b: 2 })).resolves.toEqual({ sum: 4 })
  })
}
