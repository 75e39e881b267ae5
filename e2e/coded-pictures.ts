import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** Pictures whose pixels say where they are, and pictures that are hard to show. */

export interface Block {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Added to the red of its pixels. */
  readonly add: number
}

/** Red and green are a pixel's column and row (their low bytes), blue the high ones. `block` differs by a known step. */
export function coded(width: number, height: number, block?: Block): Sharp {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = 3 * (y * width + x)
      const inBlock =
        block && x >= block.x && x < block.x + block.width && y >= block.y && y < block.y + block.height
      data[at] = inBlock ? Math.min(255, (x & 255) + block.add) : x & 255
      data[at + 1] = y & 255
      data[at + 2] = (x >> 8) * 16 + (y >> 8)
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
}

/** Where a pixel of a coded picture lies. */
export function decoded([r = 0, g = 0, b = 0]: readonly number[]): { x: number; y: number } {
  return { x: r + 256 * (b >> 4), y: g + 256 * (b & 15) }
}

export function flat(r: number, g: number, b: number, width = 300, height = 200): Sharp {
  return sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
}

/** A piece on paper: a disc of a warm grey. */
export function disc(width: number, height: number, x: number, y: number): Sharp {
  const drawing = `<svg width="${width}" height="${height}"><circle cx="${x}" cy="${y}" r="90" fill="#8a6a3a"/></svg>`
  return flat(234, 234, 233, width, height).composite([{ input: Buffer.from(drawing) }])
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}

/** A few kilobytes that unfold to 900 megapixels. */
export function bomb(): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(30_000, 0)
  head.writeUInt32BE(30_000, 4)
  head.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(30_000 * 3751))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Display P3 numbers, with the profile that says so. */
export async function displayP3(r: number, g: number, b: number): Promise<Buffer> {
  return asDisplayP3(await flat(r, g, b).png().toBuffer())
}

/** The numbers of a PNG, read as Display P3. */
export async function asDisplayP3(plain: Buffer): Promise<Buffer> {
  const { icc } = await sharp(await flat(0, 0, 0).withIccProfile('p3').png().toBuffer()).metadata()
  const profile = Buffer.concat([Buffer.from('p\0\0', 'latin1'), deflateSync(icc!)])
  return Buffer.concat([plain.subarray(0, 33), chunk('iCCP', profile), plain.subarray(33)])
}

/** Numbers of Display P3 in sRGB, or the other way round, by the published matrices; cut off where there is none. */
export function throughP3(rgb: readonly number[], to: 'srgb' | 'p3'): number[] {
  const light = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4))
  return matrices[to].map((row) => {
    const sum = row.reduce<number>((all, factor, i) => all + factor * light[i]!, 0)
    const v = Math.min(1, Math.max(0, sum))
    return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055))
  })
}

const matrices = {
  srgb: [
    [1.2249402, -0.2249404, 0],
    [-0.0420569, 1.0420571, 0],
    [-0.0196376, -0.0786361, 1.0982735],
  ],
  p3: [
    [0.8224621, 0.177538, 0],
    [0.0331941, 0.9668058, 0],
    [0.0170827, 0.0723974, 0.9105199],
  ],
} as const

export async function sixteenBit(r: number, g: number, b: number): Promise<Buffer> {
  const deep = new Uint16Array(3 * 300 * 200).map((_, i) => [r, g, b][i % 3]! * 257)
  return sharp(deep, { raw: { width: 300, height: 200, channels: 3 } })
    .toColourspace('rgb16')
    .png()
    .toBuffer()
}
