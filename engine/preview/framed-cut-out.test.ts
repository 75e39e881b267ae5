import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { frameAround, type Box, type Pads, type Size } from '../../shared/framing.ts'
import { frameOfOutput, type Brightness } from './framed-cut-out.ts'

/** A reproducible texture without a pattern that repeats. */
function grain(x: number, y: number): number {
  const wave = Math.sin(x * 0.11 + y * 0.05) + Math.sin(x * 0.031 - y * 0.083) + Math.sin((x * y) / 900)
  const dot = Math.imul(x * 73856093, 1) ^ Math.imul(y * 19349663, 1)
  return 130 + 30 * wave + ((dot >>> 7) & 15)
}

/** A source with one item, an ellipse in its box; grain on the item, paper around it. */
function sourceWith(size: Size, box: Box): Brightness {
  const data = new Uint8Array(size.width * size.height)
  for (let i = 0; i < data.length; i += 1) {
    const [x, y] = [i % size.width, Math.floor(i / size.width)]
    data[i] = inItem(box, x, y) ? grain(x, y) : 224
  }
  return { ...size, data }
}

function inItem({ left, top, width, height }: Box, x: number, y: number): boolean {
  const u = (2 * (x - left) + 1) / width - 1
  const v = (2 * (y - top) + 1) / height - 1
  return u * u + v * v <= 1
}

/** What a service would deliver: the frame, transparent beside the item, which it has made lighter. */
function outputOf(source: Brightness, box: Box, pads: Pads) {
  const frame = frameAround(box, pads, source)
  const data = new Uint8Array(frame.width * frame.height)
  const alpha = new Uint8Array(data.length)
  for (let i = 0; i < data.length; i += 1) {
    const [x, y] = [frame.left + (i % frame.width), frame.top + Math.floor(i / frame.width)]
    if (!inItem(box, x, y)) continue
    alpha[i] = 255
    data[i] = 255 * (source.data[y * source.width + x]! / 255) ** 0.8
  }
  return { frame, output: { data, alpha, width: frame.width, height: frame.height } }
}

// Sides are odd, so that the ellipse reaches every side of its box.
const scenes = fc
  .record({
    width: fc.integer({ min: 240, max: 420 }),
    height: fc.integer({ min: 240, max: 420 }),
    w: fc.integer({ min: 30, max: 90 }).map((half) => 2 * half + 1),
    h: fc.integer({ min: 30, max: 90 }).map((half) => 2 * half + 1),
    x: fc.double({ min: 0, max: 1, noNaN: true }),
    y: fc.double({ min: 0, max: 1, noNaN: true }),
    pads: fc.record({
      top: fc.integer({ min: 0, max: 60 }),
      right: fc.integer({ min: 0, max: 60 }),
      bottom: fc.integer({ min: 0, max: 60 }),
      left: fc.integer({ min: 0, max: 60 }),
    }),
  })
  .map(({ width, height, w, h, x, y, pads }) => ({
    size: { width, height },
    box: { left: Math.round(x * (width - w)), top: Math.round(y * (height - h)), width: w, height: h },
    pads,
  }))

test('the frame is found to the pixel, wherever the item lies, also where the frame reaches over the border', () => {
  fc.assert(
    fc.property(scenes, ({ size, box, pads }) => {
      const source = sourceWith(size, box)
      const { frame, output } = outputOf(source, box, pads)
      expect(frameOfOutput(output, source, pads)).toEqual(frame)
    }),
    { numRuns: 40 },
  )
})

const size = { width: 400, height: 300 }
const box = { left: 120, top: 70, width: 141, height: 121 }
const pads = { top: 8, right: 31, bottom: 14, left: 20 }

test('what is not certain is not used', () => {
  const source = sourceWith(size, box)
  const { frame, output } = outputOf(source, box, pads)
  expect(frameOfOutput(output, source, pads)).toEqual(frame)
  // Framed with other pads than its run says, if by one percent.
  expect(frameOfOutput(output, source, { ...pads, left: 22 })).toBeUndefined()
  // One row less than the frame has.
  const cut = { ...output, height: output.height - 1 }
  expect(frameOfOutput(cut, source, pads)).toBeUndefined()
  // The item of another picture, of the same outline.
  const other = { ...source, data: source.data.map((value) => (value === 224 ? value : 255 - value)) }
  expect(frameOfOutput(output, other, pads)).toBeUndefined()
  // An item and a source without anything to recognise.
  const plain = { ...output, data: output.data.map(() => 128) }
  expect(frameOfOutput(plain, { ...source, data: source.data.map(() => 128) }, pads)).toBeUndefined()
  const nothing = { ...output, alpha: output.alpha.map(() => 0) }
  expect(frameOfOutput(nothing, source, pads)).toBeUndefined()
})

test('an item that is there twice is not guessed at', () => {
  const wide = { width: 400, height: 300 }
  const first = { left: 20, top: 60, width: 121, height: 121 }
  const source = sourceWith(wide, first)
  const twice = Uint8Array.from(source.data)
  for (let y = 0; y < wide.height; y += 1) {
    for (let x = 200; x < wide.width; x += 1)
      twice[y * wide.width + x] = source.data[y * wide.width + x - 200]!
  }
  const { output } = outputOf(source, first, pads)
  expect(frameOfOutput(output, source, pads)).toBeDefined()
  expect(frameOfOutput(output, { ...wide, data: twice }, pads)).toBeUndefined()
})
