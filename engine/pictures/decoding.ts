import sharp, { type Metadata, type Sharp } from 'sharp'
import { pictureLimits } from './picture-orders.ts'
import { PictureTrouble } from './picture-trouble.ts'

/** How files are opened and read, the same for every kind of work on pixels. */

/** Formats that are decoded; vector pictures and documents are not (they can hold scripts and links). */
export const formats: Readonly<Record<string, string>> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  tiff: 'TIFF',
  gif: 'GIF',
  heif: 'AVIF',
}

/** PNG that is quick to write; what is written is read once or twice and thrown away. */
export const lossless = { compressionLevel: 1, adaptiveFiltering: false }

/** What a file says of itself. @throws PictureTrouble where it is not shown */
export async function factsOf(file: string): Promise<Metadata> {
  const meta = await sharp(file, { limitInputPixels: false }).metadata()
  if (formats[meta.format] === undefined) {
    throw new PictureTrouble(`Pictures in ${meta.format.toUpperCase()} format are not shown here.`)
  }
  if (meta.width * meta.height > pictureLimits.pixels) {
    const size = Math.round((meta.width * meta.height) / 1e6).toLocaleString('en')
    throw new PictureTrouble(`This picture has ${size} megapixels; up to 150 are shown.`)
  }
  return meta
}

/** The picture upright, in 8-bit sRGB. */
export function upright(file: string): Sharp {
  const options = { limitInputPixels: pictureLimits.pixels, sequentialRead: true, failOn: 'error' as const }
  return sharp(file, options).autoOrient().toColourspace('srgb')
}
