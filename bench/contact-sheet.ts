import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { OverlayOptions } from 'sharp'
import sharp from 'sharp'
import { piecesOf } from '../practice-service/imaging/testing/measure.ts'
import { createImageWorkers } from '../practice-service/imaging/worker-pool.ts'
import type { ImageJob } from '../practice-service/imaging/worker-pool.ts'

/**
 * Draws docs/contact-sheet.jpg: the sample shoot before and after both apps, and each setting at its ends, so that a
 * person can judge the image work at a glance. Run with `node bench/contact-sheet.ts`.
 */

const CELL = 230
const LABEL = 22
const COLUMNS = 12
const target = process.argv[2] ?? fileURLToPath(new URL('../docs/contact-sheet.jpg', import.meta.url))

type Settings = ImageJob['settings']
interface Cell {
  readonly label: string
  readonly picture: Promise<Buffer>
}

const workers = createImageWorkers({ size: 2 })
const pieces = piecesOf()

function piece(name: string): string {
  const found = pieces.find((each) => each.name.includes(name))
  if (!found) throw new Error(`There is no piece ${name} in the sample shoot.`)
  return found.picture
}

async function cell(picture: Buffer): Promise<Buffer> {
  return sharp(picture)
    .resize(CELL - 8, CELL - 8, { fit: 'inside' })
    .png()
    .toBuffer()
}

async function output(
  name: string,
  app: 'rescue' | 'precision',
  settings: Settings,
  which = 0,
): Promise<Buffer> {
  const done = await workers.process({ input: await readFile(piece(name)), app, settings })
  return done.outputs[which]!.data
}

function made(label: string, name: string, settings: Settings): Cell {
  return { label, picture: output(name, 'precision', settings).then(cell) }
}

/** A cut-out shown on a checker. */
async function onChecker(picture: Buffer): Promise<Buffer> {
  const small = await cell(picture)
  const { width, height } = await sharp(small).metadata()
  const tile = Buffer.from(
    `<svg width="16" height="16"><rect width="16" height="16" fill="#3a3a3a"/><path d="M0 0h8v8H0zM8 8h8v8H8z" fill="#9a9a9a"/></svg>`,
  )
  return sharp({ create: { width, height, channels: 3, background: '#3a3a3a' } })
    .composite([{ input: tile, tile: true }, { input: small }])
    .png()
    .toBuffer()
}

/** A detail at 200 %. */
async function detail(picture: Buffer, left: number, top: number): Promise<Buffer> {
  const side = Math.floor((CELL - 8) / 2)
  return sharp(picture)
    .extract({ left, top, width: side, height: side })
    .resize(side * 2, side * 2, { kernel: 'nearest' })
    .png()
    .toBuffer()
}

function shoot(): Cell[] {
  return pieces.flatMap(({ name, picture }) => [
    { label: name.split('/').at(-1)!, picture: readFile(picture).then(cell) },
    { label: 'Rescue', picture: output(name, 'rescue', {}).then(cell) },
    { label: 'Precision', picture: output(name, 'precision', {}).then(cell) },
  ])
}

function shadows(): Cell[] {
  const base: Settings = { bg_mode: 'solid', bg_color: '#FFFFFF', bg_shadow: true, framing_enabled: true }
  const ends = [
    ['shadow_intensity', 0.1, 1, 3],
    ['shadow_size', 0.2, 1, 3],
    ['shadow_softness', 0.2, 1, 3],
    ['shadow_distance', 0, 0.05, 0.2],
  ] as const
  return ends.flatMap(([key, ...values]) =>
    ['R1183', 'E3306', 'B4024'].flatMap((name) =>
      values.map((value) => made(`${key.slice(7)} ${value}`, name, { ...base, [key]: value })),
    ),
  )
}

function backgrounds(): Cell[] {
  const solid = (name: string, color: string): Cell =>
    made(`solid ${color}`, name, { bg_mode: 'solid', bg_color: color, bg_shadow: true })
  const names = ['R1186', 'E3310', 'B4020', 'N2212']
  return [
    ...names.flatMap((name) => ['#FFFFFF', '#101010'].map((color) => solid(name, color))),
    ...names.map((name) => ({
      label: 'transparent',
      picture: output(name, 'rescue', { bg_mode: 'transparent' }).then(onChecker),
    })),
  ]
}

function frames(): Cell[] {
  const pads = (top: number, right: number, bottom: number, left: number): Settings => ({
    framing_enabled: true,
    framing_pad_top: top,
    framing_pad_right: right,
    framing_pad_bottom: bottom,
    framing_pad_left: left,
  })
  const sides: [string, Settings][] = [
    ['pads 0', pads(0, 0, 0, 0)],
    ['pads 15', { framing_enabled: true }],
    ['top 100', pads(100, 15, 15, 15)],
    ['right 100', pads(15, 100, 15, 15)],
    ['bottom 100', pads(15, 15, 100, 15)],
    ['left 100', pads(15, 15, 15, 100)],
  ]
  return ['R1183', 'B4028'].flatMap((name) => sides.map(([label, settings]) => made(label, name, settings)))
}

function bandings(): Cell[] {
  const details = [
    ['B4028', 860, 300],
    ['R1195', 1010, 960],
    ['R1189', 690, 700],
    ['R1189', 900, 830],
    ['B4028', 520, 480],
    ['R1195', 1130, 1050],
  ] as const
  return details.flatMap(([name, left, top]) =>
    [1, 0].map((which) => ({
      label: `${name} ${which === 1 ? 'Original' : 'De-Banded'}, 200 %`,
      picture: output(name, 'precision', { debanding: true }, which).then((picture) =>
        detail(picture, left, top),
      ),
    })),
  )
}

/** Rows of labelled cells; their pictures are made as the workers come to them. */
async function drawn(cells: readonly Cell[]): Promise<void> {
  const rows = Math.ceil(cells.length / COLUMNS)
  const layers: OverlayOptions[] = []
  for (const [i, { label, picture }] of cells.entries()) {
    const left = (i % COLUMNS) * CELL + 4
    const top = Math.floor(i / COLUMNS) * (CELL + LABEL) + 4
    layers.push({ input: await picture, left, top })
    const text = `<svg width="${CELL}" height="${LABEL}"><text x="0" y="14" font-family="sans-serif" font-size="12" fill="#222">${label}</text></svg>`
    layers.push({ input: Buffer.from(text), left, top: top + CELL - 6 })
  }
  await sharp({
    create: { width: COLUMNS * CELL, height: rows * (CELL + LABEL), channels: 3, background: '#c8c8c8' },
  })
    .composite(layers)
    .jpeg({ quality: 80 })
    .toFile(target)
}

await drawn([...shoot(), ...shadows(), ...backgrounds(), ...frames(), ...bandings()])
await workers.close()
