import { randomUUID } from 'node:crypto'
import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import type { PreviewLayer } from '../../shared/contract/pictures.ts'
import { matteBox, type Box, type Size } from '../../shared/framing.ts'
import { estimateMatte, type Matte } from '../../shared/matte/estimate-matte.ts'
import { asItIs, factsOf, lossless, upright } from '../pictures/decoding.ts'
import {
  pictureLimits,
  type CutOutFile,
  type PictureOrder,
  type PreviewFacts,
} from '../pictures/picture-orders.ts'
import { PictureTrouble } from '../pictures/picture-trouble.ts'
import { frameOfOutput } from './framed-cut-out.ts'
import { say } from '../../shared/language/say.ts'

/** The item of a picture for its live preview; runs in the process that decodes pictures. */

/**
 * Longest side that is worked on. The matte's own working size: more costs time and finds the same item, whose edges
 * would only be a part of a percent nearer.
 */
const longest = 1000
/** Longest side of the ground, which has no detail. */
const groundSide = 48

type Order = Extract<PictureOrder, { kind: 'preview' }>

interface Pixels extends Size {
  /** RGBA. */
  readonly data: Buffer
}

/** Finds the item and writes what its preview is drawn from. @throws PictureTrouble */
export async function itemForPreview({ file, cutOuts, folder }: Order): Promise<PreviewFacts> {
  if ((await stat(file)).size > pictureLimits.bytes) {
    throw new PictureTrouble(say`The file is larger than 1 GB, so it has no preview.`)
  }
  const { width, height } = (await factsOf(file)).autoOrient
  const source = { width, height }
  const pixels = await smaller(file)
  const size = { width: pixels.width, height: pixels.height }
  const matte = estimateMatte({ ...pixels, channels: 4 })
  const found =
    (await realMatte(cutOuts, { file, source, size })) ?? ownMatte(pixels, source) ?? estimated(matte, source)
  await write(folder, 'picture', sharp(pixels.data, { raw: { ...size, channels: 4 } }).removeAlpha())
  const alone = withoutPaper(pixels, found.alpha, matte.paper)
  await write(folder, 'cut-out', sharp(alone, { raw: { ...size, channels: 4 } }))
  await write(folder, 'ground', groundOf(matte, size))
  const { alpha: _, ...facts } = found
  return { ...facts, source, size }
}

type Found = Omit<PreviewFacts, 'source' | 'size'> & { readonly alpha: Uint8Array }

function estimated(
  { alpha, box, width, height, confidence, doubts }: Omit<Matte, 'paper'>,
  source: Size,
): Found {
  const across = source.width / width
  const down = source.height / height
  const inSource = box && {
    left: box.left * across,
    top: box.top * down,
    width: box.width * across,
    height: box.height * down,
  }
  return { origin: 'estimate', alpha, box: inSource ?? null, confidence, doubts: [...doubts] }
}

/** The picture's own opacity, where it is an item that was cut out before. */
function ownMatte(pixels: Pixels, source: Size): Found | undefined {
  const alpha = new Uint8Array(pixels.width * pixels.height)
  let clear = 0
  for (let i = 0; i < alpha.length; i += 1) {
    alpha[i] = pixels.data[4 * i + 3]!
    if (alpha[i]! < 13) clear += 1
  }
  if (clear < 0.02 * alpha.length) return undefined
  const box = matteBox(alpha, pixels.width, pixels.height)
  const matte = { alpha, width: pixels.width, height: pixels.height, confidence: 1, doubts: [] }
  return estimated({ ...matte, ...(box && { box }) }, source)
}

interface Wanted {
  readonly file: string
  readonly source: Size
  readonly size: Size
}

/** The matte that the service made, of the first cut-out that lies over the source to the pixel; undefined without one. */
async function realMatte(cutOuts: readonly CutOutFile[], wanted: Wanted): Promise<Found | undefined> {
  for (const cutOut of cutOuts) {
    // Whatever is wrong with a file that a person may have changed: the estimate is there.
    const whole = await overSource(cutOut, wanted).catch(() => undefined)
    const { width, height } = wanted.source
    const box = whole && matteBox(whole, width, height)
    if (!whole || !box) continue
    const alpha = await sharp(whole, { raw: { width, height, channels: 1 }, limitInputPixels: false })
      .resize(wanted.size.width, wanted.size.height, { fit: 'fill' })
      .toColourspace('b-w')
      .raw()
      .toBuffer()
    return { origin: 'cut-out', alpha, box, confidence: 1, doubts: [] }
  }
  return undefined
}

/** The opacity of a cut-out in pixels of the source; undefined where it is not certain where it lies. */
async function overSource(
  { file: cutOut, isFramed, pads }: CutOutFile,
  { file, source }: Wanted,
): Promise<Uint8Array | undefined> {
  const meta = await factsOf(cutOut)
  if (!meta.hasAlpha) return undefined
  const { width, height } = meta.autoOrient
  const alpha = await asItIs(cutOut, true).extractChannel('alpha').raw({ depth: 'uchar' }).toBuffer()
  if (isFramed !== true && width === source.width && height === source.height) return alpha
  if (isFramed === false) return undefined
  const output = { width, height, alpha, data: await brightnessOf(cutOut) }
  const frame = frameOfOutput(output, { ...source, data: await brightnessOf(file) }, pads)
  return frame && placed(alpha, frame, source)
}

async function brightnessOf(file: string): Promise<Buffer> {
  return asItIs(file, true).removeAlpha().greyscale().toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer()
}

/** The opacity of a frame, where it lies in the source; what of it is beyond the source is left out. */
function placed(alpha: Uint8Array, frame: Box, { width, height }: Size): Uint8Array {
  const out = new Uint8Array(width * height)
  const left = Math.max(0, frame.left)
  const right = Math.min(width, frame.left + frame.width)
  for (let y = Math.max(0, frame.top); y < Math.min(height, frame.top + frame.height); y += 1) {
    const row = (y - frame.top) * frame.width - frame.left
    if (right > left) out.set(alpha.subarray(row + left, row + right), y * width + left)
  }
  return out
}

/**
 * The item alone. Pixels of its soft edge hold a share of the paper, which is taken out of them, so that no grey rim
 * is left on another background.
 */
function withoutPaper({ data, width, height }: Pixels, alpha: Uint8Array, paper: Matte['paper']): Buffer {
  const out = Buffer.alloc(data.length)
  for (let i = 0; i < width * height; i += 1) {
    const a = alpha[i]!
    out[4 * i + 3] = a
    if (a === 0) continue
    const share = a / 255
    for (let c = 0; c < 3; c += 1) {
      const value = (data[4 * i + c]! - (1 - share) * paper[c]!.data[i]!) / share
      out[4 * i + c] = Math.min(255, Math.max(0, Math.round(value)))
    }
  }
  return out
}

function groundOf({ paper, width, height }: Matte, { width: w, height: h }: Size) {
  const rgb = Buffer.alloc(w * h * 3)
  for (let i = 0; i < w * h; i += 1) {
    for (let c = 0; c < 3; c += 1) rgb[3 * i + c] = Math.round(paper[c]!.data[i]!)
  }
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(groundSide, groundSide, { fit: 'inside' })
    .blur(1.5)
}

async function smaller(file: string): Promise<Pixels> {
  const { data, info } = await upright(file, await factsOf(file))
    .resize(longest, longest, { fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** A layer is under its name only when it is whole. */
async function write(folder: string, layer: PreviewLayer, picture: Sharp) {
  const draft = join(folder, `${layer}-${randomUUID()}`)
  await picture.png(lossless).toFile(draft)
  await rename(draft, join(folder, `${layer}.png`))
}
