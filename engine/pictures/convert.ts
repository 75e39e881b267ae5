import { rm, stat } from 'node:fs/promises'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { factsOf, gamutOf, lossless, upright } from './decoding.ts'
import { pictureLimits, type PictureOrder, type PictureResults } from './picture-orders.ts'
import { PictureTrouble } from './picture-trouble.ts'
import { say } from '../../shared/language/say.ts'

/** As good as the eye can tell on retouched metal, at about a third of the size of the best. */
const jpegQuality = 95

/**
 * Writes a picture in another format. What is transparent becomes white in a JPEG, which has no transparency; the
 * colour profile is sRGB and embedded. @throws PictureTrouble
 */
export async function convert(
  order: Extract<PictureOrder, { kind: 'convert' }>,
): Promise<PictureResults['convert']> {
  const { size } = await stat(order.file)
  if (size > pictureLimits.bytes) throw new PictureTrouble(say`The file is larger than 1 GB.`)
  const meta = await factsOf(order.file)
  const picture = await inSrgb(order, meta)
  const sized =
    order.longestSide === null
      ? picture
      : picture.resize(order.longestSide, order.longestSide, { fit: 'inside', withoutEnlargement: true })
  const written =
    order.format === 'png'
      ? sized.png({ compressionLevel: 6 })
      : sized.flatten({ background: '#ffffff' }).jpeg({ quality: jpegQuality, chromaSubsampling: '4:4:4' })
  try {
    const { size: bytes } = await written.toFile(order.to)
    return { bytes }
  } finally {
    await rm(flattened(order.to), { force: true })
  }
}

const flattened = (to: string) => `${to}.8-bit`

/**
 * The picture in 8-bit sRGB that says so. Where a picture of 16 bits needs no conversion, sharp would convert it all the
 * same as soon as it embeds a profile, so its bits are taken away first.
 */
async function inSrgb({ file, to }: { file: string; to: string }, meta: Metadata): Promise<Sharp> {
  const picture = upright(file, meta)
  if (meta.depth === 'uchar' || gamutOf(meta) === 'p3') return picture.withIccProfile('srgb')
  await picture.png(lossless).toFile(flattened(to))
  return sharp(flattened(to), { limitInputPixels: pictureLimits.pixels }).withIccProfile('srgb')
}
