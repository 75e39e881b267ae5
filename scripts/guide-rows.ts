import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { runProgram } from './guide-program.ts'

/** One picture of a row: what it is called, and the settings it is made with. */
export interface Variant {
  readonly label: string
  readonly set: readonly string[]
}

export interface Row {
  readonly name: string
  readonly variants: readonly Variant[]
}

const solid = ['bg_mode=solid', 'bg_color=#FFFFFF']
const shadow = [...solid, 'bg_shadow=true']
const framed = (...pads: readonly [number, number, number, number]) => [
  ...solid,
  'framing_enabled=true',
  ...['top', 'right', 'bottom', 'left'].map((side, index) => `framing_pad_${side}=${pads[index]}`),
]
const steps = (key: string, title: string, values: readonly number[]): readonly Variant[] =>
  values.map((value) => ({ label: `${title} ${value}`, set: [...shadow, `${key}=${value}`] }))

/** The pictures of the guide that explain settings, a row each. */
export const rows: readonly Row[] = [
  {
    name: 'background',
    variants: [
      { label: 'Off', set: ['bg_mode=off'] },
      { label: 'Solid, white', set: solid },
      { label: 'Solid, grey', set: ['bg_mode=solid', 'bg_color=#D8D8D8'] },
      { label: 'Transparent', set: ['bg_mode=transparent'] },
    ],
  },
  { name: 'shadow-intensity', variants: steps('shadow_intensity', 'Intensity', [0.3, 1, 2, 3]) },
  { name: 'shadow-size', variants: steps('shadow_size', 'Size', [0.4, 1, 2, 3]) },
  { name: 'shadow-softness', variants: steps('shadow_softness', 'Softness', [0.3, 1, 2, 3]) },
  { name: 'shadow-distance', variants: steps('shadow_distance', 'Distance', [0, 0.05, 0.1, 0.2]) },
  {
    name: 'framing',
    variants: [
      { label: 'Off', set: solid },
      { label: '5 % on each side', set: framed(5, 5, 5, 5) },
      { label: '30 % on each side', set: framed(30, 30, 30, 30) },
      { label: '40 % above, 5 % below', set: framed(40, 15, 5, 15) },
    ],
  },
]

export interface Studio {
  readonly home: string
  /** A folder or list with one picture. */
  readonly source: string
  readonly env: Readonly<Record<string, string>>
}

/** Has every variant of a row made by the service, and sets them side by side. */
export async function makeRow(studio: Studio, { name, variants }: Row, path: string) {
  const tiles: Buffer[] = []
  for (const [index, { label, set }] of variants.entries()) {
    const out = join(studio.home, 'rows', `${name}-${index}`)
    const settings = set.flatMap((one) => ['--set', one])
    const names = ['--name', '{name}{suffix}.{ext}']
    const args = ['run', studio.source, '--app', 'rescue', ...settings, '--out', out, ...names, '--yes']
    await runProgram(args, studio.home, studio.env)
    const file = (await readdir(out)).find((one) => /\.(?:png|jpe?g)$/.test(one))
    if (file === undefined) throw new Error(`There is no picture in ${out}.`)
    tiles.push(await tileOf(join(out, file), label))
  }
  await sideBySide(tiles).then(async (image) => await image.jpeg({ quality: 82, mozjpeg: true }).toFile(path))
}

/** Pixels. */
const tile = { width: 300, height: 375, label: 34, gap: 14 }

async function tileOf(file: string, label: string): Promise<Buffer> {
  const { width, height } = tile
  // Squares show through where there is no background.
  const checker = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><pattern id="c" width="20" height="20"` +
      ` patternUnits="userSpaceOnUse"><path d="M0 0h10v10H0zM10 10h10v10H10z" fill="#bbb"/></pattern>` +
      `<rect width="100%" height="100%" fill="#ddd"/><rect width="100%" height="100%" fill="url(#c)"/></svg>`,
  )
  const words = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${tile.label}"><text x="2" y="23" font-size="17"` +
      ` font-family="Inter, Helvetica, Arial, sans-serif" fill="#333">${label}</text></svg>`,
  )
  const picture = await sharp(file)
    .resize(width, height, { fit: 'inside' })
    .png()
    .toBuffer({ resolveWithObject: true })
  const left = Math.round((width - picture.info.width) / 2)
  return await sharp({ create: { width, height: height + tile.label, channels: 3, background: '#f2f2f2' } })
    .composite([
      { input: checker, left: 0, top: 0 },
      { input: picture.data, left, top: 0 },
      { input: words, left: 0, top: height },
    ])
    .png()
    .toBuffer()
}

async function sideBySide(tiles: readonly Buffer[]) {
  const step = tile.width + tile.gap
  return await Promise.resolve(
    sharp({
      create: {
        width: tiles.length * step + tile.gap,
        height: tile.height + tile.label + tile.gap,
        channels: 3,
        background: '#f2f2f2',
      },
    }).composite(tiles.map((input, index) => ({ input, left: tile.gap + index * step, top: tile.gap }))),
  )
}
