import type { Matte } from '../../shared/matte/estimate-matte.ts'
import { gaussian, plane, wideBlur } from '../../shared/matte/pixels.ts'
import type { Picture } from './picture.ts'

/** The two retouchers of the service (interface document, section 1). */
export type ImageApp = 'rescue' | 'precision'

/** What a retouch does to one picture, decided once, so that its variants come out alike. */
export interface RetouchPlan {
  /** White balance: coded value out for each coded value in, per channel. */
  readonly balance: readonly [Float32Array, Float32Array, Float32Array]
  /** Tone: the factor for a pixel whose brightest channel has this coded value; one for all three keeps its hue. */
  readonly tone: Float32Array
  readonly clarity: number
  readonly sharpen: number
  /** Sigma of the local contrast, pixels. */
  readonly reach: number
  readonly smoothPaper: number
}

export function retouchPlan(picture: Picture, app: ImageApp, matte: Matte): RetouchPlan {
  const paper = paperMedian(picture, matte)
  const grey = 0.299 * paper[0] + 0.587 * paper[1] + 0.114 * paper[2]
  const share = app === 'rescue' ? 1 : 0.5
  const target = app === 'rescue' ? 218 : Math.min(205, grey + 12)
  const wanted = Math.max(1, linear(target) / linear(Math.max(grey, 8)))
  // Pearls and white metal are brighter than the paper already: the brighter the item, the less it is lifted.
  const room = Math.max(
    1,
    linear(app === 'rescue' ? 246 : 236) / linear(Math.max(itemLight(picture, matte), 8)),
  )
  const lift = Math.min(app === 'rescue' ? 2.2 : 1.25, wanted, room)
  const balance = paper.map((value) => {
    const gain = (linear(grey) / linear(Math.max(value, 4))) ** share
    return Float32Array.from({ length: 256 }, (_, v) => Math.min(255, coded(linear(v) * gain)))
  }) as [Float32Array, Float32Array, Float32Array]
  const tone = curve(lift, app === 'rescue' ? 0.1 : 0.05).map((value, i) => (i === 0 ? 1 : value / i))
  const reach = Math.max(2, Math.max(picture.width, picture.height) * (app === 'rescue' ? 0.012 : 0.005))
  return app === 'rescue'
    ? { balance, tone, clarity: 0.3, sharpen: 0.35, reach, smoothPaper: 1 }
    : { balance, tone, clarity: 0.16, sharpen: 0.7, reach, smoothPaper: 0.25 }
}

function linear(coded: number): number {
  const value = coded / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function coded(light: number): number {
  return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)
}

/** Gain in linear light with a soft shoulder, so that highlights near white instead of clipping, and a light S. */
function curve(gain: number, contrast: number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, value) => {
    const light = linear(value) * gain
    const knee = 0.55
    const over = (light - knee) / (1 - knee)
    const soft = light <= knee ? light : knee + (1 - knee) * (1 - Math.exp(-over))
    const v = coded(soft) / 255
    return 255 * (v + contrast * (v - 0.5) * v * (1 - v) * 4)
  })
}

/** Luma that four fifths of the item lie below. */
function itemLight({ data }: Picture, { alpha }: Matte): number {
  const counts = new Uint32Array(256)
  let total = 0
  for (let i = 0; i < alpha.length; i += 3) {
    if (alpha[i]! < 250) continue
    total++
    counts[Math.round(0.299 * data[3 * i]! + 0.587 * data[3 * i + 1]! + 0.114 * data[3 * i + 2]!)]!++
  }
  let sum = 0
  for (let value = 0; value < 256; value++) {
    sum += counts[value]!
    if (total > 100 && sum >= 0.8 * total) return value
  }
  return 180
}

function paperMedian(picture: Picture, { alpha }: Matte): readonly [number, number, number] {
  const counts = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)]
  let total = 0
  for (let i = 0; i < alpha.length; i += 5) {
    if (alpha[i] !== 0) continue
    total++
    for (let c = 0; c < 3; c++) counts[c]![picture.data[3 * i + c]!]!++
  }
  const median = (histogram: Uint32Array): number => {
    let sum = 0
    for (let value = 0; value < 256; value++) {
      sum += histogram[value]!
      if (sum * 2 >= total) return value
    }
    return 128
  }
  return total < 100 ? [170, 170, 170] : [median(counts[0]!), median(counts[1]!), median(counts[2]!)]
}

export function retouched(picture: Picture, plan: RetouchPlan, { alpha }: Matte): Picture {
  const { data, width, height } = picture
  const luma = plane(width, height)
  const factor = new Float32Array(width * height)
  const [red, green, blue] = plan.balance
  for (let i = 0; i < luma.data.length; i++) {
    const [r, g, b] = [red[data[3 * i]!]!, green[data[3 * i + 1]!]!, blue[data[3 * i + 2]!]!]
    factor[i] = between(plan.tone, Math.max(r, g, b))
    luma.data[i] = (0.299 * r + 0.587 * g + 0.114 * b) * factor[i]!
  }
  const fine = gaussian(luma, 1)
  const base = wideBlur(luma, plan.reach)
  const out = new Uint8Array(data.length)
  for (let i = 0; i < luma.data.length; i++) {
    const value = luma.data[i]!
    const weight = alpha[i]! / 255
    const local = cored(value - base.data[i]!, 8, 24) * plan.clarity * weight
    const sharp = cored(value - fine.data[i]!, 4, 10) * plan.sharpen * weight
    const calm = (fine.data[i]! - value) * plan.smoothPaper * (1 - weight)
    const change = local + sharp + calm
    for (let c = 0; c < 3; c++) {
      out[3 * i + c] = Math.max(
        0,
        Math.min(255, Math.round(plan.balance[c]![data[3 * i + c]!]! * factor[i]! + change)),
      )
    }
  }
  return { ...picture, data: out }
}

/** A table read at a real place. */
function between(table: Float32Array, at: number): number {
  const low = Math.floor(at)
  const part = at - low
  return table[low]! * (1 - part) + table[Math.min(table.length - 1, low + 1)]! * part
}

/** A detail that fades in between two sizes: what is as small as banding or noise is not made larger. */
function cored(detail: number, from: number, to: number): number {
  const t = Math.min(1, Math.max(0, (Math.abs(detail) - from) / (to - from)))
  return detail * t * t * (3 - 2 * t)
}
