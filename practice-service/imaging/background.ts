import type { ContactShadow } from '../../shared/matte/contact-shadow.ts'
import type { Matte } from '../../shared/matte/estimate-matte.ts'
import { sample } from '../../shared/matte/pixels.ts'
import type { Picture } from './picture.ts'

/** Background modes of the interface document, 4.7: cut out, and laid on a colour. */

/** How far around an edge pixel its own colour is looked for, in pixels. */
const REACH = 3

/**
 * The item on nothing. Edge pixels hold a share of the old paper; it is taken out again, so that no grey rim is left
 * on a new background.
 */
export function onNothing(picture: Picture, { alpha }: Pick<Matte, 'alpha'>): Picture {
  const { data, width, height } = picture
  const out = Uint8Array.from(data)
  const opacity = Uint8Array.from(alpha)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const a = opacity[at]!
      if (a === 255) continue
      if (a === 0) {
        out.fill(0, at * 3, at * 3 + 3)
        continue
      }
      const solid = solidNear(data, alpha, width, height, x, y)
      if (!solid) continue
      // The nearer to solid, the more of the pixel's own colour is trusted.
      const own = (a / 255) ** 2
      for (let c = 0; c < 3; c++)
        out[at * 3 + c] = Math.round(data[at * 3 + c]! * own + solid[c]! * (1 - own))
    }
  }
  return { ...picture, data: out, opacity }
}

/** The mean colour of the most solid pixels close by, or undefined where there are none. */
function solidNear(
  data: Uint8Array,
  alpha: Uint8Array,
  width: number,
  height: number,
  x: number,
  y: number,
): readonly [number, number, number] | undefined {
  const own = alpha[y * width + x]!
  let [r, g, b, sum] = [0, 0, 0, 0]
  for (let v = Math.max(0, y - REACH); v <= Math.min(height - 1, y + REACH); v++) {
    for (let u = Math.max(0, x - REACH); u <= Math.min(width - 1, x + REACH); u++) {
      const at = v * width + u
      const a = alpha[at]!
      if (a <= own) continue
      const weight = ((a - own) / 255) ** 2 / (1 + (u - x) ** 2 + (v - y) ** 2)
      r += data[at * 3]! * weight
      g += data[at * 3 + 1]! * weight
      b += data[at * 3 + 2]! * weight
      sum += weight
    }
  }
  return sum > 0.002 ? [r / sum, g / sum, b / sum] : undefined
}

/** The item on a plain colour, with its contact shadow beneath it where there is one. */
export function onColor(
  picture: Picture,
  color: readonly [number, number, number],
  shadow: ContactShadow | undefined,
): Picture {
  const { data, width, height, opacity } = picture
  const out = new Uint8Array(data.length)
  const offset = shadow ? (shadow.factor - 1) / 2 : 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const a = opacity ? opacity[at]! / 255 : 1
      let light = 1
      if (shadow && a < 1) {
        light -= sample(shadow.opacity, (x - offset) / shadow.factor, (y - offset) / shadow.factor)
      }
      // A wide soft shadow in eight bits would show rings: half a level of fixed grain hides them.
      const grain = light < 1 ? grainAt(x, y) : 0
      for (let c = 0; c < 3; c++) {
        const under = color[c]! * light + grain
        out[at * 3 + c] = Math.min(255, Math.max(0, Math.round(data[at * 3 + c]! * a + under * (1 - a))))
      }
    }
  }
  return { data: out, width, height, channels: 3 }
}

/** Fixed grain in ±0.5, evenly spread (interleaved gradient noise): the same picture each time. */
export function grainAt(x: number, y: number): number {
  const value = 52.9829189 * ((0.06711056 * x + 0.00583715 * y) % 1)
  return (value % 1) - 0.5
}
