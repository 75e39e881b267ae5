import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stageBatch } from './testing/stage-images.ts'
import { duration, priceTag, range, shortPath, timeLeft } from './format.ts'
import { mergeBatches, type BatchList } from './mirrors.ts'
import { readAddress, readHash, writeAddress, writeHash, type Screen } from './view.ts'

describe('figures in words', () => {
  test('prices', () => {
    expect(range({ min: 6, max: 6 })).toBe('6')
    expect(priceTag({ min: 5, max: 6 }, 212)).toBe('1,060 to 1,272 cr')
    expect(priceTag(null, 3)).toBeUndefined()
  })

  test('times', () => {
    expect(duration(24_400)).toBe('24 s')
    expect(duration(292_000)).toBe('4 min 52 s')
    expect(timeLeft(486_000)).toBe('≈ 8 min')
    expect(timeLeft(110 * 60_000)).toBe('≈ 1 h 50')
    expect(timeLeft(3000)).toBe('≈ 10 s')
  })

  test('the end of a path says most', () => {
    expect(shortPath('/Users/mara/Shoots/AW25/Retouched')).toBe('…/Shoots/AW25/Retouched')
    expect(shortPath('D:\\Shoots\\AW25\\Retouched\\Web')).toBe('…\\AW25\\Retouched\\Web')
    expect(shortPath('/out')).toBe('/out')
  })
})

describe('the place in the address', () => {
  test('comes back from what was written, whatever a batch is called', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (batch) => {
        const screen: Screen = { kind: 'batch', batch }
        expect(readHash(writeHash(screen))).toEqual(screen)
      }),
    )
    for (const screen of [
      { kind: 'history' },
      { kind: 'presets' },
      { kind: 'preferences', page: 'places' },
    ] as const) {
      expect(readHash(writeHash(screen))).toEqual(screen)
    }
  })

  test('what is compared is part of it', () => {
    const screens = fc.oneof(
      fc.string({ minLength: 1 }).map((batch): Screen => ({ kind: 'batch', batch })),
      fc.constantFrom<Screen>({ kind: 'start' }, { kind: 'history' }),
    )
    const subjects = fc.oneof(
      fc.record({ image: fc.integer({ min: 1 }) }),
      fc.record({ run: fc.string({ minLength: 1 }) }),
    )
    fc.assert(
      fc.property(screens, subjects, (screen, of) => {
        const place = { screen, overlay: { kind: 'compare', of } as const }
        expect(readAddress(writeAddress(place))).toEqual(place)
        expect(readAddress(writeHash(screen))).toEqual({ screen, overlay: undefined })
      }),
    )
  })

  test('a broken address leads nowhere, and never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void readAddress(`#/${text}`)))
    expect(readHash('#/nothing/here')).toBeUndefined()
    expect(readHash('#/batch/%E0%A4%A')).toEqual({ kind: 'batch', batch: '%E0%A4%A' })
  })
})

describe('the list of batches', () => {
  const record = (id: string) => stageBatch(id, id, [['waiting', 1]], 0).record
  const list = (...ids: string[]): BatchList => ({
    byId: new Map(ids.map((id) => [id, record(id)])),
    order: ids,
  })

  test('keeps its order, takes new ones at the end, loses what was removed, follows a new order', () => {
    const changed = mergeBatches(list('a', 'b', 'c'), { batches: [record('d'), record('b')], removed: ['a'] })
    expect(changed.order).toEqual(['b', 'c', 'd'])
    const moved = mergeBatches(changed, { batches: [], removed: [], order: ['d', 'b', 'c'] })
    expect(moved.order).toEqual(['d', 'b', 'c'])
  })
})
