import sharp, { type Metadata, type Sharp } from 'sharp'
import { isSrgb } from './icc-gamut.ts'
import { pictureLimits } from './picture-orders.ts'
import { PictureTrouble } from './picture-trouble.ts'
import { say } from '../../shared/language/say.ts'

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
    throw new PictureTrouble(say`Pictures in ${meta.format.toUpperCase()} format are not shown here.`)
  }
  if (meta.width * meta.height > pictureLimits.pixels) {
    const size = Math.round((meta.width * meta.height) / 1e6).toLocaleString('en')
    throw new PictureTrouble(say`This picture has ${size} megapixels; up to 150 are shown.`)
  }
  return meta
}

/** The colours that a picture is worked on in. */
export type Gamut = 'srgb' | 'p3'

/** Display P3 for a picture with a profile of other colours than sRGB's. Grey and printing inks are shown in sRGB. */
export function gamutOf(meta: Metadata): Gamut {
  return isRgb(meta) && meta.icc && !isSrgb(meta.icc) ? 'p3' : 'srgb'
}

/**
 * The picture upright, in 8-bit sRGB, or in 8-bit Display P3 with its profile where that is the picture's own gamut.
 * @param to `p3` only where `gamutOf` says so.
 */
export function upright(file: string, meta: Metadata, to: Gamut = 'srgb'): Sharp {
  const hasOwnColours = gamutOf(meta) === 'p3'
  // Of a profile that is sRGB's in all but its name nothing is to be converted.
  const picture = asItIs(file, isRgb(meta) && !hasOwnColours).toColourspace('srgb')
  if (!hasOwnColours) return picture
  if (to === 'p3') return picture.pipelineColourspace('rgb16').withIccProfile('p3')
  // sharp works on 16 bits in P3, and says so to nobody unless a profile is asked for.
  return meta.depth === 'uchar' ? picture : picture.withIccProfile('srgb')
}

/** The picture upright, its numbers untouched where its profile is ignored. */
export function asItIs(file: string, ignoreIcc: boolean): Sharp {
  const options = { limitInputPixels: pictureLimits.pixels, sequentialRead: true, failOn: 'error' as const }
  return sharp(file, { ...options, ignoreIcc }).autoOrient()
}

function isRgb({ space }: Metadata): boolean {
  return space === 'srgb' || space === 'rgb' || space === 'rgb16'
}
