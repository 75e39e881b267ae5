import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { Box } from '../../../shared/framing.ts'
import { frameAround, matteBox } from '../../../shared/framing.ts'
import type { Matte } from '../../../shared/matte/estimate-matte.ts'
import { estimateMatte } from '../../../shared/matte/estimate-matte.ts'
import { gaussian, plane } from '../../../shared/matte/pixels.ts'
import { debanded } from '../deband.ts'
import type { Picture } from '../picture.ts'
import { decodePicture } from '../picture.ts'
import { retouchPlan, retouched } from '../retouch.ts'

/** Difference from the clean picture, in levels, that counts as banding. */
const BANDED = 1.5

/** Measures matte, framing and de-banding against the exact mattes and clean pictures of rendered pieces. */

export interface Piece {
  /** Path without extension below the shoot, such as `Rings/Bands/R1195-set`. */
  readonly name: string
  readonly picture: string
  readonly matte: string
  readonly clean: string
}

export interface Measured {
  readonly iou: number
  /** Largest error of a side of the item's box, pixels, and as a share of the box's longer side. */
  readonly boxError: number
  readonly boxShare: number
  /** Largest error of a side of the frame at 15 % pads, as a share of the box's longer side. */
  readonly frameShare: number
  readonly confidence: number
  /** RMS difference from the clean picture on the item, levels of lightly smoothed luma, before and after. */
  readonly bandingBefore: number
  readonly bandingAfter: number
  /** What of that difference is JPEG noise: that of the clean picture, saved like the shoot (quality 92, 4:4:4). */
  readonly noise: number
  /** Whether the piece has banding: it differs from the clean one by more than twice the JPEG noise. */
  readonly hasBanding: boolean
  /** The same difference where it was banding (more than `BANDED` before), after over before. */
  readonly banded: number
  /** RMS change that de-banding makes to the clean picture, where it should make none. */
  readonly cleanChange: number
  /** Difference of the retouched de-banded picture from the retouched clean one, over that of the retouched source. */
  readonly retouched: number
  /** RMS gradient of that difference, after over before: the visible steps, without slow waves. */
  readonly steps: number
  /** Gradient energy at strong edges of the item, after over before. */
  readonly edges: number
  readonly matteMs: number
  readonly debandMs: number
}

/** The pieces of a shoot with their truth; by default the sample shoot. */
export function piecesOf(
  pictures = fileURLToPath(new URL('../../shoot/pictures', import.meta.url)),
  truth = fileURLToPath(new URL('./truth', import.meta.url)),
): readonly Piece[] {
  return readdirSync(pictures, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.jpg'))
    .map((file) => file.slice(0, -4))
    .sort()
    .map((name) => ({
      name: name.replaceAll('\\', '/'),
      picture: join(pictures, `${name}.jpg`),
      matte: join(truth, `${name}.matte.png`),
      clean: join(truth, `${name}.clean.jpg`),
    }))
}

/** Decodes a piece, its exact matte and its clean picture. */
async function loadPiece(piece: Piece) {
  const [{ picture }, clean, matte] = await Promise.all([
    decodePicture(await readFile(piece.picture)),
    decodePicture(await readFile(piece.clean)),
    sharp(piece.matte).extractChannel(0).raw().toBuffer(),
  ])
  return { picture, clean: clean.picture, truth: new Uint8Array(matte) }
}

export async function measurePiece(piece: Piece): Promise<Measured> {
  const { picture, clean, truth } = await loadPiece(piece)
  const { width, height } = picture
  const start = performance.now()
  const matte = estimateMatte(picture)
  const middle = performance.now()
  const after = debanded(picture, matte)
  const end = performance.now()
  const wanted = matteBox(truth, width, height)!
  const found = matte.box ?? { left: 0, top: 0, width: 1, height: 1 }
  const pads = { top: 15, right: 15, bottom: 15, left: 15 }
  const size = { width, height }
  const longer = Math.max(wanted.width, wanted.height)
  const boxError = sideError(found, wanted)
  const lumas = [picture, after, clean].map((each) => lumaOf(each.data)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const before = difference(picture, clean)
  const left = difference(after, clean)
  const noise = rootMeanSquare(difference(await savedLikeTheShoot(clean), clean), truth)
  const banded = truth.map((value, i) => (value === 255 && Math.abs(before[i]!) > BANDED ? 255 : 0))
  return {
    iou: intersectionOverUnion(matte.alpha, truth),
    boxError,
    boxShare: boxError / longer,
    frameShare: sideError(frameAround(found, pads, size), frameAround(wanted, pads, size)) / longer,
    confidence: matte.confidence,
    bandingBefore: rootMeanSquare(before, truth),
    bandingAfter: rootMeanSquare(left, truth),
    noise,
    hasBanding: rootMeanSquare(before, truth) > 2 * noise,
    banded: rootMeanSquare(left, banded) / Math.max(0.01, rootMeanSquare(before, banded)),
    cleanChange: rootMeanSquare(difference(debanded(clean, matte), clean), truth),
    retouched: retouchedRatio(picture, after, clean, matte, truth),
    steps:
      stepError(lumas[1], lumas[2], truth, width, height) /
      stepError(lumas[0], lumas[2], truth, width, height),
    edges: edgeEnergy(lumas[1], lumas[0], lumas[2], truth, width),
    matteMs: middle - start,
    debandMs: end - middle,
  }
}

/** The picture as a JPEG like those of the shoot, decoded again. */
async function savedLikeTheShoot(picture: Picture): Promise<Picture> {
  const { width, height } = picture
  const saved = await sharp(picture.data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return (await decodePicture(saved)).picture
}

function intersectionOverUnion(found: Uint8Array, wanted: Uint8Array): number {
  let both = 0
  let either = 0
  for (let i = 0; i < wanted.length; i++) {
    const a = found[i]! >= 128
    const b = wanted[i]! >= 128
    if (a && b) both++
    if (a || b) either++
  }
  return either === 0 ? 1 : both / either
}

function sideError(a: Box, b: Box): number {
  return Math.max(
    Math.abs(a.left - b.left),
    Math.abs(a.top - b.top),
    Math.abs(a.left + a.width - b.left - b.width),
    Math.abs(a.top + a.height - b.top - b.height),
  )
}

function lumaOf(data: Uint8Array): Float32Array {
  const luma = new Float32Array(data.length / 3)
  for (let i = 0; i < luma.length; i++) {
    luma[i] = 0.299 * data[3 * i]! + 0.587 * data[3 * i + 1]! + 0.114 * data[3 * i + 2]!
  }
  return luma
}

/** Difference of two pictures in luma, lightly smoothed: banding without JPEG noise. */
function difference(a: Picture, b: Picture): Float32Array {
  const [one, other] = [lumaOf(a.data), lumaOf(b.data)]
  return gaussian(
    plane(
      a.width,
      a.height,
      one.map((value, i) => value - other[i]!),
    ),
    1,
  ).data
}

/** What is left of the banding when the whole pipeline has run: de-banding, then retouching. */
function retouchedRatio(
  source: Picture,
  after: Picture,
  clean: Picture,
  matte: Matte,
  truth: Uint8Array,
): number {
  const plan = retouchPlan(source, 'precision', matte)
  const [one, two, aim] = [source, after, clean].map((each) => retouched(each, plan, matte)) as [
    Picture,
    Picture,
    Picture,
  ]
  return rootMeanSquare(difference(two, aim), truth) / rootMeanSquare(difference(one, aim), truth)
}

/** RMS over the item's opaque pixels. */
function rootMeanSquare(values: Float32Array, alpha: Uint8Array): number {
  let sum = 0
  let count = 0
  for (let i = 0; i < values.length; i++) {
    if (alpha[i]! < 255) continue
    sum += values[i]! ** 2
    count++
  }
  return Math.sqrt(sum / Math.max(1, count))
}

/** Gradient energy of `after` over that of `before`, where the clean picture has a strong edge on the item. */
function edgeEnergy(
  after: Float32Array,
  before: Float32Array,
  clean: Float32Array,
  alpha: Uint8Array,
  width: number,
): number {
  let [top, bottom] = [0, 0]
  for (let i = width + 1; i < clean.length - width - 1; i++) {
    if (alpha[i]! < 255 || energy(clean, i, width) < 24 ** 2) continue
    top += energy(after, i, width)
    bottom += energy(before, i, width)
  }
  return bottom === 0 ? 1 : top / bottom
}

/** RMS gradient of the difference between two lumas on the item, lightly smoothed against JPEG noise. */
function stepError(
  a: Float32Array,
  b: Float32Array,
  alpha: Uint8Array,
  width: number,
  height: number,
): number {
  const difference = plane(
    width,
    height,
    a.map((value, i) => (alpha[i] === 255 ? value - b[i]! : 0)),
  )
  const calm = gaussian(difference, 1.5).data
  let sum = 0
  let count = 0
  for (let i = width; i < a.length - width; i++) {
    if (alpha[i]! < 255) continue
    sum += energy(calm, i, width)
    count++
  }
  return Math.sqrt(sum / Math.max(1, count))
}

function energy(luma: Float32Array, at: number, width: number): number {
  return (luma[at + 1]! - luma[at - 1]!) ** 2 + (luma[at + width]! - luma[at - width]!) ** 2
}
