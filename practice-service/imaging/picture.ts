import type { Exif, Metadata, Sharp } from 'sharp'
import sharp from 'sharp'

/** Pictures in and out of pixels: decoding with limits, encoding in the format that was asked. */

/** Sources above this many pixels are refused (a picture bomb, or not a picture for this service). */
const MOST_PIXELS = 150_000_000

export type OutputFormat = 'jpeg' | 'png'

/** An upright 8-bit sRGB picture; `opacity` only where the source had any transparency. */
export interface Picture {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: 3
  readonly opacity?: Uint8Array
}

export interface Decoded {
  readonly picture: Picture
  /** JPEG stays JPEG; what may hold alpha stays PNG; anything else becomes JPEG. */
  readonly format: OutputFormat
  readonly exif: Exif
}

/**
 * Decodes a picture upright and in sRGB.
 *
 * @throws Error with one sentence for people when it is no picture, is damaged, or is too large.
 */
export async function decodePicture(input: Buffer): Promise<Decoded> {
  const meta = await sharp(input, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new Error('The file is not an image that can be read (JPEG, PNG, WebP, TIFF, AVIF or GIF).')
    })
  if (meta.width * meta.height > MOST_PIXELS) {
    const size = Math.round((meta.width * meta.height) / 1e6)
    throw new Error(`The image has ${size} megapixels; at most ${MOST_PIXELS / 1e6} are accepted.`)
  }
  const { data, info } = await sharp(input, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    .autoOrient()
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw new Error('The image is damaged or incomplete and could not be decoded.')
    })
  const { width, height } = info
  const picture = { ...separated(data, width * height, info.channels), width, height, channels: 3 as const }
  const format = meta.format === 'jpeg' ? 'jpeg' : meta.format === 'png' || picture.opacity ? 'png' : 'jpeg'
  return { picture, format, exif: keptExif(meta) }
}

/** Colour and opacity apart; grey becomes RGB, and opacity that is full everywhere is dropped. */
function separated(
  raw: Buffer,
  pixels: number,
  channels: number,
): { data: Uint8Array; opacity?: Uint8Array } {
  if (channels === 3) return { data: raw }
  const data = new Uint8Array(pixels * 3)
  const opacity = channels % 2 === 0 ? new Uint8Array(pixels) : undefined
  const colors = opacity ? channels - 1 : channels
  let full = true
  for (let i = 0; i < pixels; i++) {
    const from = i * channels
    data[3 * i] = raw[from]!
    data[3 * i + 1] = raw[from + (colors > 1 ? 1 : 0)]!
    data[3 * i + 2] = raw[from + (colors > 1 ? 2 : 0)]!
    if (!opacity) continue
    opacity[i] = raw[from + channels - 1]!
    if (opacity[i] !== 255) full = false
  }
  return opacity && !full ? { data, opacity } : { data }
}

/** Who made the picture and whose it is goes on with it; the rest (orientation, previews) would be wrong now. */
function keptExif(meta: Metadata): Exif {
  const kept: Record<string, string> = {}
  const text = meta.exif?.toString('latin1') ?? ''
  for (const [tag, name] of exifTexts) {
    const value = exifText(meta.exif, text, tag)
    if (value) kept[name] = value
  }
  return Object.keys(kept).length > 0 ? { IFD0: kept } : {}
}

const exifTexts: ReadonlyMap<number, string> = new Map([
  [0x013b, 'Artist'],
  [0x8298, 'Copyright'],
  [0x010f, 'Make'],
  [0x0110, 'Model'],
  [0x0132, 'DateTime'],
])

/** One text of the first directory of an EXIF block, or undefined where it is absent or malformed. */
function exifText(exif: Buffer | undefined, text: string, wanted: number): string | undefined {
  const start = text.startsWith('Exif\0\0') ? 6 : 0
  if (!exif || exif.length < start + 10) return undefined
  const little = text.startsWith('II', start)
  const u16 = (at: number) => (little ? exif.readUInt16LE(at) : exif.readUInt16BE(at))
  const u32 = (at: number) => (little ? exif.readUInt32LE(at) : exif.readUInt32BE(at))
  const directory = start + u32(start + 4)
  if (directory + 2 > exif.length) return undefined
  for (let i = 0; i < u16(directory); i++) {
    const entry = directory + 2 + i * 12
    if (entry + 12 > exif.length) return undefined
    if (u16(entry) !== wanted || u16(entry + 2) !== 2) continue
    const length = u32(entry + 4)
    const at = length <= 4 ? entry + 8 : start + u32(entry + 8)
    if (length > 200 || at + length > exif.length) return undefined
    return exif.toString('latin1', at, at + length).replace(/\0[\s\S]*$/, '')
  }
  return undefined
}

/** Encodes at full quality (JPEG without chroma subsampling) with an sRGB profile; opacity only in PNG. */
export async function encodePicture(picture: Picture, format: OutputFormat, exif: Exif): Promise<Buffer> {
  const { width, height } = picture
  let pixels: Sharp = sharp(picture.data, { raw: { width, height, channels: 3 }, limitInputPixels: false })
  if (picture.opacity && format === 'png') {
    pixels = pixels.joinChannel(
      Buffer.from(picture.opacity.buffer, picture.opacity.byteOffset, picture.opacity.length),
      { raw: { width, height, channels: 1 } },
    )
  }
  pixels = pixels.withIccProfile('srgb').withExif(exif)
  return format === 'png'
    ? pixels.png({ compressionLevel: 6 }).toBuffer()
    : pixels.jpeg({ quality: 94, chromaSubsampling: '4:4:4' }).toBuffer()
}

/** A small JPEG (longer side 512) of a picture, transparency on light grey. */
export async function thumbnailOf(picture: Picture): Promise<Buffer> {
  const { width, height } = picture
  let pixels: Sharp = sharp(picture.data, { raw: { width, height, channels: 3 }, limitInputPixels: false })
  if (picture.opacity) {
    const joined = await pixels
      .joinChannel(Buffer.from(picture.opacity.buffer, picture.opacity.byteOffset, picture.opacity.length), {
        raw: { width, height, channels: 1 },
      })
      .raw()
      .toBuffer()
    pixels = sharp(joined, { raw: { width, height, channels: 4 }, limitInputPixels: false }).flatten({
      background: '#e6e6e6',
    })
  }
  return pixels
    .resize(512, 512, { fit: 'inside', withoutEnlargement: true })
    .withIccProfile('srgb')
    .jpeg({ quality: 82 })
    .toBuffer()
}
