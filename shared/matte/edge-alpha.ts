import type { PixelImage, Plane } from './pixels.ts'
import { sample } from './pixels.ts'
import { dilated, eroded } from './regions.ts'
import type { Segmentation } from './segment.ts'

/**
 * The soft edge at full size. Around the outline found at the working size each pixel is compared with the paper that
 * would be there: where it differs as much as the strongest pixel close by it is item, where it does not differ it is
 * paper, and between the two it is the share of the one in the other.
 */
export function edgeAlpha(
  image: PixelImage,
  factor: number,
  { item, width: w, height: h }: Segmentation,
  paper: readonly [Plane, Plane, Plane],
): Uint8Array {
  const { width, height } = image
  const inside = eroded(item, w, h, 2)
  const outer = dilated(item, w, h, 1)
  const alpha = new Uint8Array(width * height)
  const band = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / factor) * w
    for (let x = 0; x < width; x++) {
      const at = row + Math.floor(x / factor)
      if (inside[at]) alpha[y * width + x] = 255
      else if (outer[at]) band[y * width + x] = item[at] ? 2 : 1
    }
  }
  const contrast = contrastInBand(image, factor, band, paper)
  const strongest = windowMax(contrast, width, height, factor + 1)
  for (let i = 0; i < alpha.length; i++) {
    if (band[i] === 0) continue
    const most = strongest[i]!
    // Too little contrast to measure: the outline of the working size decides.
    const share = most < 6 ? (band[i] === 2 ? 1 : 0) : (contrast[i]! / most - 0.08) / 0.84
    alpha[i] = Math.round(255 * Math.min(1, Math.max(band[i] === 2 ? share * 1.15 : share, 0)))
  }
  return alpha
}

function contrastInBand(
  { data, width, height, channels }: PixelImage,
  factor: number,
  band: Uint8Array,
  paper: readonly [Plane, Plane, Plane],
): Float32Array {
  const contrast = new Float32Array(width * height)
  const offset = (factor - 1) / 2
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if (band[at] === 0) continue
      const px = (x - offset) / factor
      const py = (y - offset) / factor
      let most = 0
      for (let c = 0; c < 3; c++) {
        most = Math.max(most, Math.abs(data[at * channels + c]! - sample(paper[c]!, px, py)))
      }
      contrast[at] = most
    }
  }
  return contrast
}

/** The largest value in a square around each pixel. */
function windowMax(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  const across = new Float32Array(values.length)
  for (let y = 0; y < height; y++) {
    const row = y * width
    for (let x = 0; x < width; x++) {
      let most = 0
      for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++) {
        if (values[row + u]! > most) most = values[row + u]!
      }
      across[row + x] = most
    }
  }
  const out = new Float32Array(values.length)
  for (let y = 0; y < height; y++) {
    for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
      for (let x = 0; x < width; x++) {
        if (across[v * width + x]! > out[y * width + x]!) out[y * width + x] = across[v * width + x]!
      }
    }
  }
  return out
}
