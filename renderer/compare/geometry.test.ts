import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BitmapCache } from './bitmap-cache.ts'
import { differencePixels } from './difference.ts'
import { aligned, mapped } from './mapping.ts'
import { levelFor, placeTile, tilesIn } from './tiles.ts'
import {
  clamped,
  fitScale,
  fitView,
  nextStep,
  panned,
  percent,
  placed,
  wholeAbove,
  zoomedAbout,
  zoomSteps,
  type Pane,
} from './view.ts'

const side = fc.integer({ min: 1, max: 12_000 })
const size = fc.record({ width: side, height: side })
const pane: fc.Arbitrary<Pane> = fc.record({
  width: fc.integer({ min: 200, max: 4000 }),
  height: fc.integer({ min: 200, max: 3000 }),
  insets: fc.record({ top: fc.nat(60), bottom: fc.nat(80), side: fc.nat(20) }),
})
const fraction = fc.double({ min: 0, max: 1, noNaN: true })
const scale = fc.double({ min: 0.05, max: 8, noNaN: true })
const view = fc.record({ x: fraction, y: fraction, scale })

describe('the view', () => {
  it('shows the whole picture clear of the insets when it is fitted', () => {
    fc.assert(
      fc.property(size, pane, (picture, pane) => {
        const rect = placed(picture, clamped(fitView(picture, pane), picture, pane), pane)
        expect(rect.y).toBeGreaterThanOrEqual(pane.insets.top - 1)
        expect(rect.y + rect.height).toBeLessThanOrEqual(pane.height - pane.insets.bottom + 1)
        expect(rect.x).toBeGreaterThanOrEqual(pane.insets.side - 1)
        expect(rect.x + rect.width).toBeLessThanOrEqual(pane.width - pane.insets.side + 1)
      }),
    )
  })

  it('keeps the point under the pointer, to the pixel, when it zooms in on the picture', () => {
    fc.assert(
      fc.property(size, pane, view, fraction, fraction, scale, (picture, pane, start, px, py, to) => {
        const from = clamped(start, picture, pane)
        const rect = placed(picture, from, pane)
        const point = { x: rect.x + px * rect.width, y: rect.y + py * rect.height }
        const next = zoomedAbout(point, Math.max(from.scale, to), from, picture, pane)
        const after = placed(picture, next, pane)
        // The corner is on a whole pixel before and after; a half of one is grown by the zoom.
        const slack = 1 + (0.5 * next.scale) / from.scale
        expect(Math.abs(after.x + px * after.width - point.x)).toBeLessThanOrEqual(slack)
        expect(Math.abs(after.y + py * after.height - point.y)).toBeLessThanOrEqual(slack)
      }),
    )
  })

  it('always has some of the picture in the middle of the pane, however far it is moved', () => {
    fc.assert(
      fc.property(size, pane, view, fc.nat(90_000), fc.nat(90_000), (picture, pane, start, dx, dy) => {
        const by = { x: dx - 45_000, y: dy - 45_000 }
        const moved = panned(by, clamped(start, picture, pane), picture, pane)
        const rect = placed(picture, moved, pane)
        expect(rect.x).toBeLessThanOrEqual(pane.width / 2 + 1)
        expect(rect.x + rect.width).toBeGreaterThanOrEqual(pane.width / 2 - 1)
        expect(clamped(moved, picture, pane)).toEqual(moved)
      }),
    )
  })

  it('steps up and down through the same steps, with the whole picture among them', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.02, max: 1, noNaN: true }), (fit) => {
        const up: number[] = []
        for (let at = Math.min(fit, 0.25); up.length < 20;) {
          up.push(at)
          const next = nextStep(at, 1, fit)
          if (next === at) break
          at = next
        }
        expect(up.at(-1)).toBe(8)
        expect(nextStep(8, 1, fit)).toBe(8)
        for (let i = up.length - 1; i > 0; i -= 1) expect(nextStep(up[i]!, -1, fit)).toBeLessThan(up[i]!)
        for (const step of zoomSteps) if (step > fit * 1.01) expect(up).toContain(step)
      }),
    )
    expect(zoomSteps.map(percent)).toEqual([
      '25 %',
      '33 %',
      '50 %',
      '67 %',
      '100 %',
      '200 %',
      '400 %',
      '800 %',
    ])
  })

  it('has whole scales above one, and never fits a picture larger than it is', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 100, noNaN: true }), (scale) => {
        const whole = wholeAbove(scale)
        return whole < 1.5 ? whole === scale : Number.isInteger(whole) && whole <= 8
      }),
    )
    const small = { width: 10, height: 10 }
    expect(fitScale(small, { width: 900, height: 900, insets: { top: 0, bottom: 0, side: 0 } })).toBe(1)
  })
})

describe('pictures of different sizes', () => {
  it('lie pixel on pixel where they are equal, and fraction on fraction where their shapes are', () => {
    fc.assert(
      fc.property(size, fc.integer({ min: 1, max: 4 }), (reference, factor) => {
        expect(aligned(reference, reference, null, null).by).toBe('same')
        const other = { width: reference.width * factor, height: reference.height * factor }
        const { mapping } = aligned(reference, other, null, null)
        const rect = { x: 3, y: 4, width: reference.width * 2, height: reference.height * 2 }
        const on = mapped(rect, reference, other, mapping)
        expect(on.x).toBeCloseTo(rect.x)
        expect(on.width).toBeCloseTo(rect.width)
        expect(on.height).toBeCloseTo(rect.height)
      }),
    )
  })

  it('lie item on item where a frame has another shape', () => {
    const source = { width: 4000, height: 3000 }
    const output = { width: 2000, height: 2500 }
    // The same 1000 × 1600 pixels of an item, in two frames.
    const a = { left: 1000 / 4000, top: 700 / 3000, width: 1000 / 4000, height: 1600 / 3000 }
    const b = { left: 500 / 2000, top: 450 / 2500, width: 1000 / 2000, height: 1600 / 2500 }
    const { mapping, by } = aligned(output, source, b, a)
    expect(by).toBe('item')
    expect(mapping).toMatchObject({ scaleX: 1, scaleY: 1 })
    expect(mapping.x).toBeCloseTo(500 - 1000)
    expect(mapping.y).toBeCloseTo(450 - 700)
    // A frame of the same shape as the source: fractions would lie, the item does not.
    const square = { width: 3000, height: 2250 }
    const c = { left: 1000 / 3000, top: 300 / 2250, width: 1000 / 3000, height: 1600 / 2250 }
    const same = aligned(square, source, c, a)
    expect([same.by, same.mapping.scaleX, same.mapping.x]).toEqual(['item', 1, expect.closeTo(0)])
    expect(aligned(output, source, null, a).by).toBe('centre')
    expect(aligned(output, source, { ...b, width: 0.1 }, a).by).toBe('centre')
  })
})

describe('tiles', () => {
  const large = { width: 8660, height: 5774, levels: 3, quick: { width: 2048, height: 1365 } }

  it('come from the level that is as fine as the screen and no finer', () => {
    expect(levelFor(large, 0.1)).toBeNull()
    expect(levelFor(large, 0.3)).toBe(1)
    expect(levelFor(large, 0.25)).toBe(2)
    expect(levelFor(large, 0.5)).toBe(1)
    expect(levelFor(large, 0.51)).toBe(0)
    expect(levelFor(large, 8)).toBe(0)
    expect(levelFor({ ...large, levels: 0 }, 8)).toBeNull()
  })

  it('cover what is seen without seam and without overlap', () => {
    fc.assert(
      fc.property(size, pane, view, fc.nat(3), (picture, pane, start, level) => {
        const at = placed(picture, clamped(start, picture, pane), pane)
        const tiles = tilesIn(picture, level, at, { x: 0, y: 0, width: pane.width, height: pane.height })
        fc.pre(tiles.length < 2000)
        const rects = tiles.map((tile) => placeTile(picture, tile, at).to)
        const sum = rects.reduce((area, rect) => area + rect.width * rect.height, 0)
        const left = Math.min(...rects.map((rect) => rect.x))
        const top = Math.min(...rects.map((rect) => rect.y))
        const right = Math.max(...rects.map((rect) => rect.x + rect.width))
        const bottom = Math.max(...rects.map((rect) => rect.y + rect.height))
        expect(sum).toBe((right - left) * (bottom - top))
        expect(left).toBeLessThanOrEqual(Math.max(0, Math.round(at.x)))
        expect(right).toBeGreaterThanOrEqual(Math.min(pane.width, Math.round(at.x + at.width)))
      }),
    )
  })
})

describe('the difference', () => {
  it('is black for equal pictures, symmetric, and grows with the gain', () => {
    const pixels = fc
      .uint8Array({ minLength: 16, maxLength: 16 })
      .map((bytes) => new Uint8ClampedArray(bytes))
    fc.assert(
      fc.property(pixels, pixels, (a, b) => {
        expect([...differencePixels(a, a, 64)]).toEqual(
          Array.from({ length: 16 }, (_, i) => (i % 4 === 3 ? 255 : 0)),
        )
        expect(differencePixels(a, b, 1)).toEqual(differencePixels(b, a, 1))
        const [once, more] = [differencePixels(a, b, 1), differencePixels(a, b, 8)]
        for (const [i, value] of once.entries()) expect(more[i]).toBeGreaterThanOrEqual(value)
      }),
    )
    const one = new Uint8ClampedArray([10, 20, 30, 255])
    const other = new Uint8ClampedArray([13, 20, 29, 255])
    expect([...differencePixels(one, other, 32)]).toEqual([96, 96, 96, 255])
  })
})

describe('the cache of bitmaps', () => {
  it('stays within its bound and closes what it lets go, whatever comes', () => {
    const steps = fc.array(fc.tuple(fc.nat(12), fc.integer({ min: 1, max: 20 })), { maxLength: 80 })
    fc.assert(
      fc.property(steps, fc.nat(12), (steps, kept) => {
        const cache = new BitmapCache(4 * 100 * 10)
        let open = 0
        cache.keep(new Set([String(kept)]))
        for (const [key, height] of steps) {
          open += 1
          cache.put(String(key), [{ width: 10, height: height * 5, close: () => (open -= 1) }])
          const spare = key === kept || cache.has(String(kept)) ? 4000 : 0
          expect(cache.bytes).toBeLessThanOrEqual(4000 + spare)
        }
        cache.keep(new Set())
        expect(cache.bytes).toBeLessThanOrEqual(4000)
        cache.clear()
        expect([cache.bytes, open]).toEqual([0, 0])
      }),
    )
  })
})
