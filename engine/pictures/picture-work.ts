import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { quickSide, tileSide } from '../../shared/contract/compare-records.ts'
import { itemForPreview } from '../preview/item-work.ts'
import { convert } from './convert.ts'
import { factsOf, formats, gamutOf, lossless, upright } from './decoding.ts'
import { profileName } from './icc-name.ts'
import { differenceOf, itemBoxOf } from './measure.ts'
import { pictureLimits, type Opened, type PictureOrder, type PictureResults } from './picture-orders.ts'
import { PictureTrouble, troubleOf } from './picture-trouble.ts'
import { say } from '../../shared/language/say.ts'

/**
 * The work on pixels, in a process of its own (picture-process.ts). libvips converts an embedded profile: to
 * Display P3 for what is compared, where it has other colours than sRGB's, else to sRGB. A file without one counts as
 * sRGB (CMYK: as libvips' own press profile).
 */

/** Pixels of one band of a measure: two bands and a picture's rows in memory at a time. */
const bandPixels = 24_000_000

/**
 * Carries out one order.
 * @throws PictureTrouble with a sentence for the picture's pane, whatever the file was.
 */
export async function carryOut(order: PictureOrder): Promise<PictureResults[keyof PictureResults]> {
  try {
    if (order.kind === 'open') return await open(order.file, order.quick)
    if (order.kind === 'tiles') return await tile(order.file, order.folder, order.levels)
    if (order.kind === 'thumbs') return await thumbs(order.file, order.folder, order.sizes)
    if (order.kind === 'measure') return await measure(order.a, order.b)
    if (order.kind === 'convert') return await convert(order)
    if (order.kind === 'preview') return await itemForPreview(order)
    return await item(order.file)
  } catch (error) {
    throw troubleOf(error)
  }
}

async function open(file: string, quick: string): Promise<Opened> {
  const { size } = await stat(file)
  if (size > pictureLimits.bytes)
    throw new PictureTrouble(say`The file is larger than 1 GB, so it is not shown.`)
  const meta = await factsOf(file)
  const { width, height } = meta.autoOrient
  const draft = `${quick}-${randomUUID()}`
  const gamut = gamutOf(meta)
  const small = await upright(file, meta, gamut)
    .resize(quickSide, quickSide, { fit: 'inside', withoutEnlargement: true })
    .png(lossless)
    .toFile(draft)
  await rename(draft, quick)
  return {
    width,
    height,
    format: formats[meta.format]!,
    bytes: size,
    bits: { uchar: 8, char: 8, ushort: 16, short: 16, float: 32 }[meta.depth as string] ?? 32,
    channels: channelsOf(meta),
    alpha: meta.hasAlpha,
    profile: meta.icc ? (profileName(meta.icc) ?? 'unnamed profile') : null,
    gamut,
    turned: (meta.orientation ?? 1) > 1,
    quick: { width: small.width, height: small.height },
    levels: levelsOf(width, height),
  }
}

/** Levels of tiles that a picture needs: those larger than the one that is drawn first. */
function levelsOf(width: number, height: number): number {
  let levels = 0
  for (let side = Math.max(width, height); side > quickSide; side /= 2) levels += 1
  return levels
}

function channelsOf(meta: Metadata): string {
  const space = {
    srgb: 'RGB',
    rgb: 'RGB',
    rgb16: 'RGB',
    'b-w': 'grey',
    grey16: 'grey',
    cmyk: 'CMYK',
    lab: 'Lab',
  }
  const name = space[meta.space as keyof typeof space] ?? meta.space
  return meta.isPalette ? 'indexed' : name
}

async function tile(file: string, folder: string, levels: number) {
  // Another program on the same data folder may be at the same picture: each has a draft of its own.
  const draft = `${folder}-${randomUUID()}`
  await mkdir(draft, { recursive: true })
  try {
    await cut(file, draft, levels)
    // The folder appears under its name when all of it is there.
    await rename(join(draft, 'levels'), folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST' && error.code !== 'EPERM') throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return { levels }
}

async function cut(file: string, draft: string, levels: number) {
  const meta = await factsOf(file)
  await upright(file, meta, gamutOf(meta))
    .png(lossless)
    .tile({ size: tileSide, overlap: 0, depth: 'onetile', container: 'fs', layout: 'dz', skipBlanks: -1 })
    .toFile(join(draft, 'p.dz'))
  // Deep Zoom counts from the smallest level on; here 0 is the largest, and levels that nobody draws are dropped.
  const names = await readdir(join(draft, 'p_files'))
  const largest = Math.max(...names.map(Number).filter(Number.isInteger))
  const whole = join(draft, 'levels')
  await mkdir(whole)
  for (let level = 0; level < levels; level += 1) {
    await rename(join(draft, 'p_files', String(largest - level)), join(whole, String(level)))
  }
}

/** The largest is made from the file, the others from the largest. */
async function thumbs(file: string, folder: string, sizes: readonly number[]) {
  const { size: bytes } = await stat(file)
  if (bytes > pictureLimits.bytes)
    throw new PictureTrouble(say`The file is larger than 1 GB, so it is not shown.`)
  const meta = await factsOf(file)
  const fit = { fit: 'inside', withoutEnlargement: true } as const
  const largest = Math.max(...sizes)
  const small = await upright(file, meta).resize(largest, largest, fit).png(lossless).toBuffer()
  for (const size of sizes) {
    const draft = join(folder, `${size}.part`)
    await sharp(small).resize(size, size, fit).webp({ quality: 82, effort: 3 }).toFile(draft)
    // It is under its name only when it is whole.
    await rename(draft, join(folder, `${size}.webp`))
  }
  return { sizes: sizes.length }
}

async function measure(a: string, b: string): Promise<PictureResults['measure']> {
  const [first, second] = [await factsOf(a), await factsOf(b)]
  const { width, height } = first.autoOrient
  if (second.autoOrient.width !== width || second.autoOrient.height !== height) return { kind: 'sizes' }
  const matte = await matteOf(b)
  // As on the screen: what both have beyond sRGB counts, and one alone has nothing there to be compared with.
  const gamut = gamutOf(first) === 'p3' && gamutOf(second) === 'p3' ? 'p3' : 'srgb'
  const rows = Math.max(1, Math.min(height, Math.floor(bandPixels / width)))
  const total = { changed: 0, largest: 0, outside: 0 }
  for (let top = 0; top < height; top += rows) {
    const band = { left: 0, top, width, height: Math.min(rows, height - top) }
    const one = await pixelsOf(upright(a, first, gamut), band)
    const other = await pixelsOf(upright(b, second, gamut), band)
    const part = differenceOf(one, other, { ...band, of: { width, height } }, matte)
    total.changed += part.changed
    total.outside += part.outside
    total.largest = Math.max(total.largest, part.largest)
  }
  return {
    kind: 'measure',
    changed: total.changed,
    pixels: width * height,
    largest: total.largest,
    outside: matte ? total.outside : null,
  }
}

/** RGBA, 8 bits. */
async function pixelsOf(picture: Sharp, band: { left: number; top: number; width: number; height: number }) {
  return picture.ensureAlpha().extract(band).raw({ depth: 'uchar' }).toBuffer()
}

/** A smaller picture of the item's opacity; undefined where it is not clear what the item is. */
async function matteOf(file: string) {
  const { data, info } = await upright(file, await factsOf(file))
    .resize(1000, 1000, { fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return itemBoxOf({ data, width: info.width, height: info.height, channels: 4 })
}

async function item(file: string): Promise<PictureResults['item']> {
  const matte = await matteOf(file)
  if (!matte) return { box: null }
  const { box, width, height } = matte
  return {
    box: {
      left: box.left / width,
      top: box.top / height,
      width: box.width / width,
      height: box.height / height,
    },
  }
}
