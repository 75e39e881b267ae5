import { afterEach, expect, test, vi } from 'vitest'
import { linkedPorts } from '../../shared/rpc/linked-ports.ts'
import { createLine, type Line } from './line.ts'
import { StageEngine } from './testing/stage-engine.ts'
import { stageScene } from './testing/stage-scenes.ts'

/** Milliseconds; against a standstill, not on speed. */
const patience = 60_000

const lines: Line[] = []
afterEach(() => {
  for (const line of lines.splice(0)) line.close()
})

function open(engine: StageEngine, refuse: () => boolean = () => false) {
  const pauses: number[] = []
  const line = createLine({
    openPort: () => (refuse() ? Promise.reject(new Error('no')) : Promise.resolve(engine.open())),
    sleep: (ms) => {
      pauses.push(ms)
      return new Promise((resolve) => setTimeout(resolve, 0))
    },
  })
  lines.push(line)
  return { line, pauses }
}

test('a question without a line is refused in a sentence, and answered once there is one', async () => {
  const engine = new StageEngine(stageScene('running', 0))
  let isDown = true
  const { line } = open(engine, () => isDown)
  await expect(
    line.api.images.ids({ query: { batch: 'lookbook', states: [] }, from: 0, to: 1 }),
  ).rejects.toMatchObject({
    code: 'disconnected',
  })
  isDown = false
  await vi.waitFor(() => expect(line.state.getState().state).toBe('open'), patience)
  const { ids } = await line.api.images.ids({ query: { batch: 'lookbook', states: [] }, from: 0, to: 1 })
  expect(ids).toEqual([1, 2])
})

test('pauses between attempts grow to five seconds', async () => {
  const engine = new StageEngine(stageScene('running', 0))
  const { line, pauses } = open(engine, () => true)
  await vi.waitFor(() => expect(pauses.length).toBeGreaterThan(7), patience)
  expect(pauses.slice(0, 6)).toEqual([250, 500, 1000, 2000, 4000, 5000])
  expect(line.state.getState().state).toBe('connecting')
})

test('a subscription lives on over a lost line', async () => {
  const engine = new StageEngine(stageScene('running', 0))
  const { line } = open(engine)
  const seen: string[] = []
  const ends = new AbortController()
  line.follow(
    (api, options) => api.queue.watch({}, options),
    (queue) => seen.push(queue.state),
    ends.signal,
  )
  await vi.waitFor(() => expect(seen).toEqual(['running']), patience)
  engine.cut()
  engine.queue.tell({ ...engine.queue.value, state: 'offline' })
  await vi.waitFor(() => expect(seen).toEqual(['running', 'offline']), patience)
  ends.abort()
  engine.queue.tell({ ...engine.queue.value, state: 'paused' })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(seen).toEqual(['running', 'offline'])
})

test('a page of another version than the engine says so and asks no more, whatever the sentence about it', async () => {
  let opened = 0
  const line = createLine({
    openPort: () => {
      opened += 1
      const [engine, page] = linkedPorts()
      setTimeout(() => engine.send({ type: 'hello', protocol: 999 }), 0)
      return Promise.resolve(page)
    },
    sleep: () => new Promise((resolve) => setTimeout(resolve, 0)),
  })
  lines.push(line)
  await vi.waitFor(() => expect(line.state.getState().state).toBe('outdated'), patience)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(opened).toBe(1)
})
