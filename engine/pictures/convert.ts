import { stat } from 'node:fs/promises'
import { factsOf, upright } from './decoding.ts'
import { pictureLimits, type PictureOrder, type PictureResults } from './picture-orders.ts'
import { PictureTrouble } from './picture-trouble.ts'

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
  if (size > pictureLimits.bytes) throw new PictureTrouble('The file is larger than 1 GB.')
  await factsOf(order.file)
  const picture = upright(order.file).withIccProfile('srgb')
  const sized =
    order.longestSide === null
      ? picture
      : picture.resize(order.longestSide, order.longestSide, { fit: 'inside', withoutEnlargement: true })
  const written =
    order.format === 'png'
      ? sized.png({ compressionLevel: 6 })
      : sized.flatten({ background: '#ffffff' }).jpeg({ quality: jpegQuality, chromaSubsampling: '4:4:4' })
  const { size: bytes } = await written.toFile(order.to)
  return { bytes }
}
