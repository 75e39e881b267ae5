import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { frameAround } from '../../shared/framing.ts'
import { estimateMatte } from '../../shared/matte/estimate-matte.ts'
import type { RetoucherSettings } from '../../shared/settings.ts'
import { decodePicture } from './picture.ts'
import { processImage } from './process.ts'
import { measurePiece, piecesOf } from './testing/measure.ts'

const pieces = piecesOf()
const piece = (name: string) => pieces.find((each) => each.name.includes(name))!

/** A piece of the shoot, small enough that a test takes a fraction of a second. */
let small: Buffer
const first = async (settings: RetoucherSettings, input = small) =>
  (await processImage(input, 'precision', settings)).outputs[0]!
const pixels = async (data: Buffer) => sharp(data).raw().toBuffer({ resolveWithObject: true })

beforeAll(async () => {
  small = await sharp(await readFile(piece('R1183').picture))
    .resize(360)
    .keepMetadata()
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
})

/** The start of a PNG of one-bit grey: as much as says how large it is. */
function pngHeader(width: number, height: number): Buffer {
  const chunk = (name: string, body: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(name), body])
    const out = Buffer.alloc(body.length + 12)
    out.writeUInt32BE(body.length)
    named.copy(out, 4)
    out.writeUInt32BE(crc32(named), body.length + 8)
    return out
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(2001)))])
}

describe('processImage', () => {
  test('without settings size and format stay, and both apps visibly retouch, differently', async () => {
    const source = await pixels(small)
    const looks = [source.data]
    for (const app of ['rescue', 'precision'] as const) {
      const { outputs, thumbnail } = await processImage(small, app, {})
      expect(outputs.map(({ format, width, height }) => [format, width, height])).toEqual([
        ['jpeg', 360, 450],
      ])
      expect((await sharp(thumbnail).metadata()).height).toBe(450)
      const meta = await sharp(outputs[0]!.data).metadata()
      expect(meta.chromaSubsampling).toBe('4:4:4')
      expect(meta.icc).toBeDefined()
      looks.push((await pixels(outputs[0]!.data)).data)
    }
    const apart = (a: Buffer, b: Buffer): number =>
      a.reduce((sum, v, i) => sum + Math.abs(v - b[i]!), 0) / a.length
    expect(apart(looks[0]!, looks[1]!)).toBeGreaterThan(8)
    expect(apart(looks[0]!, looks[2]!)).toBeGreaterThan(2)
    expect(apart(looks[1]!, looks[2]!)).toBeGreaterThan(5)
  })

  test('the same bytes in give the same bytes out', async () => {
    const settings: RetoucherSettings = {
      bg_mode: 'solid',
      bg_shadow: true,
      debanding: true,
      framing_enabled: true,
    }
    const [a, b] = [await first(settings), await first(settings)]
    expect(a.data.equals(b.data)).toBe(true)
  })

  test('solid: the background is exactly the colour, white where none is given', async () => {
    const corner = async (settings: RetoucherSettings) => [
      ...(await pixels((await first(settings)).data)).data.subarray(0, 3),
    ]
    expect(await corner({ bg_mode: 'solid' })).toEqual([255, 255, 255])
    const red = await corner({ bg_mode: 'solid', bg_color: '#C02030' })
    for (const [c, value] of [0xc0, 0x20, 0x30].entries())
      expect(Math.abs(red[c]! - value)).toBeLessThanOrEqual(3)
  })

  test('transparent: PNG with alpha, opaque on the item and clear beside it', async () => {
    const cut = await first({ bg_mode: 'transparent' })
    expect(cut.format).toBe('png')
    const { data, info } = await pixels(cut.data)
    expect([info.channels, data[3]]).toEqual([4, 0])
    expect(data.filter((value, i) => i % 4 === 3 && value === 255).length).toBeGreaterThan(2000)
  })

  test('solid leaves no grey rim on a strong colour', async () => {
    const { data } = await pixels((await first({ bg_mode: 'solid', bg_color: '#FF00FF' })).data)
    let grey = 0
    let item = 0
    for (let i = 0; i < data.length; i += 3) {
      const [r, g, b] = [data[i]!, data[i + 1]!, data[i + 2]!]
      if (!(r > 240 && b > 240 && g < 20)) item++
      if (Math.max(r, g, b) - Math.min(r, g, b) < 6 && g > 120 && g < 200) grey++
    }
    expect(grey / item).toBeLessThan(0.05)
  })

  test('shadow keys count only with solid and bg_shadow, are clamped, and fall back to the account', async () => {
    const plain = await first({ bg_mode: 'solid' })
    expect((await first({ bg_mode: 'solid', shadow_intensity: 3 })).data.equals(plain.data)).toBe(true)
    const dark = { bg_mode: 'solid', bg_shadow: true, shadow_intensity: 3 } as const
    expect((await first(dark)).data.equals(plain.data)).toBe(false)
    expect((await first({ ...dark, shadow_intensity: 99 })).data.equals((await first(dark)).data)).toBe(true)
    const account = await processImage(
      small,
      'precision',
      { bg_mode: 'solid', bg_shadow: true },
      { shadow_intensity: 3 },
    )
    expect(account.outputs[0]!.data.equals((await first(dark)).data)).toBe(true)
    const off = await first({ bg_shadow: true, shadow_size: 3 })
    expect(off.data.equals((await first({})).data)).toBe(true)
  })

  test('framing is that of the matte’s box, with every background', async () => {
    const { picture } = await decodePicture(small)
    const pads = { top: 60, right: 5, bottom: 15, left: 80 }
    const expected = frameAround(estimateMatte(picture).box!, pads, { width: 360, height: 450 })
    for (const bg_mode of ['off', 'solid', 'transparent'] as const) {
      const settings = {
        bg_mode,
        framing_enabled: true,
        framing_pad_top: 60,
        framing_pad_right: 5,
        framing_pad_left: 80,
      }
      const { width, height } = await first(settings)
      expect([width, height]).toEqual([expected.width, expected.height])
    }
  })

  test('beyond the source an untouched background goes on without a seam', async () => {
    const settings = { framing_enabled: true, framing_pad_left: 100, framing_pad_right: 100 } as const
    const { data, width } = await first(settings)
    const { data: raw } = await pixels(data)
    let most = 0
    for (let x = 8; x < width; x++) {
      let [before, after] = [0, 0]
      for (let y = 4; y < 12; y++) {
        for (let u = 0; u < 4; u++) {
          before += raw[(y * width + x - 5 - u) * 3 + 1]!
          after += raw[(y * width + x - u) * 3 + 1]!
        }
      }
      most = Math.max(most, Math.abs(after - before) / 32)
    }
    expect(most).toBeLessThan(6)
  })

  test('de-banding yields De-Banded first and Original as an extra, alike but for the banding', async () => {
    const { outputs } = await processImage(small, 'rescue', {
      debanding: true,
      bg_mode: 'solid',
      framing_enabled: true,
    })
    expect(outputs.map(({ label, slug }) => [label, slug])).toEqual([
      ['De-Banded', 'debanded'],
      ['Original', 'original'],
    ])
    expect(outputs[0]!.width).toBe(outputs[1]!.width)
    const plain = await processImage(small, 'rescue', { bg_mode: 'solid', framing_enabled: true })
    expect(outputs[1]!.data.equals(plain.outputs[0]!.data)).toBe(true)
  })

  test('PNG stays PNG with its opacity, grey and turned pictures are understood', async () => {
    const png = await sharp(small).ensureAlpha(0.5).png().toBuffer()
    const kept = await first({}, png)
    expect(kept.format).toBe('png')
    expect((await pixels(kept.data)).data[3]).toBe(127)
    expect((await first({}, await sharp(small).greyscale().jpeg().toBuffer())).width).toBe(360)
    const turned = await sharp(small).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect((await first({}, turned)).width).toBe(450)
  })

  test('the photographer’s name stays in the picture', async () => {
    const { exif } = await sharp((await first({})).data).metadata()
    expect(exif!.toString('latin1')).toContain('Vitrine sample shoot')
  })

  test.each([
    ['no image', async () => Buffer.from('<html>'), 'The file is not an image'],
    ['half an image', async () => small.subarray(0, 5000), 'damaged or incomplete'],
    ['a picture bomb', async () => pngHeader(16_000, 10_000), '160 megapixels'],
  ])('%s is refused with a sentence', async (_, input, words) => {
    await expect(processImage(await input(), 'rescue', {})).rejects.toThrow(words)
  })
})

// The whole shoot is measured by bench/imaging.ts; here some of the hardest hold the goals.
describe('measured against the truth', () => {
  test.each([
    ['R1195', 0.62],
    ['R1183', 0.72],
    ['E3306', 1.01],
  ])('%s', async (name, banding) => {
    const m = await measurePiece(piece(name))
    expect(m.iou).toBeGreaterThan(0.97)
    expect(m.boxShare).toBeLessThan(0.005)
    expect(Math.abs(m.edges - 1)).toBeLessThan(0.01)
    expect(m.bandingAfter / m.bandingBefore).toBeLessThan(banding)
    expect(m.retouched).toBeLessThan(banding + 0.1)
    expect(m.cleanChange).toBeLessThan(0.1)
  })
})
