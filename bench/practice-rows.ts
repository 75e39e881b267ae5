import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { processImage } from '../practice-service/imaging/process.ts'
import { piecesOf } from '../practice-service/imaging/testing/measure.ts'
import { fixed, handOver, median } from './table.ts'

// The practice service's image work against libvips alone on the operations that libvips has: decode, put the item on
// white by a matte that is given, brighten, frame, encode. Making the matte is the practice service's own.
sharp.concurrency(1)
sharp.cache(false)
const rounds = 3
const pieces = piecesOf().slice(0, 12)
const settings = { bg_mode: 'solid', bg_color: '#FFFFFF' } as const

async function plain(picture: Buffer, matte: Buffer): Promise<void> {
  const { width, height } = await sharp(picture).metadata()
  const alpha = await sharp(matte).extractChannel(0).resize(width, height).raw().toBuffer()
  const item = await sharp(picture)
    .removeAlpha()
    .modulate({ brightness: 1.05 })
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const framed = await sharp(item)
    .flatten({ background: '#ffffff' })
    .extend(8)
    .jpeg({ quality: 92 })
    .toBuffer()
  await sharp(framed).resize(512, 512, { fit: 'inside' }).jpeg().toBuffer()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

const loaded = await Promise.all(
  pieces.map(async (piece) => ({
    picture: await readFile(piece.picture),
    matte: await readFile(piece.matte),
  })),
)
const ratios: number[] = []
const own: number[] = []
const vips: number[] = []
for (let round = 0; round < rounds; round += 1) {
  for (const { picture, matte } of loaded) {
    const ours = await timed(() => processImage(picture, 'rescue', settings))
    const theirs = await timed(() => plain(picture, matte))
    own.push(ours)
    vips.push(theirs)
    ratios.push(theirs / ours)
  }
}
handOver([
  {
    what: 'practice service: images a second against plain libvips on the operations that both have',
    goal: '0.8',
    here: `${fixed(median(ratios))} (${fixed(median(own), 0)} ms an image, with the matte that libvips is given)`,
    rivals: `libvips: ${fixed(median(vips), 0)} ms`,
    floor: '',
    met: median(ratios) >= 0.8,
  },
])
