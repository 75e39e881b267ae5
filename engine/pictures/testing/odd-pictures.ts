import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** Pictures that no camera makes, for tests. */

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, tail])
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** A few kilobytes that say they are a picture of so many pixels, and are one, of black. */
export function bomb(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(height * (Math.ceil(width / 8) + 1)))
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

/** The same pixels with a profile in front of them. */
export function pngWithProfile(png: Buffer, icc: Uint8Array): Buffer {
  const afterHead = 8 + 25
  const profile = Buffer.concat([Buffer.from('p\0\0', 'latin1'), deflateSync(icc)])
  return Buffer.concat([png.subarray(0, afterHead), chunk('iCCP', profile), png.subarray(afterHead)])
}

/** A red in press colours. */
export async function cmykJpeg(width: number, height: number): Promise<Buffer> {
  const red = { create: { width, height, channels: 3 as const, background: { r: 220, g: 30, b: 40 } } }
  return sharp(red).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()
}
