import sharp from 'sharp'
import { DeliveryError } from './delivery-error.ts'
import type { Files } from './files.ts'
import { sniff, sniffLength } from './sniff.ts'
import { say } from '../../shared/language/say.ts'

/** Largest picture that is decoded: three times the largest camera sensors in use. */
const mostPixels = 150_000_000
const decodeSeconds = 120

export interface Verified {
  readonly extension: string
  readonly width?: number
  readonly height?: number
}

/**
 * Looks at the whole file: its type by its bytes, a picture decoded to its end, a video's top-level boxes complete.
 * @throws DeliveryError not-an-image or truncated; errors of the file system as they are
 */
export async function verifyFile(files: Files, path: string, bytes: number): Promise<Verified> {
  const head = await files.slice(path, 0, sniffLength)
  const type = sniff(head)
  if (!type)
    throw new DeliveryError(
      'not-an-image',
      say`What the link to the result brought is not a picture or a video (${whatItIs(head)}).`,
    )
  const { extension } = type
  if (type.kind === 'image') {
    if (extension === 'png') await checkEnd(files, path, bytes)
    return { extension, ...(await decode(path)) }
  }
  if (extension === 'webm') await checkWebm(files, path, bytes)
  else await checkBoxes(files, path, bytes)
  return { extension }
}

function whatItIs(head: Uint8Array): string {
  if (head.length === 0) return say`it is empty`
  const text = new TextDecoder('latin1').decode(head)
  if (/^\s*(<!doctype|<html)/i.test(text)) return say`it is a web page`
  if (/^\s*<(\?xml|svg|error)/i.test(text)) return say`it is an XML text`
  return /^\s*[{[]/.test(text) ? say`it is a JSON text` : say`its type is unknown`
}

const endOfPng = Buffer.from('49454e44ae426082', 'hex')

/** Decoders stop at the last row and do not miss the end mark of a PNG. */
async function checkEnd(files: Files, path: string, bytes: number) {
  const tail = Buffer.from(await files.slice(path, Math.max(0, bytes - 65_536), 65_536))
  if (!tail.includes(endOfPng)) {
    throw new DeliveryError('not-an-image', say`The picture for ${path} is damaged or incomplete.`)
  }
}

async function decode(path: string): Promise<{ width: number; height: number }> {
  // The cache would hold files open, which keeps Windows from renaming them, and gains nothing: each is read once.
  sharp.cache(false)
  try {
    const options = { failOn: 'truncated', sequentialRead: true } as const
    const { width, height } = await sharp(path, { ...options, limitInputPixels: false }).metadata()
    if (width * height > mostPixels) {
      const mega = Math.round((width * height) / 1e6)
      throw new DeliveryError(
        'not-an-image',
        say`The picture for ${path} has ${mega} megapixels, more than the ${mostPixels / 1e6} that Vitrine opens.`,
      )
    }
    // Shrinking to one pixel reads every row and keeps next to nothing in memory.
    await sharp(path, { ...options, limitInputPixels: mostPixels })
      .resize(1, 1, { fit: 'fill', fastShrinkOnLoad: false })
      .timeout({ seconds: decodeSeconds })
      .raw()
      .toBuffer()
    return { width, height }
  } catch (error) {
    if (error instanceof DeliveryError) throw error
    throw new DeliveryError('not-an-image', say`The picture for ${path} is damaged or incomplete.`, {
      cause: error,
    })
  }
}

const mostBoxes = 10_000

/** ISO base media (mp4, mov): boxes one after the other up to the last byte, with a movie and its data among them. */
async function checkBoxes(files: Files, path: string, bytes: number) {
  const seen = new Set<string>()
  let offset = 0
  for (let n = 0; offset < bytes && n < mostBoxes; n += 1) {
    const head = Buffer.from(await files.slice(path, offset, 16))
    if (head.length < 8) throw cutOff(path)
    seen.add(head.toString('latin1', 4, 8))
    const short = head.readUInt32BE(0)
    if (short === 1 && head.length < 16) throw cutOff(path)
    const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? bytes - offset : short
    if (size < 8 || offset + size > bytes) throw cutOff(path)
    offset += size
  }
  if (!seen.has('moov') || !(seen.has('mdat') || seen.has('moof'))) throw cutOff(path)
}

function cutOff(path: string): DeliveryError {
  return new DeliveryError('truncated', say`The video for ${path} is incomplete.`)
}

/** WebM: a header, then one segment that, where its size is given, ends within the file. */
async function checkWebm(files: Files, path: string, bytes: number) {
  const head = Buffer.from(await files.slice(path, 0, 4096))
  const header = elementSize(head, 4)
  if (!header || header.size === undefined) throw cutOff(path)
  const segment = header.next + header.size
  if (segment + 4 > head.length || head.readUInt32BE(segment) !== 0x18538067) throw cutOff(path)
  const body = elementSize(head, segment + 4)
  if (!body || (body.size !== undefined && body.next + body.size > bytes)) throw cutOff(path)
}

/** A size field of EBML at an offset; `size` undefined where the file leaves it open. */
function elementSize(head: Buffer, at: number): { size: number | undefined; next: number } | undefined {
  const first = head[at]
  if (first === undefined || first === 0) return undefined
  const length = Math.clz32(first) - 23
  if (at + length > head.length) return undefined
  let size = first & ((1 << (8 - length)) - 1)
  let open = size === (1 << (8 - length)) - 1
  for (let n = 1; n < length; n += 1) {
    const byte = head[at + n]!
    open &&= byte === 0xff
    size = size * 256 + byte
  }
  return { size: open ? undefined : size, next: at + length }
}
