import { describe, expect, test } from 'vitest'
import { estimateMatte } from './estimate-matte.ts'
import type { PixelImage } from './pixels.ts'

const width = 400
const height = 300

/** A grey sweep with a vignette, a soft shadow and fixed grain; `paint` may put a colour on a pixel. */
function studio(paint: (x: number, y: number) => readonly [number, number, number] | undefined): PixelImage {
  const data = new Uint8Array(width * height * 3)
  let seed = 7
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const vignette = 185 - 40 * (((x - 200) / 200) ** 2 + ((y - 150) / 150) ** 2) * 0.5
      const shadow = 1 - 0.45 * Math.exp(-(((x - 200) / 90) ** 2) - ((y - 225) / 25) ** 2)
      seed = (seed * 1103515245 + 12345) % 2147483648
      const light = vignette * shadow + (seed / 2147483648 - 0.5) * 2
      const color = paint(x, y) ?? [light * 1.02, light, light * 0.95]
      for (let c = 0; c < 3; c++) data[(y * width + x) * 3 + c] = Math.round(color[c]!)
    }
  }
  return { data, width, height, channels: 3 }
}

function inRing(x: number, y: number): boolean {
  const far = Math.hypot(x - 200, y - 140)
  return far <= 80 && far >= 60
}

describe('estimateMatte', () => {
  test.each([
    ['gold', [200, 150, 70]],
    ['bright grey metal', [225, 224, 220]],
    ['dark stone', [40, 35, 45]],
  ] as const)('a ring of %s is found, its hole open and its shadow left out', (_, color) => {
    const matte = estimateMatte(studio((x, y) => (inRing(x, y) ? color : undefined)))
    let wrong = 0
    for (let i = 0; i < matte.alpha.length; i++) {
      if (matte.alpha[i]! >= 128 !== inRing(i % width, Math.floor(i / width))) wrong++
    }
    expect(wrong).toBeLessThan(450)
    expect(matte.alpha[140 * width + 200]).toBe(0)
    expect(matte.alpha[240 * width + 200]).toBe(0)
    expect(Math.abs(matte.box!.width - 161)).toBeLessThanOrEqual(2)
    expect(matte.doubts).toEqual([])
    expect(matte.confidence).toBeGreaterThan(0.7)
  })

  test('plain paper has no item, and says so', () => {
    const matte = estimateMatte(studio(() => undefined))
    expect(matte.box).toBeUndefined()
    expect(matte.doubts).toEqual(['nothing found'])
    expect(matte.confidence).toBe(0)
  })

  test('dust is not an item', () => {
    const dust = (x: number, y: number) =>
      x % 67 === 20 && y % 71 === 30 ? ([90, 90, 88] as const) : undefined
    expect(estimateMatte(studio(dust)).box).toBeUndefined()
  })

  test('an item that runs out of the picture is doubtful', () => {
    const cross = (x: number, y: number) =>
      Math.abs(x - 200) < 30 || Math.abs(y - 150) < 30 ? ([190, 140, 60] as const) : undefined
    const matte = estimateMatte(studio(cross))
    expect(matte.doubts).toContain('touches the borders')
  })

  test('tiny pictures do not break it, empty ones are refused', () => {
    expect(estimateMatte({ data: new Uint8Array(3), width: 1, height: 1, channels: 3 }).alpha).toHaveLength(1)
    expect(estimateMatte({ data: new Uint8Array(60), width: 5, height: 3, channels: 4 }).alpha).toHaveLength(
      15,
    )
    expect(() => estimateMatte({ data: new Uint8Array(0), width: 0, height: 0, channels: 3 })).toThrow(
      RangeError,
    )
  })
})
