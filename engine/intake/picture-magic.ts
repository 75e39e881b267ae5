/**
 * The kind of picture that bytes begin with, such as "jpeg"; undefined where they begin none. The first 32 bytes
 * are enough. Camera raw files that are TIFF inside come back as "tiff".
 */
export function pictureKind(head: Uint8Array): string | undefined {
  const at = (offset: number, text: string) => latin(head, offset, text.length) === text
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'jpeg'
  if (at(0, '\x89PNG\r\n\x1a\n')) return 'png'
  if (at(0, 'GIF87a') || at(0, 'GIF89a')) return 'gif'
  if (at(0, 'RIFF') && at(8, 'WEBP')) return 'webp'
  if (at(0, 'II*\0') || at(0, 'MM\0*') || at(0, 'II+\0') || at(0, 'MM\0+')) return 'tiff'
  if (at(0, '8BPS')) return 'psd'
  if (at(0, 'BM') && head.length > 14 && head[6] === 0 && head[7] === 0 && head[8] === 0) return 'bmp'
  if (at(0, 'IIRO') || at(0, 'IIRS') || at(0, 'IIU\0') || at(0, 'FUJIFILM') || at(0, 'FOVb')) return 'raw'
  if (at(0, '\0\0\0\x0cjP  ')) return 'jpeg2000'
  if (at(0, '\xff\x0a') || at(0, '\0\0\0\x0cJXL ')) return 'jxl'
  return at(4, 'ftyp') ? brandKind(latin(head, 8, 4)) : undefined
}

function brandKind(brand: string): string | undefined {
  if (brand === 'avif' || brand === 'avis') return 'avif'
  if (/^(?:hei[cxms]|hev[cx]|mif1|msf1)$/.test(brand)) return 'heic'
  return brand === 'crx ' ? 'raw' : undefined
}

function latin(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length))
}
