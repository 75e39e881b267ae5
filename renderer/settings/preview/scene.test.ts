import { assert, constantFrom, boolean, integer, nat, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { corners, cornerOf, draggedPads, freeMargin, padsOf, previewScene } from './scene.ts'

const stage = { width: 320, height: 184 }
const source = { width: 400, height: 500 }
const item = { left: 100, top: 120, width: 200, height: 240 }

describe('where things lie', () => {
  test('without framing the whole picture is in the middle of the stage', () => {
    const scene = previewScene({ source, item, settings: {}, stage })
    expect(scene.isFramed).toBe(false)
    expect(scene.frame).toEqual(scene.source)
    expect(scene.frame.top).toBeCloseTo(22)
    expect(scene.frame.left + scene.frame.width / 2).toBeCloseTo(160)
  })

  test('an item in doubt has no frame', () => {
    const scene = previewScene({ source, item: undefined, settings: { framing_enabled: true }, stage })
    expect([scene.isFramed, scene.item]).toEqual([false, undefined])
  })

  test('pads that are left to the account show the documented default', () => {
    expect(padsOf({ framing_pad_left: 0 })).toEqual({ top: 15, right: 15, bottom: 15, left: 0 })
  })

  test('frame and item are on the stage, the item in the frame, whatever the pads', () => {
    const pad = nat({ max: 100 })
    const pads = record({
      framing_pad_top: pad,
      framing_pad_right: pad,
      framing_pad_bottom: pad,
      framing_pad_left: pad,
    })
    assert(
      property(
        pads,
        integer({ min: 10, max: 200 }),
        integer({ min: 10, max: 240 }),
        (settings, width, height) => {
          const box = { ...item, width, height }
          const scene = previewScene({
            source,
            item: box,
            settings: { ...settings, framing_enabled: true },
            stage,
          })
          const inside = (inner: typeof box, outer: typeof box) =>
            inner.left >= outer.left - 1e-6 &&
            inner.top >= outer.top - 1e-6 &&
            inner.left + inner.width <= outer.left + outer.width + 1e-6 &&
            inner.top + inner.height <= outer.top + outer.height + 1e-6
          expect(scene.item !== undefined && inside(scene.item, scene.frame)).toBe(true)
          expect(inside(scene.frame, { left: 0, top: 0, ...stage })).toBe(true)
        },
      ),
    )
  })
})

describe('room for the corners', () => {
  const question = { source, item, stage, settings: { framing_enabled: true } }

  test('a frame between words and tools is as large as it can be', () => {
    expect(freeMargin(question).bottom).toBeUndefined()
  })

  test('a wide one ends above them, and is still in the middle of what is left', () => {
    const wide = {
      ...question,
      source: { width: 600, height: 400 },
      item: { left: 100, top: 100, width: 400, height: 200 },
    }
    const margin = freeMargin(wide)
    const { frame } = previewScene({ ...wide, margin })
    expect(frame.top + frame.height).toBeLessThanOrEqual(stage.height - 44 + 1e-6)
    expect(frame.top).toBeGreaterThanOrEqual(22 - 1e-6)
    expect(frame.left + frame.width / 2).toBeCloseTo(stage.width / 2)
  })
})

describe('dragging a corner', () => {
  const from = { top: 15, right: 15, bottom: 15, left: 15 }
  const drag = { from, longer: 100, dx: 0, dy: 0 }

  test('outwards is more, all four sides together; with Alt the two of the corner', () => {
    const corner = { x: 'right', y: 'bottom' } as const
    expect(draggedPads({ ...drag, corner, dx: 10, isFree: false })).toEqual({
      top: 25,
      right: 25,
      bottom: 25,
      left: 25,
    })
    expect(draggedPads({ ...drag, corner, dx: 10, dy: -5, isFree: true })).toEqual({ right: 25, bottom: 10 })
  })

  test('away from the middle never makes a pad less, and pads stay from 0 to 100', () => {
    const far = integer({ min: 0, max: 900 })
    assert(
      property(constantFrom(...corners), far, far, boolean(), boolean(), (corner, x, y, isFree, isOut) => {
        const sign = isOut ? 1 : -1
        const dx = sign * (corner.x === 'left' ? -x : x)
        const dy = sign * (corner.y === 'top' ? -y : y)
        for (const value of Object.values(draggedPads({ ...drag, corner, dx, dy, isFree }))) {
          expect(value).toBeGreaterThanOrEqual(isOut ? 15 : 0)
          expect(value).toBeLessThanOrEqual(isOut ? 100 : 15)
        }
      }),
    )
  })

  test('a corner is where the frame ends', () => {
    expect(corners.map((corner) => cornerOf({ left: 1, top: 2, width: 3, height: 4 }, corner))).toEqual([
      { x: 1, y: 2 },
      { x: 4, y: 2 },
      { x: 1, y: 6 },
      { x: 4, y: 6 },
    ])
  })
})
