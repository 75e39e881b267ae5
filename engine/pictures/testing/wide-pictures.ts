import sharp from 'sharp'
import { pngWithProfile } from './odd-pictures.ts'

/** Pictures in the gamuts that cameras and raw converters write, and what their colours are in others. For tests. */

type Three = readonly [number, number, number]

/** Colorants in columns, as profiles have them (D50), and the curve: an exponent, or sRGB's own. */
const spaces = {
  srgb: {
    columns: [
      [0.43607, 0.38515, 0.14307],
      [0.22249, 0.71687, 0.06061],
      [0.01392, 0.09708, 0.7141],
    ],
    gamma: null,
  },
  p3: {
    columns: [
      [0.51512, 0.29198, 0.1571],
      [0.2412, 0.69225, 0.06657],
      [-0.00105, 0.04189, 0.78407],
    ],
    gamma: null,
  },
  adobe: {
    columns: [
      [0.60974, 0.20528, 0.14919],
      [0.31111, 0.62567, 0.06322],
      [0.01947, 0.06087, 0.74457],
    ],
    gamma: 563 / 256,
  },
  prophoto: {
    columns: [
      [0.7977, 0.1352, 0.0313],
      [0.288, 0.7119, 0.0001],
      [0, 0, 0.8249],
    ],
    gamma: 1.8,
  },
} as const satisfies Record<string, { columns: readonly [Three, Three, Three]; gamma: number | null }>
export type ColourSpace = keyof typeof spaces

const timesRow = ([a, b, c]: Three, [x, y, z]: Three) => a * x + b * y + c * z
const times = ([p, q, r]: readonly [Three, Three, Three], v: Three): Three => [
  timesRow(p, v),
  timesRow(q, v),
  timesRow(r, v),
]

function inverse([[a, b, c], [d, e, f], [g, h, i]]: readonly [Three, Three, Three]): [Three, Three, Three] {
  const by = 1 / (a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))
  return [
    [by * (e * i - f * h), by * (c * h - b * i), by * (b * f - c * e)],
    [by * (f * g - d * i), by * (a * i - c * g), by * (c * d - a * f)],
    [by * (d * h - e * g), by * (b * g - a * h), by * (a * e - b * d)],
  ]
}

/** Numbers of one space in another, 0–255, cut off where it has no such colour. */
export function converted(rgb: Three, from: ColourSpace, to: ColourSpace): number[] {
  const light = rgb.map((value) => lightOf(value / 255, spaces[from].gamma)) as unknown as Three
  const there = times(inverse(spaces[to].columns), times(spaces[from].columns, light))
  return there.map((value) => Math.round(255 * codeOf(Math.min(1, Math.max(0, value)), spaces[to].gamma)))
}

function lightOf(value: number, gamma: number | null): number {
  if (gamma !== null) return value ** gamma
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function codeOf(light: number, gamma: number | null): number {
  if (gamma !== null) return light ** (1 / gamma)
  return light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
}

const fixed = (values: readonly number[]) => {
  const out = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) out.writeInt32BE(Math.round(value * 65_536), 4 * i)
  return out
}
const words = (text: string, ...rest: readonly Buffer[]) =>
  Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(4), ...rest])
const white = [0.9642, 1, 0.8249]

/** A profile of colorants and curves, version 2, as raw converters embed. */
export function profileOf(space: ColourSpace): Buffer {
  const { columns, gamma } = spaces[space]
  const title = Buffer.concat([Buffer.alloc(4), Buffer.from(`${space}\0`, 'latin1'), Buffer.alloc(79)])
  title.writeUInt32BE(space.length + 1)
  const column = (i: 0 | 1 | 2) => words('XYZ ', fixed(columns.map((row) => row[i])))
  const tags: (readonly [string, Buffer])[] = [
    ['desc', words('desc', title)],
    ['cprt', words('text', Buffer.from('none\0'))],
    ['wtpt', words('XYZ ', fixed(white))],
    ['rXYZ', column(0)],
    ['gXYZ', column(1)],
    ['bXYZ', column(2)],
    ...['rTRC', 'gTRC', 'bTRC'].map((name) => [name, curveOf(gamma)] as const),
  ]
  const directory = Buffer.alloc(4 + 12 * tags.length)
  directory.writeUInt32BE(tags.length)
  const bodies: Buffer[] = []
  let at = 128 + directory.length
  for (const [i, [name, body]] of tags.entries()) {
    directory.write(name, 4 + 12 * i, 'latin1')
    directory.writeUInt32BE(at, 8 + 12 * i)
    directory.writeUInt32BE(body.length, 12 + 12 * i)
    bodies.push(body, Buffer.alloc(-body.length & 3))
    at += body.length + (-body.length & 3)
  }
  const head = Buffer.alloc(128)
  head.writeUInt32BE(at)
  head.writeUInt32BE(0x02_40_00_00, 8)
  head.write('mntrRGB XYZ ', 12, 'latin1')
  head.write('acsp', 36, 'latin1')
  fixed(white).copy(head, 68)
  return Buffer.concat([head, directory, ...bodies])
}

function curveOf(gamma: number | null): Buffer {
  const count = gamma === null ? 1024 : 1
  const out = Buffer.alloc(4 + 2 * count)
  out.writeUInt32BE(count)
  for (let i = 0; i < count; i += 1) {
    const entry = gamma === null ? 65_535 * lightOf(i / (count - 1), null) : gamma * 256
    out.writeUInt16BE(Math.round(entry), 4 + 2 * i)
  }
  return words('curv', out)
}

/** A picture of one colour, in 8 or 16 bits a channel, whose profile says what its numbers mean; null for none. */
export async function flatIn(
  space: ColourSpace | null,
  rgb: Three,
  bits: 8 | 16,
  side = 24,
): Promise<Buffer> {
  const raw = { width: side, height: side, channels: 3 } as const
  const values = Array.from({ length: 3 * side * side }, (_, i) => rgb[(i % 3) as 0 | 1 | 2])
  const picture =
    bits === 8
      ? sharp(Uint8Array.from(values), { raw })
      : sharp(
          Uint16Array.from(values, (value) => 257 * value),
          { raw },
        ).toColourspace('rgb16')
  const png = await picture.png().toBuffer()
  return space === null ? png : pngWithProfile(png, profileOf(space))
}
