import { expect, test } from 'vitest'
import { debanded } from './deband.ts'
import type { Picture } from './picture.ts'

const WIDTH = 320
const HEIGHT = 240
const alpha = new Uint8Array(WIDTH * HEIGHT).fill(255)

/** A grey picture of the given luma, with some noise that is the same every time. */
function picture(luma: (x: number, y: number) => number): Picture {
  const data = new Uint8Array(WIDTH * HEIGHT * 3)
  let seed = 1
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    seed = (seed * 48_271) % 2_147_483_647
    const value = Math.round(luma(at % WIDTH, Math.floor(at / WIDTH)) + seed / 2_147_483_647 - 0.5)
    data.fill(value, 3 * at, 3 * at + 3)
  }
  return { data, width: WIDTH, height: HEIGHT } as Picture
}

/** Light that falls off from a corner. */
const ramp = (x: number, y: number): number => 60 + 0.3 * x + 0.15 * y

/** The same in steps of twelve levels whose edges are a pixel soft. */
function stairs(x: number, y: number): number {
  const phase = ramp(x, y) / 12
  const part = phase - Math.floor(phase)
  const distance = (part < 0.5 ? part : part - 1) * (12 / Math.hypot(0.3, 0.15))
  return 12 * (Math.floor(phase + 0.5) + (0.5 / (1 + Math.exp(-2 * distance))) * 2 - 0.5)
}

/** RMS difference from the ramp in the middle of the picture. */
function error({ data }: Picture): number {
  let sum = 0
  let count = 0
  for (let y = 30; y < HEIGHT - 30; y++) {
    for (let x = 30; x < WIDTH - 30; x++) {
      sum += (data[3 * (y * WIDTH + x)]! - ramp(x, y)) ** 2
      count++
    }
  }
  return Math.sqrt(sum / count)
}

test('a staircase becomes the ramp that it was', () => {
  const banded = picture(stairs)
  expect(error(banded)).toBeGreaterThan(3)
  expect(error(debanded(banded, { alpha }))).toBeLessThan(0.35 * error(banded))
})

test.each([
  ['a smooth ramp', ramp],
  ['edges of thirty levels', (x: number, y: number) => ramp(x, y) + (x % 80 < 40 ? 30 : 0)],
  ['soft edges of ten levels', (x: number) => 100 + 5 * Math.tanh(((x % 80) - 40) / 4)],
])('%s stays as it is', (_, luma) => {
  const clean = picture(luma)
  expect(debanded(clean, { alpha }).data).toEqual(clean.data)
})
