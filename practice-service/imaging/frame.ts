import type { Box } from '../../shared/framing.ts'
import type { Matte } from '../../shared/matte/estimate-matte.ts'
import { filledFrom } from '../../shared/matte/paper.ts'
import type { Plane } from '../../shared/matte/pixels.ts'
import { plane, reducedPlanes, sample, wideBlur } from '../../shared/matte/pixels.ts'
import { grainAt } from './background.ts'
import type { Picture } from './picture.ts'

/** Longer side of the reduced picture in which the ground beyond the source is made up. */
const GROUND_SIZE = 320

/**
 * The part of a picture that a frame asks for. Where it reaches beyond the source, a cut-out is transparent and a
 * picture with its background goes on in the colours of its border, without streaks.
 */
export function framed(
  picture: Picture,
  frame: Box,
  mode: 'off' | 'solid' | 'transparent',
  matte: Pick<Matte, 'alpha'>,
): Picture {
  const { width, height } = picture
  const whole = frame.left === 0 && frame.top === 0 && frame.width === width && frame.height === height
  if (whole) return picture
  const data = new Uint8Array(frame.width * frame.height * 3)
  const opacity = picture.opacity && new Uint8Array(frame.width * frame.height)
  const left = Math.max(0, frame.left)
  const right = Math.max(left, Math.min(width, frame.left + frame.width))
  for (let y = Math.max(0, frame.top); y < Math.min(height, frame.top + frame.height); y++) {
    const from = y * width + left
    const to = (y - frame.top) * frame.width + left - frame.left
    data.set(picture.data.subarray(from * 3, (from + right - left) * 3), to * 3)
    opacity?.set(picture.opacity!.subarray(from, from + right - left), to)
  }
  const out: Picture = {
    data,
    width: frame.width,
    height: frame.height,
    channels: 3,
    ...(opacity && { opacity }),
  }
  if (mode === 'off' && !picture.opacity) extendGround(out, frame, picture, matte)
  return out
}

/** Paints the pixels of `out` that lie beyond the source. */
function extendGround(out: Picture, frame: Box, source: Picture, matte: Pick<Matte, 'alpha'>): void {
  const right = frame.left + frame.width
  const bottom = frame.top + frame.height
  if (frame.left >= 0 && frame.top >= 0 && right <= source.width && bottom <= source.height) return
  const factor = Math.max(1, Math.ceil(Math.max(frame.width, frame.height) / GROUND_SIZE))
  const ground = groundPlanes(frame, source, matte, factor)
  for (let y = 0; y < frame.height; y++) {
    const sy = y + frame.top
    const insideRow = sy >= 0 && sy < source.height
    for (let x = 0; x < frame.width; x++) {
      const sx = x + frame.left
      if (insideRow && sx >= 0 && sx < source.width) continue
      const grain = grainAt(x, y)
      const px = (x + 0.5) / factor - 0.5
      const py = (y + 0.5) / factor - 0.5
      for (let c = 0; c < 3; c++) {
        const value = sample(ground[c]!, px, py) + grain
        out.data[(y * frame.width + x) * 3 + c] = Math.min(255, Math.max(0, Math.round(value)))
      }
    }
  }
}

/**
 * The source's paper laid into the frame at a reduced size, and continued beyond it: the calm ground that follows from
 * the whole border, and near the border what that lacks to meet it.
 */
function groundPlanes(
  frame: Box,
  source: Picture,
  matte: Pick<Matte, 'alpha'>,
  factor: number,
): readonly Plane[] {
  const reduced = reducedPlanes(source, factor)
  const { width: rw, height: rh } = reduced[0]
  const w = Math.ceil(frame.width / factor)
  const h = Math.ceil(frame.height / factor)
  const paperIn = paperMask(source, matte, factor, rw, rh)
  return reduced.map((channel) => {
    const paper = wideBlur(filledFrom(channel, paperIn), 2)
    const canvas = plane(w, h)
    const known = new Uint8Array(w * h)
    const clamp = (x: number, y: number): readonly [number, number] => [
      Math.min(rw - 1, Math.max(0, x + frame.left / factor)),
      Math.min(rh - 1, Math.max(0, y + frame.top / factor)),
    ]
    const isInside = (x: number, y: number): boolean => {
      const [cx, cy] = clamp(x, y)
      return cx === x + frame.left / factor && cy === y + frame.top / factor
    }
    for (let y = 0; y < h; y++) {
      for (let x = 0; x < w; x++) {
        canvas.data[y * w + x] = sample(paper, ...clamp(x, y))
        if (isInside(x, y)) known[y * w + x] = 1
      }
    }
    if (!known.includes(1)) return canvas
    const calm = wideBlur(filledFrom(canvas, known), Math.max(w, h) * 0.05)
    const lack = plane(w, h)
    for (let i = 0; i < known.length; i++) lack.data[i] = canvas.data[i]! - calm.data[i]!
    const out = plane(w, h)
    for (let y = 0; y < h; y++) {
      for (let x = 0; x < w; x++) {
        const [cx, cy] = clamp(x, y)
        const [bx, by] = [cx - frame.left / factor, cy - frame.top / factor]
        const away = Math.hypot(x - bx, y - by)
        out.data[y * w + x] =
          calm.data[y * w + x]! + sample(lack, bx, by) * Math.exp(-away / (0.06 * Math.max(w, h)))
      }
    }
    return out
  })
}

function paperMask(
  source: Picture,
  { alpha }: Pick<Matte, 'alpha'>,
  factor: number,
  w: number,
  h: number,
): Uint8Array {
  const mask = new Uint8Array(w * h).fill(1)
  for (let y = 0; y < source.height; y++) {
    const row = Math.floor(y / factor) * w
    for (let x = 0; x < source.width; x++) {
      if (alpha[y * source.width + x]! > 8) mask[row + Math.floor(x / factor)] = 0
    }
  }
  return mask
}
