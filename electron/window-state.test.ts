import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeWindow } from './window-state.ts'

const main = { x: 0, y: 25, width: 1920, height: 1055 }
const second = { x: 1920, y: 0, width: 2560, height: 1440 }
const saved = { x: 2000, y: 100, width: 1500, height: 1000, maximized: false, fullScreen: false }

test('it comes again where it was', () => {
  expect(placeWindow(saved, [main, second])).toMatchObject({ x: 2000, y: 100, width: 1500, height: 1000 })
  expect(placeWindow({ ...saved, maximized: true }, [main, second]).maximized).toBe(true)
})

test('where its screen is gone the system chooses, and it fits', () => {
  const placed = placeWindow({ ...saved, width: 2500, height: 1400 }, [main])
  expect([placed.x, placed.y]).toEqual([undefined, undefined])
  expect(placed).toMatchObject({ width: 1920, height: 1055 })
})

test.each([
  ['above the screen', { x: 100, y: -500 }],
  ['below its lower edge', { x: 100, y: 1070 }],
  ['beside it but for a sliver', { x: -1450, y: 100 }],
])('a window %s could not be taken hold of', (_, at) => {
  expect(placeWindow({ ...saved, ...at }, [main]).x).toBeUndefined()
})

test.each([[undefined], ['text'], [{ ...saved, width: -1 }], [{ ...saved, x: 0.5 }], [{ x: 1 }]])(
  'what is no state (%j) gives the usual window',
  (state) => {
    expect(placeWindow(state, [main])).toEqual({
      width: 1440,
      height: 900,
      minWidth: 960,
      minHeight: 620,
      maximized: false,
      fullScreen: false,
    })
  },
)

test('whatever was kept and whatever screens are there, a person can take hold of it', () => {
  const n = fc.integer({ min: -20_000, max: 20_000 })
  const size = fc.integer({ min: 1, max: 10_000 })
  const area = fc.record({
    x: n,
    y: n,
    width: fc.integer({ min: 960, max: 8000 }),
    height: fc.integer({ min: 620, max: 5000 }),
  })
  const state = fc.record({
    x: n,
    y: n,
    width: size,
    height: size,
    maximized: fc.boolean(),
    fullScreen: fc.boolean(),
  })
  fc.assert(
    fc.property(state, fc.array(area, { minLength: 1, maxLength: 3 }), (kept, areas) => {
      const placed = placeWindow(kept, areas)
      expect(placed.width).toBeGreaterThanOrEqual(960)
      expect(placed.height).toBeGreaterThanOrEqual(620)
      if (placed.x === undefined || placed.y === undefined) return
      const { x, y } = placed
      const held = areas.some(
        (one) =>
          Math.min(x + kept.width, one.x + one.width) - Math.max(x, one.x) >= 100 &&
          y >= one.y - 8 &&
          y <= one.y + one.height - 48,
      )
      expect(held).toBe(true)
    }),
  )
})
