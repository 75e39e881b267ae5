import { boxMean, plane } from '../../shared/matte/pixels.ts'
import type { Plane } from '../../shared/matte/pixels.ts'
import { grainAt } from './background.ts'
import type { Picture } from './picture.ts'

/** Most that de-banding may move a pixel, in levels. */
const BOUND = 9

/** Removes wave-like banding from smooth surfaces and leaves edges as they are (4.7, de-banding). */
export function debanded(picture: Picture): Picture {
  const { data, width, height } = picture
  const luma = plane(width, height)
  for (let i = 0; i < luma.data.length; i++) {
    luma.data[i] = 0.299 * data[3 * i]! + 0.587 * data[3 * i + 1]! + 0.114 * data[3 * i + 2]!
  }
  let smooth = luma
  for (const radius of [3, 6, 12]) smooth = guided(smooth, radius, 60)
  const out = new Uint8Array(data.length)
  for (let i = 0; i < luma.data.length; i++) {
    const change = Math.max(-BOUND, Math.min(BOUND, smooth.data[i]! - luma.data[i]!))
    const grain = Math.abs(change) > 0.2 ? grainAt(i % width, Math.floor(i / width)) * 0.8 : 0
    for (let c = 0; c < 3; c++)
      out[3 * i + c] = Math.max(0, Math.min(255, Math.round(data[3 * i + c]! + change + grain)))
  }
  return { ...picture, data: out }
}

/** Self-guided filter: smooth where the variance within the radius is below `epsilon`, untouched where far above. */
function guided(source: Plane, radius: number, epsilon: number): Plane {
  const { width, height, data } = source
  const mean = boxMean(source, radius)
  const square = boxMean(
    plane(
      width,
      height,
      data.map((value) => value * value),
    ),
    radius,
  )
  const a = plane(width, height)
  const b = plane(width, height)
  for (let i = 0; i < data.length; i++) {
    const variance = Math.max(0, square.data[i]! - mean.data[i]! ** 2)
    a.data[i] = variance / (variance + epsilon)
    b.data[i] = mean.data[i]! * (1 - a.data[i]!)
  }
  const [am, bm] = [boxMean(a, radius), boxMean(b, radius)]
  return plane(
    width,
    height,
    data.map((value, i) => am.data[i]! * value + bm.data[i]!),
  )
}
