import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type OverlayOptions } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Look, PictureInfo } from '../../shared/contract/compare-records.ts'
import { PictureCache } from './picture-cache.ts'
import { PictureViews, type Originals } from './picture-views.ts'
import { createPictureWorkers, forkPictureProcess } from './picture-workers.ts'
import { bomb, cmykJpeg } from './testing/odd-pictures.ts'

let home: string
let views: PictureViews
let cache: PictureCache
const workers = createPictureWorkers()
const of = { image: 1 }

/** Pictures of the test by name: `which` is a file of its folder. */
const originals: Originals = {
  async find(_, which) {
    const file = join(home, which)
    const { size, mtimeMs } = await stat(file)
    const key = createHash('sha256').update(`${which} ${size} ${mtimeMs}`).digest('hex').slice(0, 32)
    return { file, key }
  },
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vitrine-views-'))
  cache = await PictureCache.open(join(home, 'cache'))
  views = new PictureViews({ originals, cache, workers })
})

afterAll(async () => {
  workers.close()
  await rm(home, { recursive: true, force: true })
})

const flat = (r: number, g: number, b: number, width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: { r, g, b } } })

async function infoOf(which: string): Promise<PictureInfo> {
  const look = await views.look(of, which)
  if (look.kind !== 'picture') throw new Error(`No picture: ${JSON.stringify(look)}`)
  return look.info
}

/** RGBA of one pixel of the level that is drawn first. */
async function pixel(which: string, info: PictureInfo, left = 5, top = 5): Promise<number[]> {
  const file = await views.file(`/pictures/1/${which}/quick`, info.stamp)
  const raw = await sharp(file!.path)
    .ensureAlpha()
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer()
  return [...raw]
}

const near = (actual: number[], wanted: number[], by: number) => {
  for (const [i, value] of wanted.entries()) expect(Math.abs(actual[i]! - value)).toBeLessThanOrEqual(by)
}

describe('what a picture is, and its colours', () => {
  it('shows a plain PNG as it is, without tiles', async () => {
    await flat(200, 100, 50).png().toFile(join(home, 'plain.png'))
    const info = await infoOf('plain.png')
    expect(info).toMatchObject({
      width: 40,
      height: 30,
      format: 'PNG',
      bits: 8,
      channels: 'RGB',
      alpha: false,
      profile: null,
      levels: 0,
    })
    expect(await pixel('plain.png', info)).toEqual([200, 100, 50, 255])
  })

  it('converts an embedded Display P3 profile to sRGB', async () => {
    // Full red of P3 lies outside sRGB; a middle colour lies within and has a value that is known.
    await flat(180, 90, 60).withIccProfile('p3', { attach: true }).png().toFile(join(home, 'converted.png'))
    // The same numbers with the profile attached but not converted: what a camera would write.
    const icc = (await sharp(join(home, 'converted.png')).metadata()).icc!
    await writeFile(join(home, 'p3.icc'), icc)
    await flat(180, 90, 60).png().toFile(join(home, 'numbers.png'))
    await tagged('numbers.png', 'p3.png', icc)
    const info = await infoOf('p3.png')
    expect(info.profile).toMatch(/P3/i)
    near(await pixel('p3.png', info), p3ToSrgb([180, 90, 60]), 2)
  })

  it('shows 16 bits a channel in 8', async () => {
    const deep = new Uint16Array(3 * 20 * 20).map((_, i) => [51_400, 25_700, 12_850][i % 3]!)
    await sharp(deep, { raw: { width: 20, height: 20, channels: 3 } })
      .toColourspace('rgb16')
      .png()
      .toFile(join(home, 'deep.png'))
    const info = await infoOf('deep.png')
    expect(info.bits).toBe(16)
    near(await pixel('deep.png', info), [200, 100, 50, 255], 1)
  })

  it('converts CMYK', async () => {
    await writeFile(join(home, 'press.jpg'), await cmykJpeg(40, 30))
    const info = await infoOf('press.jpg')
    expect(info.channels).toBe('CMYK')
    const [r, g, b] = await pixel('press.jpg', info)
    expect(r).toBeGreaterThan(g! + 60)
    expect(r).toBeGreaterThan(b! + 60)
  })

  it('turns what asks to be turned', async () => {
    await flat(10, 20, 30, 40, 30)
      .composite([{ input: await flat(250, 0, 0, 10, 10).png().toBuffer(), left: 0, top: 0 }])
      .jpeg({ quality: 100 })
      .withMetadata({ orientation: 6 })
      .toFile(join(home, 'turned.jpg'))
    const info = await infoOf('turned.jpg')
    expect(info).toMatchObject({ width: 30, height: 40, turned: true })
    near(await pixel('turned.jpg', info, 25, 5), [250, 0, 0], 6)
  })

  it('keeps transparency', async () => {
    await sharp({
      create: { width: 8, height: 8, channels: 4, background: { r: 9, g: 99, b: 9, alpha: 0.5 } },
    })
      .png()
      .toFile(join(home, 'clear.png'))
    const info = await infoOf('clear.png')
    expect(info.alpha).toBe(true)
    expect((await pixel('clear.png', info))[3]).toBe(128)
  })
})

describe('tiles', () => {
  it('hold every pixel of a large picture, level by level, odd sizes too', async () => {
    const [width, height] = [4301, 2603]
    const data = Buffer.alloc(width * height * 3)
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const at = 3 * (y * width + x)
        data[at] = x & 255
        data[at + 1] = y & 255
        data[at + 2] = (x >> 8) * 10 + (y >> 8)
      }
    }
    await sharp(data, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 1 })
      .toFile(join(home, 'large.png'))
    const info = await infoOf('large.png')
    expect(info.levels).toBe(2)
    expect(info.quick.width).toBe(2048)
    expect(await views.tiles(of, 'large.png')).toEqual({ kind: 'ready' })
    for (const [x, y] of [
      [0, 0],
      [3, 2],
      [8, 5],
    ] as const) {
      const file = await views.file(`/pictures/1/large.png/tile-0-${x}-${y}`, info.stamp)
      const tile = await sharp(file!.path).raw().toBuffer({ resolveWithObject: true })
      expect(tile.info.width).toBe(Math.min(512, width - 512 * x))
      expect(tile.info.height).toBe(Math.min(512, height - 512 * y))
      const last = 3 * (tile.info.width * tile.info.height - 1)
      const [px, py] = [512 * x + tile.info.width - 1, 512 * y + tile.info.height - 1]
      expect([...tile.data.subarray(last, last + 3)]).toEqual([
        px & 255,
        py & 255,
        (px >> 8) * 10 + (py >> 8),
      ])
    }
    const half = await views.file('/pictures/1/large.png/tile-1-4-2', info.stamp)
    const size = await sharp(half!.path).metadata()
    expect([size.width, size.height]).toEqual([2151 - 2048, 1302 - 1024])
    expect(await views.file('/pictures/1/large.png/tile-2-0-0', info.stamp)).toBeUndefined()
  })
})

describe('files that are no pictures, or too much of one', () => {
  const sentence = (look: Look) => (look.kind === 'trouble' ? look.sentence : `not refused: ${look.kind}`)

  it('says what is wrong in a sentence, and goes on', async () => {
    await writeFile(join(home, 'bomb.png'), bomb(30_000, 30_000))
    expect(sentence(await views.look(of, 'bomb.png'))).toBe(
      'This picture has 900 megapixels; up to 150 are shown.',
    )
    const whole = await flat(1, 2, 3, 400, 400).jpeg().toBuffer()
    const noise = await sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: 'black',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
      .jpeg()
      .toBuffer()
    await writeFile(join(home, 'short.jpg'), noise.subarray(0, noise.length / 2))
    expect(sentence(await views.look(of, 'short.jpg'))).toBe(
      'The file is damaged or ends early, so its picture cannot be shown.',
    )
    await writeFile(join(home, 'page.html'), '<html><svg xmlns="http://www.w3.org/2000/svg"/></html>')
    expect(sentence(await views.look(of, 'page.html'))).toBe(
      'This file is in a format that is not shown here.',
    )
    await writeFile(
      join(home, 'drawing.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    )
    expect(sentence(await views.look(of, 'drawing.svg'))).toBe(
      'This file is in a format that is not shown here.',
    )
    await writeFile(join(home, 'phone.heic'), Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'))
    expect(await views.look(of, 'phone.heic')).toEqual({
      kind: 'trouble',
      sentence: 'Pictures in HEIC format are not shown here.',
      format: 'HEIC',
    })
    expect(sentence(await views.look(of, 'nowhere.png'))).toBe('The file is not there any more.')
    await writeFile(join(home, 'whole.jpg'), whole)
    expect((await views.look(of, 'whole.jpg')).kind).toBe('picture')
  })

  it('gives up a process that takes too long, and starts another', async () => {
    const slow = createPictureWorkers({ time: 1 })
    await expect(slow.work({ kind: 'item', file: join(home, 'large.png') })).rejects.toThrow(
      /longer than a minute/,
    )
    slow.close()
    const killed = createPictureWorkers({
      start() {
        const process = forkPictureProcess()
        return { ...process, send: () => process.kill() }
      },
    })
    await expect(killed.work({ kind: 'item', file: join(home, 'plain.png') })).rejects.toThrow(
      /nothing else is harmed/,
    )
    killed.close()
  })

  it('knows a video by its first bytes', async () => {
    await writeFile(join(home, 'clip.webm'), Buffer.from('1a45dfa3010000000000', 'hex'))
    expect(await views.look(of, 'clip.webm')).toMatchObject({ kind: 'video', format: 'WEBM', bytes: 10 })
  })
})

describe('measures', () => {
  const scene = async (name: string, extra: OverlayOptions[] = []) => {
    const disc = Buffer.from(
      '<svg width="300" height="300"><circle cx="150" cy="150" r="70" fill="#a07020"/></svg>',
    )
    await flat(236, 236, 236, 300, 300)
      .composite([{ input: disc }, ...extra])
      .png()
      .toFile(join(home, name))
  }
  const dot = async (left: number, top: number, add: number) => ({
    input: await flat(160 + add, 112, 32, 4, 4)
      .png()
      .toBuffer(),
    left,
    top,
  })

  it('counts what changed, by how much, and what of it lies beside the item', async () => {
    await scene('a.png')
    await scene('b.png')
    expect(await views.measure(of, 'a.png', 'b.png')).toEqual({
      kind: 'measure',
      changed: 0,
      pixels: 90_000,
      largest: 0,
      outside: 0,
    })
    await scene('c.png', [await dot(150, 150, 7)])
    expect(await views.measure(of, 'a.png', 'c.png')).toMatchObject({ changed: 16, largest: 7, outside: 0 })
    await scene('e.png', [await dot(150, 140, 7), await dot(150, 160, 3)])
    expect(await views.measure(of, 'a.png', 'e.png')).toMatchObject({ changed: 32, largest: 7 })
    await scene('d.png', [await dot(150, 150, 7), await dot(4, 4, 0)])
    expect(await views.measure(of, 'd.png', 'b.png')).toMatchObject({ changed: 32, outside: 16 })
  })

  it('says so where the sizes differ, and where a picture cannot be read', async () => {
    expect(await views.measure(of, 'a.png', 'plain.png')).toEqual({ kind: 'sizes' })
    expect(await views.measure(of, 'a.png', 'short.jpg')).toMatchObject({ kind: 'trouble' })
  })

  it('finds the box of the item', async () => {
    const box = await views.item(of, 'a.png')
    expect(box!.left).toBeCloseTo(80 / 300, 1)
    expect(box!.width).toBeCloseTo(140 / 300, 1)
  })
})

describe('the cache', () => {
  it('keeps within its bound, lets the oldest go, and knows its entries after a restart', async () => {
    const root = join(home, 'small-cache')
    let now = 1_000_000
    const small = await PictureCache.open(root, 2500, () => now)
    const put = async (digit: string) => {
      now += 120_000
      const key = digit.repeat(32)
      await small.use(key, (folder) => writeFile(join(folder, 'x'), Buffer.alloc(1000)))
      await small.settle(key)
    }
    await put('1')
    await put('2')
    now += 1
    await small.use('1'.repeat(32), async () => undefined)
    await put('3')
    expect(small.bytes).toBe(2000)
    await expect(stat(join(root, '2'.repeat(32)))).rejects.toThrow('ENOENT')
    await mkdir(join(root, '.gone-left'), { recursive: true })
    await utimes(join(root, '3'.repeat(32)), 5, 5)
    const again = await PictureCache.open(root, 1500)
    expect(again.bytes).toBe(1000)
    await expect(readFile(join(root, '1'.repeat(32), 'x'))).resolves.toHaveLength(1000)
    await expect(stat(join(root, '.gone-left'))).rejects.toThrow('ENOENT')
    await again.clear()
    expect(again.bytes).toBe(0)
  })
})

/** Puts a profile into a PNG without touching its numbers. */
async function tagged(from: string, to: string, icc: Buffer): Promise<void> {
  const { pngWithProfile } = await import('./testing/odd-pictures.ts')
  await writeFile(join(home, to), pngWithProfile(await readFile(join(home, from)), icc))
}

/** Display P3 (D65, sRGB curve) to sRGB, by the published matrices. */
function p3ToSrgb(rgb: number[]): number[] {
  const linear = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4))
  const m = [
    [1.2249402, -0.2249404, 0],
    [-0.0420569, 1.0420571, 0],
    [-0.0196376, -0.0786361, 1.0982735],
  ]
  return m.map((row) => {
    const v = Math.max(
      0,
      row.reduce((sum, factor, i) => sum + factor * linear[i]!, 0),
    )
    return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055))
  })
}
