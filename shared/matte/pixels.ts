/** Pixels and planes, and the few filters that matte, shadow and de-banding share. No DOM, no library. */

/** An 8-bit sRGB picture, rows from the top, channels interleaved (3: RGB, 4: RGBA). */
export interface PixelImage {
  readonly data: Uint8Array | Uint8ClampedArray
  readonly width: number
  readonly height: number
  readonly channels: 3 | 4
}

/** One channel of real values, `width × height`, rows from the top. */
export interface Plane {
  readonly data: Float32Array
  readonly width: number
  readonly height: number
}

export function plane(
  width: number,
  height: number,
  data: Float32Array = new Float32Array(width * height),
): Plane {
  return { data, width, height }
}

/** The three colour planes of a picture made smaller by a whole factor, each value the mean of its square. */
export function reducedPlanes(image: PixelImage, factor: number): readonly [Plane, Plane, Plane] {
  const { data, width, height, channels } = image
  const w = Math.ceil(width / factor)
  const h = Math.ceil(height / factor)
  const out = [plane(w, h), plane(w, h), plane(w, h)] as const
  const [red, green, blue] = [out[0].data, out[1].data, out[2].data]
  for (let y = 0; y < h; y++) {
    const y1 = Math.min(height, (y + 1) * factor)
    for (let x = 0; x < w; x++) {
      const x1 = Math.min(width, (x + 1) * factor)
      let r = 0
      let g = 0
      let b = 0
      for (let v = y * factor; v < y1; v++) {
        let at = (v * width + x * factor) * channels
        for (let u = x * factor; u < x1; u++, at += channels) {
          r += data[at]!
          g += data[at + 1]!
          b += data[at + 2]!
        }
      }
      const scale = 1 / ((y1 - y * factor) * (x1 - x * factor))
      const to = y * w + x
      red[to] = r * scale
      green[to] = g * scale
      blue[to] = b * scale
    }
  }
  return out
}

/** Gaussian blur by a true kernel cut at 2.6 sigma (for sigmas of a few pixels), edges repeated. */
export function gaussian(source: Plane, sigma: number): Plane {
  const radius = Math.max(1, Math.ceil(sigma * 2.6))
  const kernel = new Float32Array(radius + 1)
  let sum = 0
  for (let i = 0; i <= radius; i++) {
    kernel[i] = Math.exp((-i * i) / (2 * sigma * sigma))
    sum += i === 0 ? kernel[i]! : 2 * kernel[i]!
  }
  for (let i = 0; i <= radius; i++) kernel[i]! /= sum
  const { width, height } = source
  const across = new Float32Array(width * height)
  const padded = new Float32Array(width + 2 * radius)
  for (let y = 0; y < height; y++) {
    const row = source.data.subarray(y * width, (y + 1) * width)
    padded.fill(row[0]!, 0, radius)
    padded.set(row, radius)
    padded.fill(row[width - 1]!, radius + width)
    for (let x = 0; x < width; x++) {
      let value = kernel[0]! * padded[x + radius]!
      for (let i = 1; i <= radius; i++)
        value += kernel[i]! * (padded[x + radius - i]! + padded[x + radius + i]!)
      across[y * width + x] = value
    }
  }
  return plane(width, height, down(across, width, height, kernel))
}

function down(data: Float32Array, width: number, height: number, kernel: Float32Array): Float32Array {
  const out = new Float32Array(width * height)
  const radius = kernel.length - 1
  for (let y = 0; y < height; y++) {
    const to = out.subarray(y * width, (y + 1) * width)
    for (let i = -radius; i <= radius; i++) {
      const from = Math.min(height - 1, Math.max(0, y + i)) * width
      const weight = kernel[Math.abs(i)]!
      for (let x = 0; x < width; x++) to[x]! += weight * data[from + x]!
    }
  }
  return out
}

/** Mean over a square of side `2 × radius + 1`, edges cut off (the mean of what is there); cost free of the radius. */
export function boxMean(source: Plane, radius: number): Plane {
  const { width, height } = source
  const across = new Float32Array(width * height)
  for (let y = 0; y < height; y++) boxRow(source.data, across, y * width, width, radius)
  const out = new Float32Array(width * height)
  const sums = new Float64Array(width)
  for (let y = 0; y < Math.min(radius, height); y++) {
    for (let x = 0; x < width; x++) sums[x]! += across[y * width + x]!
  }
  for (let y = 0; y < height; y++) {
    const enter = y + radius
    const leave = y - radius - 1
    const count = Math.min(height - 1, enter) - Math.max(0, leave + 1) + 1
    for (let x = 0; x < width; x++) {
      if (enter < height) sums[x]! += across[enter * width + x]!
      if (leave >= 0) sums[x]! -= across[leave * width + x]!
      out[y * width + x] = sums[x]! / count
    }
  }
  return plane(width, height, out)
}

function boxRow(from: Float32Array, to: Float32Array, start: number, width: number, radius: number): void {
  let sum = 0
  for (let x = 0; x < Math.min(radius, width); x++) sum += from[start + x]!
  for (let x = 0; x < width; x++) {
    const enter = x + radius
    const leave = x - radius - 1
    if (enter < width) sum += from[start + enter]!
    if (leave >= 0) sum -= from[start + leave]!
    to[start + x] = sum / (Math.min(width - 1, enter) - Math.max(0, leave + 1) + 1)
  }
}

/** A wide blur: three box means, close to a Gaussian of the given sigma; cost free of the sigma. */
export function wideBlur(source: Plane, sigma: number): Plane {
  const radius = Math.max(1, Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2))
  return boxMean(boxMean(boxMean(source, radius), radius), radius)
}

/** The value at a real position (pixel centres at whole numbers), between its four neighbours, edges repeated. */
export function sample(source: Plane, x: number, y: number): number {
  const { data, width, height } = source
  const cx = Math.min(width - 1, Math.max(0, x))
  const cy = Math.min(height - 1, Math.max(0, y))
  const x0 = Math.floor(cx)
  const y0 = Math.floor(cy)
  const x1 = Math.min(width - 1, x0 + 1)
  const y1 = Math.min(height - 1, y0 + 1)
  const fx = cx - x0
  const fy = cy - y0
  const upper = data[y0 * width + x0]! * (1 - fx) + data[y0 * width + x1]! * fx
  const lower = data[y1 * width + x0]! * (1 - fx) + data[y1 * width + x1]! * fx
  return upper * (1 - fy) + lower * fy
}
