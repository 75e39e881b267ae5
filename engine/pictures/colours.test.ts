import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { isSrgb } from './icc-gamut.ts'
import { converted, flatIn, profileOf, type ColourSpace } from './testing/wide-pictures.ts'
import { carryOut } from './picture-work.ts'

// Files are written anew under the same names.
sharp.cache(false)
let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vitrine-colours-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

const file = (name: string) => join(home, name)

async function put(name: string, content: Buffer): Promise<string> {
  await writeFile(file(name), content)
  return file(name)
}

/** Numbers as they stand in a file, and whether a profile stands beside them. */
async function numbersIn(path: string) {
  const { icc } = await sharp(path).metadata()
  const { data } = await sharp(path, { ignoreIcc: true })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { rgb: [...data.subarray(0, 3)], hasProfile: icc !== undefined }
}

const near = (actual: readonly number[], wanted: readonly number[], by: number) => {
  const apart = wanted.map((value, i) => Math.abs(value - actual[i]!))
  expect([Math.max(...apart) <= by, actual, wanted]).toEqual([true, actual, wanted])
}

async function opened(path: string) {
  const facts = await carryOut({ kind: 'open', file: path, quick: `${path}.quick` })
  if (!('gamut' in facts)) throw new Error('Not opened.')
  return { facts, level: await numbersIn(`${path}.quick`) }
}

const colours = [
  [180, 90, 60],
  [200, 30, 40],
  [30, 180, 60],
  [128, 128, 128],
] as const
const cases = (['p3', 'adobe', 'prophoto'] as const).flatMap((space) =>
  ([8, 16] as const).flatMap((bits) => colours.map((rgb) => [space, bits, rgb] as const)),
)

describe('what is compared', () => {
  test.each(cases)('%s in %i bits keeps its colours, %j, in Display P3', async (space, bits, rgb) => {
    const path = await put('wide.png', await flatIn(space, rgb, bits))
    const { facts, level } = await opened(path)
    expect([facts.gamut, level.hasProfile]).toEqual(['p3', true])
    near(level.rgb, converted(rgb, space, 'p3'), 2)
  })

  test.each([
    ['srgb', 8],
    ['srgb', 16],
    [null, 8],
    [null, 16],
  ] as const)('the numbers of %s in %i bits are not touched', async (space, bits) => {
    for (const rgb of colours) {
      const { facts, level } = await opened(await put('plain.png', await flatIn(space, rgb, bits)))
      expect([facts.gamut, level]).toEqual(['srgb', { rgb: [...rgb], hasProfile: false }])
    }
  })

  it('has its profile in every tile, and stays opaque', async () => {
    const path = await put('large.png', await flatIn('adobe', [30, 180, 60], 8, 2100))
    const { facts } = await opened(path)
    await carryOut({ kind: 'tiles', file: path, folder: file('tiles'), levels: facts.levels })
    const tile = await numbersIn(file('tiles/0/3_2.png'))
    expect(tile.hasProfile).toBe(true)
    near(tile.rgb, converted([30, 180, 60], 'adobe', 'p3'), 2)
  })

  it('differs where both have colours beyond sRGB', async () => {
    const [a, b] = [[255, 0, 0] as const, [240, 0, 0] as const]
    // In sRGB they are the same red.
    expect(converted(a, 'p3', 'srgb')).toEqual(converted(b, 'p3', 'srgb'))
    for (const bits of [8, 16] as const) {
      const one = await put('a.png', await flatIn('p3', a, bits))
      const other = await put('b.png', await flatIn('p3', b, bits))
      const found = await carryOut({ kind: 'measure', a: one, b: other })
      expect(found).toMatchObject({ changed: 24 * 24, largest: expect.closeTo(15, -0.4) })
      // The same picture in 8 and in 16 bits.
      const deep = await put('deep.png', await flatIn('p3', a, 16))
      expect(await carryOut({ kind: 'measure', a: one, b: deep })).toMatchObject({
        largest: expect.closeTo(0, -0.4),
      })
      // Of one alone nothing is beyond sRGB, so that nothing differs from its own sRGB.
      const plain = await put('plain.png', await flatIn(null, [255, 0, 0], 8))
      const mixed = await carryOut({ kind: 'measure', a: one, b: plain })
      expect(mixed).toMatchObject({ largest: expect.closeTo(0, -0.4) })
    }
  })
})

describe('what is not compared is in sRGB', () => {
  test.each(cases)('%s in %i bits, %j: small pictures and converted ones', async (space, bits, rgb) => {
    const path = await put('wide.png', await flatIn(space, rgb, bits))
    await carryOut({ kind: 'convert', file: path, to: file('out.png'), format: 'png', longestSide: null })
    const out = await numbersIn(file('out.png'))
    expect(out.hasProfile).toBe(true)
    // Where the colour lies far outside, how it is cut off differs.
    const isInside = converted(rgb, space, 'srgb').every((value) => value > 0 && value < 255)
    near(out.rgb, converted(rgb, space, 'srgb'), isInside ? 2 : 14)
    await carryOut({ kind: 'thumbs', file: path, folder: home, sizes: [24] })
    const small = await numbersIn(file('24.webp'))
    near(small.rgb, out.rgb, 6)
  })

  it('a picture of 16 bits without a profile keeps its colours when it is converted', async () => {
    for (const space of [null, 'srgb'] as const) {
      const path = await put('deep.png', await flatIn(space, [200, 30, 40], 16))
      await carryOut({ kind: 'convert', file: path, to: file('out.png'), format: 'png', longestSide: 12 })
      expect(await numbersIn(file('out.png'))).toEqual({ rgb: [200, 30, 40], hasProfile: true })
    }
  })
})

describe('a profile that is sRGB in all but its name', () => {
  it('is known by its colorants and curves', async () => {
    const wide: ColourSpace[] = ['p3', 'adobe', 'prophoto']
    expect([profileOf('srgb'), ...wide.map((space) => profileOf(space))].map((one) => isSrgb(one))).toEqual([
      true,
      false,
      false,
      false,
    ])
    const tagged = sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
    const { icc } = await sharp(await tagged.withIccProfile('srgb').png().toBuffer()).metadata()
    expect(isSrgb(icc!)).toBe(true)
    // The right colorants with a curve of its own.
    const other = Buffer.from(profileOf('srgb'))
    other.fill(0x40, other.length - 1600)
    expect(isSrgb(other)).toBe(false)
  })

  it('any bytes may come', () => {
    const head = profileOf('srgb')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(head.length), (bytes, cut) => {
        expect(typeof isSrgb(bytes)).toBe('boolean')
        expect(isSrgb(Buffer.concat([head.subarray(0, cut), bytes]).subarray(0, head.length - 1))).toBeTypeOf(
          'boolean',
        )
      }),
    )
  })
})
