import { extensionOf } from '../intake/file-kinds.ts'
import { say } from '../../shared/language/say.ts'

const taken: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jpe: 'image/jpeg',
  jfif: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  heic: 'image/heic',
  heif: 'image/heif',
  hif: 'image/heif',
  avif: 'image/avif',
}

const raw = new Set(
  'cr2 cr3 crw nef nrw arw sr2 srf dng raf orf rw2 pef srw x3f 3fr fff iiq mef mos erf kdc dcr rwl gpr'.split(
    ' ',
  ),
)

/** The media type of a picture that is sent; undefined for one that is not (`whyNotSent`). */
export function mediaTypeOf(name: string): string | undefined {
  return taken[extensionOf(name)]
}

/** Formats that the picture work of this program cannot read, so they are sent as they are. */
export function isConvertible(name: string): boolean {
  return !['image/heic', 'image/heif'].includes(mediaTypeOf(name) ?? '')
}

/** Why a picture of this format is not sent. @param shown what the sentence calls it */
export function whyNotSent(shown: string, name: string): string {
  const extension = extensionOf(name)
  if (raw.has(extension)) {
    return say`${shown} is a RAW file, which the service does not read; export it as JPEG, PNG or TIFF and give that.`
  }
  return extension === ''
    ? say`${shown} has no ending that tells its format, which the service will hardly read; save it as JPEG, PNG or TIFF and give that.`
    : say`${shown} is a ${extension.toUpperCase()} file, which the service will hardly read; save it as JPEG, PNG or TIFF and give that.`
}
