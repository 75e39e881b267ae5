import { assert, nat, property, record, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { imageStates } from '../../shared/states.ts'
import { hexOf } from './hex-color.ts'
import { lookOf, lookWords, stepsOf, type ItemLook } from './item-look.ts'
import { meterLabel } from './Meter.tsx'
import { createToasts } from './toasts.ts'

describe('looks', () => {
  test('every state of an image has a word, and a run at the service two', () => {
    for (const state of imageStates) expect(lookWords[lookOf(state)]).toMatch(/^[A-Z]/)
    expect([lookOf('running'), lookOf('running', true)]).toEqual(['queue', 'processing'])
    expect(lookOf('delivered')).toBe('done')
  })

  test('a track has four parts; processing holds at 90 %', () => {
    const looks = Object.keys(lookWords) as ItemLook[]
    for (const look of looks) expect([undefined, 4]).toContain(stepsOf(look)?.length)
    expect(stepsOf('processing', 1)).toEqual(['full', 'full', 0.9, 'empty'])
    expect(stepsOf('failed', 0, 0)).toEqual(['failed', 'empty', 'empty', 'empty'])
  })
})

describe('the meter in words', () => {
  test('as in the design', () => {
    const counts = { done: 118, active: 9, failed: 3, review: 2, cancelled: 1, waiting: 79 }
    expect(meterLabel(counts)).toBe('118 done, 9 active, 3 failed, 2 need review, 1 cancelled, 79 waiting')
  })

  test('names every part that is there, and none that is not', () => {
    const count = nat({ max: 900 })
    const counts = record({
      done: count,
      active: count,
      failed: count,
      review: count,
      cancelled: count,
      waiting: count,
    })
    assert(
      property(counts, (some) => {
        const present = Object.values(some).filter((number) => number > 0)
        const label = meterLabel(some)
        expect(label.match(/\d+/g)?.map(Number) ?? []).toEqual(present)
      }),
    )
  })
})

describe('colours', () => {
  test.each([
    ['#fff', '#FFFFFF'],
    ['ececec', '#ECECEC'],
    [' #0C1F1B ', '#0C1F1B'],
  ])('%j is %j', (typed, code) => expect(hexOf(typed)).toBe(code))

  test('whatever is typed is #RRGGBB in the end, or no colour', () => {
    assert(
      property(string(), (typed) => {
        expect(hexOf(typed) ?? '#000000').toMatch(/^#[0-9A-F]{6}$/)
      }),
    )
  })
})

test('one toast at a time: the latest; the same words again are a new one', () => {
  const toasts = createToasts()
  let heard = 0
  const stop = toasts.subscribe(() => (heard += 1))
  toasts.show({ text: 'one' })
  const first = toasts.current()
  toasts.show({ text: 'one' })
  expect(toasts.current()).toEqual(first)
  expect(toasts.current()).not.toBe(first)
  toasts.dismiss()
  expect(toasts.current()).toBeUndefined()
  stop()
  toasts.show({ text: 'unheard' })
  expect(heard).toBe(3)
})
