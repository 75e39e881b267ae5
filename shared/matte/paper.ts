import type { Plane } from './pixels.ts'
import { plane, sample } from './pixels.ts'

/**
 * The paper behind the item: known pixels kept, the rest filled from what is near, smoothly. Known values are averaged
 * into ever smaller pictures until nothing is missing; on the way back each missing value is taken from the smaller one.
 */
export function filledFrom(source: Plane, known: Uint8Array): Plane {
  const weight = plane(source.width, source.height)
  const value = plane(source.width, source.height)
  for (let i = 0; i < known.length; i++) {
    weight.data[i] = known[i] ? 1 : 0
    value.data[i] = known[i] ? source.data[i]! : 0
  }
  return pulled(value, weight)
}

/** `value` holds sums of weighted values. */
function pulled(value: Plane, weight: Plane): Plane {
  const { width, height } = value
  const out = plane(width, height)
  if (width <= 1 && height <= 1) {
    out.data[0] = weight.data[0]! > 0 ? value.data[0]! / weight.data[0]! : 0
    return out
  }
  const coarse = pulled(...halved(value, weight))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const w = Math.min(1, weight.data[at]!)
      const own = w > 0 ? value.data[at]! / weight.data[at]! : 0
      out.data[at] = w >= 1 ? own : w * own + (1 - w) * sample(coarse, x / 2 - 0.25, y / 2 - 0.25)
    }
  }
  return out
}

function halved(value: Plane, weight: Plane): [Plane, Plane] {
  const { width, height } = value
  const w = Math.ceil(width / 2)
  const h = Math.ceil(height / 2)
  const sums = plane(w, h)
  const weights = plane(w, h)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = y * width + x
      const to = (y >> 1) * w + (x >> 1)
      sums.data[to]! += value.data[from]!
      weights.data[to]! += weight.data[from]!
    }
  }
  // A weight of one is a known value: four known ones are no more certain than that.
  for (let i = 0; i < weights.data.length; i++) {
    if (weights.data[i]! > 1) {
      sums.data[i]! /= weights.data[i]!
      weights.data[i] = 1
    }
  }
  return [sums, weights]
}
