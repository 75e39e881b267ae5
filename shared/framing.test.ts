import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Box } from './framing.ts'
import { frameAround, matteBox } from './framing.ts'

const side = fc.integer({ min: 1, max: 4000 })
const place = fc.integer({ min: -2000, max: 6000 })
const box = fc.record({ left: place, top: place, width: side, height: side })
const pad = fc.double({ min: 0, max: 100, noNaN: true })
const pads = fc.record({ top: pad, right: pad, bottom: pad, left: pad })
const size = fc.record({
  width: fc.integer({ min: 1, max: 9000 }),
  height: fc.integer({ min: 1, max: 9000 }),
})
const none = { top: 0, right: 0, bottom: 0, left: 0 }

describe('frameAround', () => {
  test.each<[string, Box, [number, number, number, number], [number, number], Box]>([
    // L = 200, 15 % = 30: 260 × 160 in a square source → 260 × 260, 50 more above and below.
    [
      'a wide item, square',
      { left: 100, top: 300, width: 200, height: 100 },
      [15, 15, 15, 15],
      [1000, 1000],
      { left: 70, top: 220, width: 260, height: 260 },
    ],
    // L = 500, 15 % = 75: 550 × 650 in 4:5 → height 650 asks 520, so width rules: 550 × 687.5 → 688, centred on 350.
    [
      'a tall item, 4:5',
      { left: 400, top: 100, width: 400, height: 500 },
      [15, 15, 15, 15],
      [1600, 2000],
      { left: 325, top: 6, width: 550, height: 688 },
    ],
    // Pads of one side only: L = 100, left 100 %: 200 × 100 → 3:2 asks 133.33 high → 133, centred on 50.
    [
      'one side',
      { left: 0, top: 0, width: 100, height: 100 },
      [0, 0, 0, 100],
      [3000, 2000],
      { left: -100, top: -16, width: 200, height: 133 },
    ],
    [
      'no pads, own ratio',
      { left: 7, top: 9, width: 40, height: 50 },
      [0, 0, 0, 0],
      [800, 1000],
      { left: 7, top: 9, width: 40, height: 50 },
    ],
    [
      'no pads, a line',
      { left: 5, top: 5, width: 101, height: 1 },
      [0, 0, 0, 0],
      [100, 100],
      { left: 5, top: -45, width: 101, height: 101 },
    ],
  ])('%s, by hand', (_, item, [top, right, bottom, left], [width, height], expected) => {
    expect(frameAround(item, { top, right, bottom, left }, { width, height })).toEqual(expected)
  })

  test('the item lies wholly inside', () => {
    fc.assert(
      fc.property(box, pads, size, (item, around, source) => {
        const frame = frameAround(item, around, source)
        expect(frame.left).toBeLessThanOrEqual(item.left)
        expect(frame.top).toBeLessThanOrEqual(item.top)
        expect(frame.left + frame.width).toBeGreaterThanOrEqual(item.left + item.width)
        expect(frame.top + frame.height).toBeGreaterThanOrEqual(item.top + item.height)
        expect(Object.values(frame).every(Number.isInteger)).toBe(true)
      }),
    )
  })

  test('the ratio is the source’s, as near as whole pixels allow', () => {
    fc.assert(
      fc.property(box, pads, size, (item, around, source) => {
        const { width, height } = frameAround(item, around, source)
        const off = Math.min(
          Math.abs(width - (height * source.width) / source.height),
          Math.abs(height - (width * source.height) / source.width),
        )
        // More than half a pixel only where the other axis rounds in the item's favour.
        expect(off).toBeLessThanOrEqual(
          0.5 + Math.max(0, item.width === width || item.height === height ? 0.5 : 0),
        )
      }),
    )
  })

  test('moving the item moves the frame', () => {
    fc.assert(
      fc.property(box, pads, size, place, place, (item, around, source, dx, dy) => {
        const frame = frameAround(item, around, source)
        const moved = frameAround({ ...item, left: item.left + dx, top: item.top + dy }, around, source)
        expect(moved).toEqual({ ...frame, left: frame.left + dx, top: frame.top + dy })
      }),
    )
  })

  test('more padding never shrinks the frame by more than rounding', () => {
    fc.assert(
      fc.property(
        box,
        pads,
        size,
        pad,
        fc.constantFrom('top', 'right', 'bottom', 'left'),
        (item, around, source, more, key) => {
          const less = frameAround(item, around, source)
          const grown = frameAround(item, { ...around, [key]: around[key] + more }, source)
          const slack = Math.max(
            1,
            Math.ceil(Math.max(source.width / source.height, source.height / source.width)),
          )
          expect(grown.width).toBeGreaterThanOrEqual(less.width - slack)
          expect(grown.height).toBeGreaterThanOrEqual(less.height - slack)
        },
      ),
    )
  })

  test('without pads in its own ratio the frame is the box', () => {
    fc.assert(
      fc.property(box, (item) => {
        expect(frameAround(item, none, { width: item.width, height: item.height })).toEqual(item)
      }),
    )
  })

  test('an empty box, an empty source and a negative pad are refused', () => {
    const item = { left: 0, top: 0, width: 1, height: 1 }
    expect(() => frameAround({ ...item, width: 0 }, none, item)).toThrow(RangeError)
    expect(() => frameAround(item, none, { width: 0, height: 1 })).toThrow(RangeError)
    expect(() => frameAround(item, { ...none, top: -1 }, item)).toThrow(RangeError)
  })
})

describe('matteBox', () => {
  test('holds exactly the pixels of at least 50 % alpha', () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 12 })
          .chain((width) =>
            fc.tuple(fc.constant(width), fc.uint8Array({ minLength: width * 7, maxLength: width * 7 })),
          ),
        ([width, alpha]) => {
          const places = [...alpha.keys()].filter((i) => alpha[i]! >= 128)
          const found = matteBox(alpha, width, 7)
          if (places.length === 0) {
            expect(found).toBeUndefined()
            return
          }
          const xs = places.map((i) => i % width)
          const ys = places.map((i) => Math.floor(i / width))
          const [left, top] = [Math.min(...xs), Math.min(...ys)]
          expect(found).toEqual({
            left,
            top,
            width: Math.max(...xs) - left + 1,
            height: Math.max(...ys) - top + 1,
          })
        },
      ),
    )
  })

  test('a matte smaller than its picture is refused', () => {
    expect(() => matteBox(new Uint8Array(5), 2, 3)).toThrow(RangeError)
  })
})
