/** Every extension that `sniff` gives. */
export const extensions = ['jpg', 'png', 'gif', 'webp', 'tif', 'avif', 'webm', 'mov', 'mp4'] as const
type Extension = (typeof extensions)[number]

/** What a file is by its first bytes; anything else is refused (pages, scripts, vector pictures). */
export interface FileType {
  readonly kind: 'image' | 'video'
  /** Without a dot, lower case. */
  readonly extension: Extension
}

/** Bytes that `sniff` needs to see. */
export const sniffLength = 64

const image = (extension: Extension): FileType => ({ kind: 'image', extension })
const video = (extension: Extension): FileType => ({ kind: 'video', extension })
const avifBrands = ['avif', 'avis', 'mif1', 'miaf']

/** The type of a file by the signature at its beginning. */
export function sniff(head: Uint8Array): FileType | undefined {
  const text = String.fromCodePoint(...head.subarray(0, sniffLength))
  if (text.startsWith('\u00ff\u00d8\u00ff')) return image('jpg')
  if (text.startsWith('\u0089PNG\r\n\u001a\n')) return image('png')
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return image('gif')
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return image('webp')
  if (['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].includes(text.slice(0, 4))) return image('tif')
  if (text.startsWith('\u001aE\u00df\u00a3')) return video('webm')
  if (text.slice(4, 8) !== 'ftyp') return undefined
  const brands = [text.slice(8, 12), ...(text.slice(16).match(/[\s\S]{4}/g) ?? [])]
  if (avifBrands.includes(brands[0]!) && brands.some((brand) => brand === 'avif' || brand === 'avis')) {
    return image('avif')
  }
  if (brands[0] === 'qt  ') return video('mov')
  return /^(iso|mp4|avc|M4V|dash|msdh|f4v|3gp|mmp4|MSNV)/.test(brands[0]!) ? video('mp4') : undefined
}
