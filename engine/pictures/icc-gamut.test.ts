import { describe, expect, test } from 'vitest'
import { isSrgb } from './icc-gamut.ts'

const fixed = (...values: readonly number[]) => {
  const out = Buffer.alloc(4 * values.length)
  for (const [at, value] of values.entries()) out.writeInt32BE(Math.round(value * 65_536), 4 * at)
  return out
}
const typed = (type: string, ...rest: readonly Buffer[]) =>
  Buffer.concat([Buffer.from(type, 'latin1'), Buffer.alloc(4), ...rest])
const shorts = (...values: readonly number[]) => {
  const out = Buffer.alloc(2 * values.length)
  for (const [at, value] of values.entries()) out.writeUInt16BE(value, 2 * at)
  return out
}

/** A formula of ICC.1, section "parametricCurveType". */
const formula = (kind: number, ...parameters: readonly number[]) =>
  typed('para', shorts(kind, 0), fixed(...parameters))
const table = (...entries: readonly number[]) => typed('curv', shorts(0, entries.length), shorts(...entries))

const toLight = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const fine = (light: (value: number) => number) =>
  table(...Array.from({ length: 1024 }, (_, n) => Math.round(65_535 * light(n / 1023))))
const srgb = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] as const
const [g, a, b, c, d] = srgb

const columns = {
  r: [0.43607, 0.22249, 0.01392],
  g: [0.38515, 0.71687, 0.09708],
  b: [0.14307, 0.06061, 0.7141],
}

/** A profile of these colorants and this curve for all three; `others` are tags of its own, or none. */
function profile(curve: Buffer, others: Record<string, Buffer | undefined> = {}): Buffer {
  const tags = Object.entries({
    ...Object.fromEntries(
      (['r', 'g', 'b'] as const).flatMap((one) => [
        [`${one}XYZ`, typed('XYZ ', fixed(...columns[one]))],
        [`${one}TRC`, curve],
      ]),
    ),
    ...others,
  }).filter((tag): tag is [string, Buffer] => tag[1] !== undefined)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(tags.length)
  let at = 132 + 12 * tags.length
  const heads = tags.map(([name, bytes]) => {
    const head = Buffer.alloc(12)
    head.write(name, 'latin1')
    head.writeUInt32BE(at, 4)
    head.writeUInt32BE(bytes.length, 8)
    at += bytes.length
    return head
  })
  return Buffer.concat([Buffer.alloc(128), count, ...heads, ...tags.map(([, bytes]) => bytes)])
}

describe('a curve', () => {
  test.each([
    ['the formula with a straight foot', formula(3, ...srgb)],
    ['that one with nothing added', formula(4, ...srgb, 0, 0)],
    ['the formula without its foot, which is dark', formula(1, g, a, b)],
    ['that one with nothing added to it', formula(2, g, a, b, 0)],
    ['a fine table', fine(toLight)],
  ])('that is sRGB’s own: %s', (_, curve) => {
    expect(isSrgb(profile(curve))).toBe(true)
  })

  test.each([
    ['an exponent', formula(0, 2.2)],
    ['an exponent in a table of one', table(Math.round(2.2 * 256))],
    ['light itself', table()],
    ['a table of a straight line', table(0, 65_535)],
    ['a table of an exponent', fine((value) => value ** 1.8)],
    ['a longer foot', formula(3, g, a, b, c, 0.3)],
    ['a foot that rises faster', formula(3, g, a, b, 0.5, 0.06)],
    ['more light where it is bright', formula(4, g, a, b, c, d, 0.01, 0)],
    ['more light in its foot', formula(4, g, a, b, c, 0.06, 0, 0.1)],
    ['more light everywhere', formula(2, g, a, b, 0.01)],
    ['none below a half', formula(1, g, 2, -1)],
    ['a formula that nobody knows', formula(5, ...srgb, 0, 0)],
    ['a kind that nobody knows', typed('what', fixed(...srgb))],
  ])('that is another: %s', (_, curve) => {
    expect(isSrgb(profile(curve))).toBe(false)
    // Of one channel alone as well.
    expect(isSrgb(profile(formula(3, ...srgb), { bTRC: curve }))).toBe(false)
  })
})

const curve = formula(3, ...srgb)

test('a colorant that is a little off is still its own; one that is seen to be off is another', () => {
  const red = (by: number) => ({ rXYZ: typed('XYZ ', fixed(0.43607 + by, 0.22249, 0.01392)) })
  expect([0.001, -0.001, 0.004, -0.004].map((by) => isSrgb(profile(curve, red(by))))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a table of colours rules over the rest, and nothing may be missing', () => {
  expect(isSrgb(profile(curve, { A2B0: typed('mAB ', Buffer.alloc(32)) }))).toBe(false)
  for (const missing of ['rXYZ', 'gTRC', 'bXYZ', 'bTRC']) {
    expect(isSrgb(profile(curve, { [missing]: undefined }))).toBe(false)
  }
})
