import { describe, expect, test } from 'vitest'
import type { ShadowShape } from './contact-shadow.ts'
import { contactShadow } from './contact-shadow.ts'

const width = 300
const height = 260
const plain: ShadowShape = { intensity: 1, size: 1, softness: 1, distance: 0 }

/** A ball of radius 60 about the middle. */
const ball = Uint8Array.from({ length: width * height }, (_, i) =>
  Math.hypot((i % width) - 150, Math.floor(i / width) - 110) <= 60 ? 255 : 0,
)

function shadow(shape: Partial<ShadowShape> = {}): Float32Array {
  return contactShadow(ball, width, height, { ...plain, ...shape })!.opacity.data
}

function total(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** Mean row of what is seen of a shadow, that is, outside the item. */
function middleRow(values: Float32Array): number {
  let [sum, rows] = [0, 0]
  values.forEach((value, i) => {
    if (ball[i]! > 0) return
    sum += value
    rows += value * Math.floor(i / width)
  })
  return rows / sum
}

describe('contactShadow', () => {
  test('more intensity is darker everywhere, and never black', () => {
    const [low, middle, high] = [shadow({ intensity: 0.1 }), shadow(), shadow({ intensity: 3 })]
    low.forEach((value, i) => {
      expect(value).toBeLessThanOrEqual(middle[i]! + 1e-6)
      expect(middle[i]!).toBeLessThanOrEqual(high[i]! + 1e-6)
    })
    expect(Math.max(...high)).toBeLessThan(0.93)
    expect(Math.max(...high)).toBeGreaterThan(1.4 * Math.max(...middle))
    expect(Math.max(...low)).toBeGreaterThan(0.02)
  })

  test('it lies under the item', () => {
    const values = shadow()
    expect(values[174 * width + 150]!).toBeGreaterThan(0.2)
    expect(values[174 * width + 150]!).toBeGreaterThan(8 * values[45 * width + 150]!)
  })

  test('size widens the footprint, distance moves it down', () => {
    expect(total(shadow({ size: 3 }))).toBeGreaterThan(1.3 * total(shadow()))
    expect(total(shadow({ size: 0.2 }))).toBeLessThan(total(shadow()))
    expect(middleRow(shadow({ distance: 0.2 }))).toBeGreaterThan(middleRow(shadow()) + 8)
  })

  test('softness blurs the edge', () => {
    const steepest = (values: Float32Array): number => {
      let most = 0
      for (let y = 171; y < height - 1; y++) {
        most = Math.max(most, Math.abs(values[(y + 1) * width + 150]! - values[y * width + 150]!))
      }
      return most
    }
    expect(steepest(shadow({ softness: 0.2 }))).toBeGreaterThan(2 * steepest(shadow({ softness: 3 })))
  })

  test('an empty matte has none', () => {
    expect(contactShadow(new Uint8Array(width * height), width, height, plain)).toBeUndefined()
  })
})
