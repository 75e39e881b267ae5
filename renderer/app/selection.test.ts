import { afterEach, describe, expect, test, vi } from 'vitest'
import fc from 'fast-check'
import { ImageWindow } from './image-window.ts'
import { createLine } from './line.ts'
import { Selection } from './selection.ts'
import { StageEngine } from './testing/stage-engine.ts'
import { stageScene, type SceneName } from './testing/stage-scenes.ts'

/** Milliseconds; against a standstill, not on speed. */
const patience = 60_000

const opened: { close: () => void }[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})

async function open(scene: SceneName) {
  const engine = new StageEngine(stageScene(scene, 0))
  const line = createLine({ openPort: () => Promise.resolve(engine.open()) })
  opened.push(line)
  const look = async (sort: 'queue' | 'title') => {
    const query = { batch: 'lookbook', states: [], sort }
    const rows = new ImageWindow({ line, query, onFrame: (work) => queueMicrotask(work) })
    opened.push(rows)
    await vi.waitFor(() => {
      expect(rows.rowAt(0)).toBeDefined()
      expect(rows.totals.counts).toBeDefined()
    }, patience)
    return rows
  }
  const images = await look('queue')
  const selection = new Selection()
  selection.use(images)
  return { images, selection, look }
}

const idsOf = (selection: Selection) => [...selection.state.getState().ids].sort((a, b) => a - b)

describe('selection', () => {
  test('one row, one more, one less', async () => {
    const { selection } = await open('running')
    await selection.select(4, 'only')
    expect(idsOf(selection)).toEqual([5])
    await selection.select(9, 'toggle')
    expect(idsOf(selection)).toEqual([5, 10])
    await selection.select(4, 'toggle')
    expect(idsOf(selection)).toEqual([10])
    expect(selection.target).toEqual({ ids: [10] })
  })

  test('is kept for each batch: whole with the same rows, by its images in another order, never as other images', async () => {
    const { selection, images, look } = await open('running')
    const sorted = await look('title')
    await selection.select(4, 'only')
    selection.use(undefined)
    expect(selection.target).toBeUndefined()
    selection.use(images)
    expect(selection.state.getState()).toMatchObject({ ids: new Set([5]), focus: 4 })
    selection.use(sorted)
    expect(selection.state.getState()).toMatchObject({ ids: new Set([5]), focus: -1 })
    selection.selectAll()
    selection.use(images)
    expect(selection.target).toBeUndefined()
  })

  test('a stretch goes from where it began to both sides, over rows that were never fetched', async () => {
    const { selection } = await open('huge')
    await selection.select(500, 'only')
    await selection.select(90_000, 'stretch')
    expect(selection.count).toBe(89_501)
    await selection.select(498, 'stretch')
    expect(idsOf(selection)).toEqual([499, 500, 501])
  })

  test('all is one word, whatever the number; taking one out names the rest', async () => {
    const { selection, images } = await open('huge')
    selection.selectAll()
    expect(selection.count).toBe(100_000)
    expect(selection.target).toEqual({ query: images.query })
    expect(selection.has(77_777)).toBe(true)
    await selection.select(2, 'toggle')
    expect(selection.count).toBe(99_999)
    expect(selection.has(3)).toBe(false)
  })

  test('a later choice wins over an earlier one whose rows come late', async () => {
    const { selection } = await open('huge')
    const slow = selection.select(50_000, 'stretch')
    await selection.select(1, 'only')
    await slow
    expect(idsOf(selection)).toEqual([2])
  })

  test('whatever is pressed, the selection is what a list of numbers would give', async () => {
    const { selection } = await open('running')
    const press = fc.record({
      index: fc.integer({ min: 0, max: 211 }),
      how: fc.constantFrom('only', 'toggle', 'stretch'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(press, { maxLength: 12 }), async (presses) => {
        selection.clear()
        selection.state.setState({ focus: -1, anchor: -1 })
        let expected = new Set<number>()
        let anchor = -1
        for (const { index, how } of presses) {
          if (how === 'stretch') {
            if (anchor < 0) anchor = index
            expected = new Set()
            for (let at = Math.min(anchor, index); at <= Math.max(anchor, index); at += 1)
              expected.add(at + 1)
          } else {
            anchor = index
            if (how === 'only') expected = new Set([index + 1])
            else if (!expected.delete(index + 1)) expected.add(index + 1)
          }
          await selection.select(index, how)
        }
        expect(idsOf(selection)).toEqual([...expected].sort((a, b) => a - b))
      }),
      { numRuns: 60 },
    )
  })
})
