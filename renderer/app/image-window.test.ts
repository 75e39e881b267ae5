import { afterEach, expect, test, vi } from 'vitest'
import { createLine, type Line } from './line.ts'
import { ImageWindow } from './image-window.ts'
import { StageEngine } from './testing/stage-engine.ts'
import { stageScene, type SceneName } from './testing/stage-scenes.ts'

/** Milliseconds; against a standstill, not on speed. */
const patience = 60_000

const opened: { close: () => void }[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})

/** Work of the next frame; run by hand, so that a test decides when a frame is. */
class Frames {
  readonly #work: (() => void)[] = []
  readonly onFrame = (work: () => void) => void this.#work.push(work)

  run() {
    for (const work of this.#work.splice(0)) work()
  }

  get waiting() {
    return this.#work.length
  }
}

interface Bench {
  readonly engine: StageEngine
  readonly images: ImageWindow
  readonly frames: Frames
  readonly line: Line
  readonly move: (ms: number) => void
}

async function open(scene: SceneName, change: Partial<ImageWindow['query']> = {}): Promise<Bench> {
  const engine = new StageEngine(stageScene(scene, 1_000_000))
  const line = createLine({ openPort: () => Promise.resolve(engine.open()) })
  const frames = new Frames()
  const clock = { now: 0 }
  const images = new ImageWindow({
    line,
    query: { batch: 'lookbook', states: [], ...change },
    onFrame: frames.onFrame,
    now: () => clock.now,
  })
  opened.push(images, line)
  images.setView(0, 30)
  await vi.waitFor(() => {
    frames.run()
    expect(images.rowAt(0)).toBeDefined()
    expect(images.totals.counts).toBeDefined()
  }, patience)
  return { engine, images, frames, line, move: (ms) => void (clock.now += ms) }
}

test('only the pages in view are asked for, also among 100,000 rows', async () => {
  const { engine, images, frames } = await open('huge')
  expect(images.totals.total).toBe(100_000)
  expect(engine.pages).toEqual([0])
  images.setView(70_000, 70_040)
  await vi.waitFor(() => expect(images.rowAt(70_040)?.position).toBe(70_040), patience)
  frames.run()
  expect(engine.pages).toEqual([0, 70_000])
  expect(images.rowAt(99_999)).toBeUndefined()
})

test('a change is told to its own row, once a frame', async () => {
  const { engine, images, frames } = await open('running')
  const heard: number[] = []
  for (const index of [0, 1, 2]) images.subscribeRow(index, () => heard.push(index))
  engine.change('lookbook', [2], { mark: 'reject' })
  engine.change('lookbook', [2], { mark: 'keep-1' })
  await vi.waitFor(() => expect(frames.waiting).toBeGreaterThan(0), patience)
  await vi.waitFor(() => expect(images.record(2)?.mark).toBe('keep-1'), patience)
  expect(heard).toEqual([])
  frames.run()
  expect(heard).toEqual([1])
  expect(engine.pages).toEqual([0])
})

test('rows that moved are asked for again where they are in view, and shown as they were until then', async () => {
  const { engine, images, frames, move } = await open('running', { states: ['waiting'] })
  const first = images.idAt(0)!
  move(1000)
  engine.change('lookbook', [first], { state: 'submitting' }, true)
  await vi.waitFor(() => expect(images.totals.total).toBe(78), patience)
  expect(images.rowAt(0)?.id).toBe(first)
  frames.run()
  await vi.waitFor(() => expect(images.idAt(0)).not.toBe(first), patience)
  expect(engine.pages).toEqual([0, 0])
})

test('an order that changes all the time is followed a few times a second', async () => {
  const { engine, images, frames } = await open('running', { states: ['waiting'] })
  for (let n = 0; n < 5; n += 1) {
    engine.change('lookbook', [images.idAt(n)!], { state: 'submitting' }, true)
    await vi.waitFor(() => expect(images.totals.total).toBe(78 - n), patience)
    frames.run()
  }
  // The clock stands still: whatever comes within the pause is asked for once, later.
  expect(engine.pages).toEqual([0])
})

test('after a lost line the same window goes on', async () => {
  const { engine, images, frames, line } = await open('running')
  engine.cut()
  await vi.waitFor(() => expect(line.state.getState().state).toBe('reconnecting'), patience)
  expect(images.rowAt(0)).toBeDefined()
  await vi.waitFor(() => expect(line.state.getState().state).toBe('open'), patience)
  await vi.waitFor(() => {
    engine.change('lookbook', [1], { mark: 'reject' })
    frames.run()
    expect(images.record(1)?.mark).toBe('reject')
  }, patience)
})

test('rows far from the view are let go, and never more than fifty pages are kept', async () => {
  const { engine, images } = await open('huge')
  for (let page = 1; page <= 60; page += 1) {
    images.setView(page * 200, page * 200 + 30)
    await vi.waitFor(() => expect(images.rowAt(page * 200)).toBeDefined(), patience)
  }
  expect(images.rowAt(0)).toBeUndefined()
  expect(images.record(1)).toBeUndefined()
  expect(images.rowAt(60 * 200)).toBeDefined()
  expect(new Set(engine.pages).size).toBe(61)
})

test('ids of a stretch come from what is known, and from the engine where it is not', async () => {
  const { engine, images } = await open('huge')
  expect(await images.ids(3, 6)).toEqual([4, 5, 6, 7])
  expect(engine.asked).not.toContain('images.ids')
  const all = await images.ids(0, 99_999)
  expect(all).toHaveLength(100_000)
  expect(engine.asked.filter((name) => name === 'images.ids')).toHaveLength(1)
})
