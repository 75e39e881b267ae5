import { frameAround, matteBox, type Box, type Pads, type Size } from '../../shared/framing.ts'

/**
 * Where a framed cut-out was cut from its source. Its size and the place of the item in it follow from the item's box
 * and the pads alone (shared/framing.ts), and are checked to the pixel; where the item is in the source is found by
 * laying it over the source and comparing their brightness. Pure.
 */

/** Brightness, 0–255, `width × height`. */
export interface Brightness extends Size {
  readonly data: Uint8Array
}

/** A transparent output: its brightness, and its opacity of the same size. */
export interface FramedOutput extends Brightness {
  readonly alpha: Uint8Array
}

/** Longest side, in cells, in which the item is looked for everywhere. */
const coarseSide = 160
/** Pixels of the item that are compared at each place. */
const samples = 4000
/** Opacity from which a pixel shows nothing but the item. */
const opaque = 250
/**
 * How alike item and source must be (correlation): retouching changes tones, not what is where. Over the sample shoot
 * it was 0.92 or more at the right place.
 */
const alike = 0.85
/** How much less alike they must be wherever it is farther than `near` pixels away; 0.03 or more over the sample shoot. */
const lead = 0.015
const near = 2

/** The frame in pixels of the source, as the service cut it; undefined where that is not certain to the pixel. */
export function frameOfOutput(output: FramedOutput, source: Brightness, pads: Pads): Box | undefined {
  const box = matteBox(output.alpha, output.width, output.height)
  if (!box || box.width > source.width || box.height > source.height) return undefined
  const { width, height } = output
  const frame = frameAround({ ...box, left: 0, top: 0 }, pads, source)
  const isOfThesePads =
    frame.width === width && frame.height === height && -frame.left === box.left && -frame.top === box.top
  const at = isOfThesePads ? placeOf(output, box, source) : undefined
  return at && { left: at.x - box.left, top: at.y - box.top, width, height }
}

interface Place {
  readonly x: number
  readonly y: number
}

/** Points of the item, relative to its box. */
interface Points {
  readonly x: Int32Array
  readonly y: Int32Array
  readonly value: Float32Array
}

interface Range {
  readonly from: Place
  readonly to: Place
}

function placeOf(output: FramedOutput, box: Box, source: Brightness): Place | undefined {
  const factor = Math.max(1, Math.ceil(Math.max(source.width, source.height) / coarseSide))
  const most = { x: source.width - box.width, y: source.height - box.height }
  const coarse = likeliest(coarsePoints(output, box, factor), reduced(source, factor), {
    from: { x: 0, y: 0 },
    to: { x: Math.floor(most.x / factor), y: Math.floor(most.y / factor) },
  })
  const points = finePoints(output, box)
  if (points.x.length < samples / 10) return undefined
  const reach = 2 * factor
  const around = ({ x, y }: Place) =>
    likeliest(points, source, {
      from: { x: Math.max(0, x * factor - reach), y: Math.max(0, y * factor - reach) },
      to: { x: Math.min(most.x, x * factor + reach), y: Math.min(most.y, y * factor + reach) },
    })
  const { first, second } = around(coarse.first)
  // The like of it somewhere else: what looks much the same when it is small may be told apart in full.
  const other = around(coarse.second).first
  const isOther = Math.max(Math.abs(other.x - first.x), Math.abs(other.y - first.y)) > near
  const elsewhere = Math.max(second.alike, isOther ? other.alike : -1)
  return first.alike >= alike && first.alike - elsewhere >= lead ? first : undefined
}

interface Likely extends Place {
  /** Correlation there, -1 to 1. */
  readonly alike: number
}

/** The likeliest place, and the likeliest that is farther than `near` from it. */
function likeliest(
  points: Points,
  source: Brightness,
  { from, to }: Range,
): { first: Likely; second: Likely } {
  const columns = to.x - from.x + 1
  const all = new Float32Array(columns * (to.y - from.y + 1))
  const placeAt = (i: number): Likely => ({
    x: from.x + (i % columns),
    y: from.y + Math.floor(i / columns),
    alike: all[i] ?? -1,
  })
  let first = 0
  for (let i = 0; i < all.length; i += 1) {
    const { x, y } = placeAt(i)
    all[i] = correlation(points, source, x, y)
    if (all[i]! > all[first]!) first = i
  }
  const best = placeAt(first)
  let second: Likely = { ...best, alike: -1 }
  for (let i = 0; i < all.length; i += 1) {
    if (all[i]! <= second.alike) continue
    const one = placeAt(i)
    if (Math.max(Math.abs(one.x - best.x), Math.abs(one.y - best.y)) > near) second = one
  }
  return { first: best, second }
}

function correlation({ x, y, value }: Points, { data, width }: Brightness, left: number, top: number) {
  let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0]
  const start = top * width + left
  for (let i = 0; i < value.length; i += 1) {
    const one = value[i]!
    const other = data[start + y[i]! * width + x[i]!]!
    a += one
    b += other
    aa += one * one
    bb += other * other
    ab += one * other
  }
  const n = value.length
  const spread = (aa - (a * a) / n) * (bb - (b * b) / n)
  return spread > 0 ? (ab - (a * b) / n) / Math.sqrt(spread) : -1
}

/** Means of squares. */
function reduced({ data, width, height }: Brightness, factor: number): Brightness {
  const w = Math.max(1, Math.floor(width / factor))
  const h = Math.max(1, Math.floor(height / factor))
  const out = new Uint8Array(w * h)
  for (let i = 0; i < out.length; i += 1) {
    const [x, y] = [(i % w) * factor, Math.floor(i / w) * factor]
    let sum = 0
    for (let v = y; v < y + factor; v += 1) {
      for (let u = x; u < x + factor; u += 1) sum += data[v * width + u]!
    }
    out[i] = sum / (factor * factor)
  }
  return { data: out, width: w, height: h }
}

/** Squares that lie wholly in the item. */
function coarsePoints({ data, alpha, width }: FramedOutput, box: Box, factor: number): Points {
  const points: [number, number, number][] = []
  for (let y = 0; (y + 1) * factor <= box.height; y += 1) {
    for (let x = 0; (x + 1) * factor <= box.width; x += 1) {
      let sum = 0
      let count = 0
      for (let v = 0; v < factor; v += 1) {
        for (let u = 0; u < factor; u += 1) {
          const at = (box.top + y * factor + v) * width + box.left + x * factor + u
          if (alpha[at]! >= opaque) count += 1
          sum += data[at]!
        }
      }
      if (count === factor * factor) points.push([x, y, sum / count])
    }
  }
  return pointsOf(points)
}

/** Pixels of the item, spread over all of it. */
function finePoints({ data, alpha, width }: FramedOutput, box: Box): Points {
  let count = 0
  const each = (act: (x: number, y: number, at: number) => void) => {
    for (let y = 0; y < box.height; y += 1) {
      for (let x = 0; x < box.width; x += 1) {
        const at = (box.top + y) * width + box.left + x
        if (alpha[at]! >= opaque) act(x, y, at)
      }
    }
  }
  each(() => (count += 1))
  const step = Math.max(1, Math.floor(count / samples))
  const points: [number, number, number][] = []
  let index = 0
  each((x, y, at) => {
    if (index % step === 0) points.push([x, y, data[at]!])
    index += 1
  })
  return pointsOf(points)
}

function pointsOf(all: readonly (readonly [number, number, number])[]): Points {
  return {
    x: Int32Array.from(all, ([x]) => x),
    y: Int32Array.from(all, ([, y]) => y),
    value: Float32Array.from(all, ([, , value]) => value),
  }
}
