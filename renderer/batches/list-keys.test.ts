import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyIndex } from './list-keys.ts'
import { columnsFor } from './PictureGrid.tsx'
import { steadied } from './use-steady-eta.ts'

const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'] as const

describe('keys in a list', () => {
  test('never lead out of it, and never change the column but by left and right', () => {
    const place = fc
      .record({
        total: fc.integer({ min: 1, max: 500 }),
        columns: fc.integer({ min: 1, max: 9 }),
        rowsInView: fc.integer({ min: 1, max: 8 }),
      })
      .chain((list) =>
        fc.record({ list: fc.constant(list), index: fc.integer({ min: 0, max: list.total - 1 }) }),
      )
    fc.assert(
      fc.property(place, fc.constantFrom(...keys), ({ list, index }, key) => {
        const next = keyIndex(key, { ...list, index })
        if (next === undefined) {
          expect(list.columns).toBe(1)
          return
        }
        expect(next).toBeGreaterThanOrEqual(0)
        expect(next).toBeLessThan(list.total)
        if (/Up|Down/.test(key)) expect(next % list.columns).toBe(index % list.columns)
      }),
    )
  })

  test('in a grid of six, from the middle and at the edges', () => {
    const at = (key: string, index: number) => keyIndex(key, { index, total: 20, columns: 6, rowsInView: 3 })
    expect(at('ArrowDown', 7)).toBe(13)
    expect(at('ArrowDown', 16)).toBe(16)
    expect(at('ArrowDown', 13)).toBe(19)
    expect(at('ArrowUp', 3)).toBe(3)
    expect(at('PageDown', 1)).toBe(13)
    expect(at('End', 1)).toBe(19)
    expect(at('ArrowDown', -1)).toBe(0)
    expect(at('a', 1)).toBeUndefined()
  })
})

test('six pictures of the normal size stand beside each other between sidebar and inspector', () => {
  expect(columnsFor(888, 112)).toBe(6)
  expect(columnsFor(50, 260)).toBe(1)
})

describe('the time left', () => {
  test('changes every five seconds, never upward by less than a minute, downward always', () => {
    let shown = steadied({ eta: null, at: 0 }, 100_000, 1000)
    expect(shown.eta).toBe(100_000)
    shown = steadied(shown, 80_000, 3000)
    expect(shown.eta).toBe(100_000)
    shown = steadied(shown, 80_000, 6000)
    expect(shown.eta).toBe(80_000)
    shown = steadied(shown, 120_000, 12_000)
    expect(shown.eta).toBe(80_000)
    shown = steadied(shown, 200_000, 18_000)
    expect(shown.eta).toBe(200_000)
    expect(steadied(shown, null, 18_001).eta).toBeNull()
  })
})
