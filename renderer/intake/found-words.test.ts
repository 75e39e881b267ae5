import { describe, expect, test } from 'vitest'
import type { EstimateRecord, FoundRecord } from '../../shared/contract/intake-records.ts'
import { holdsAddresses } from './begin-intake.ts'
import { folderFor } from './first-choice.ts'
import { foundTitle, ownPictureWords, priceWords, problemTitle, someOf } from './found-words.ts'

const estimate: EstimateRecord = {
  estimate: 'e',
  pictures: 212,
  presets: [],
  nameTemplate: '{name}.{ext}',
  images: 212,
  toSubmit: 212,
  held: 0,
  skipped: 0,
  elsewhere: 0,
  pricePerImage: { min: 6, max: 6 },
  extras: { min: 4, max: 4 },
  cost: { min: 1272, max: 1272 },
  balance: { total: 1284, subscription: null, other: null, tier: 'Pro', expires: null, at: 0 },
  covers: 212,
  balanceAfter: 12,
  examples: [],
  collisions: 0,
  outDirTrouble: null,
  templateTrouble: null,
  diskFree: null,
  words: [],
}

describe('the price of a batch', () => {
  test('exact, with a balance that is nearly used up', () => {
    expect(priceWords(estimate, false)).toEqual({
      line: '212 images × 6 = 1,272 credits',
      detail: undefined,
      after: { text: 'Balance after: 12', tone: 'amber' },
    })
  })

  test('a range, play credits, plenty of them', () => {
    const words = priceWords(
      { ...estimate, pricePerImage: { min: 5, max: 6 }, cost: { min: 1060, max: 1272 }, balanceAfter: 9000 },
      true,
    )
    expect(words.line).toBe('212 images × 5 to 6 = 1,060 to 1,272 play credits')
    expect(words.after?.tone).toBe('plain')
  })

  test('the base price is shown as unknown until it is known', () => {
    const words = priceWords(
      { ...estimate, pricePerImage: null, cost: null, covers: null, balanceAfter: null },
      false,
    )
    expect(words.line).toBe('212 × (4 + base price)')
    expect(words.detail).toContain('“3 first”')
    expect(words.after).toBeUndefined()
  })

  test('what does not fit waits, and is said', () => {
    expect(priceWords({ ...estimate, covers: 180 }, false).after).toEqual({
      text: '180 images fit, 32 will wait',
      tone: 'red',
    })
  })

  test('several presets: how many of each, and what each costs', () => {
    const preset = (name: string, credits: number | null, images = 24) => ({
      preset: name,
      images,
      pricePerImage: credits === null ? null : { min: credits, max: credits },
      extras: { min: 0, max: 4 },
    })
    const several = {
      ...estimate,
      pictures: 24,
      images: 72,
      toSubmit: 72,
      pricePerImage: { min: 2, max: 7 },
      cost: { min: 504, max: 504 },
    }
    const line = (...presets: readonly EstimateRecord['presets'][number][]) =>
      priceWords({ ...several, presets: [...presets] }, false).line
    expect(line(preset('A', 7), preset('B', 7), preset('C', 7))).toBe('24 × 3 presets × 7 cr = 504 credits')
    expect(line(preset('A', 7), preset('B', 2))).toBe('24 × 2 presets (7 + 2 cr) = 504 credits')
    expect(line(preset('A', 7), preset('B', 2, 20))).toBe('44 images, 2 presets (7 + 2 cr) = 504 credits')
    const unknown = {
      ...several,
      presets: [preset('A', null), preset('B', 2)],
      pricePerImage: null,
      cost: null,
    }
    expect(priceWords({ ...unknown, extras: { min: 0, max: 4 } }, false).line).toBe(
      '24 × 2 presets × (0 to 4 + base price)',
    )
  })

  test('what is there already costs nothing', () => {
    const words = priceWords({ ...estimate, toSubmit: 0, skipped: 212 }, false)
    expect(words.line).toBe('Nothing to send')
    expect(words.detail).toBe('212 images already delivered')
  })
})

test('what was found, in a line', () => {
  const found = {
    images: 212,
    folders: [
      { folder: '', images: 24 },
      ...Array.from({ length: 14 }, (_, n) => ({ folder: `f${n}`, images: 1 })),
    ],
    listsRead: 1,
    nothing: null,
  } as unknown as FoundRecord
  expect(foundTitle(found)).toBe('212 images found in 14 folders and 1 list')
  expect(foundTitle({ ...found, images: 0, nothing: 'Only text.' })).toBe('Nothing to send')
  expect(someOf(['a', 'b', 'c', 'd'], 9)).toBe('a, b, c and 6 more')
})

test('a batch gets a folder of its own name, whatever was in the name', () => {
  expect(folderFor('/out/', 'Autumn: "look/book"')).toBe('/out/Autumn look book')
  expect(folderFor('D:\\out', 'AW25.')).toBe('D:\\out\\AW25')
  expect(folderFor('/out', '///')).toBe('/out')
  expect(folderFor('/out', 'a\u202Eb')).toBe('/out/a b')
})

test('pasted text opens the sheet where it holds an address, or one that is nearly one', () => {
  expect(holdsAddresses('see https://a.example/x.jpg')).toBe(true)
  expect(holdsAddresses('htps://a.example/x.jpg')).toBe(true)
  expect(holdsAddresses('sku,url\n1,"http://a.example/x.jpg"')).toBe(true)
  expect(holdsAddresses('R1187, 2 pcs')).toBe(false)
})

test('what becomes of pictures of this computer, and what was not taken', () => {
  const words = (uploads: number, published: number) =>
    ownPictureWords({ ownPictures: { uploads, bytes: 2_500_000, published } } as FoundRecord)
  expect(words(0, 0)).toBeUndefined()
  expect(words(2, 1)).toEqual({
    title: '3 pictures of this computer',
    text:
      '2 pictures (2.5 MB) are uploaded to your storage, as far as not there yet. ' +
      '1 picture is on the web already; the first was looked at there.',
  })
  const title = (...lines: (number | null)[]) =>
    problemTitle({ problems: lines.map((line) => ({ line })), problemCount: lines.length } as FoundRecord)
  expect(title(3)).toBe('1 line could not be read')
  expect(title(null)).toBe('1 file not taken')
  expect(title(null, 4)).toBe('2 lines and files not taken')
})
