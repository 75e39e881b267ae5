import fc from 'fast-check'
import { expect, it } from 'vitest'
import { leftBehind, newFlight, type Flight, type Listing } from './flights.ts'

/** A service's list of runs in progress, newest first, cut into pages of three. */
function listingOf(inProgress: readonly number[], pages: readonly number[], askedAt: number): Listing {
  const newestFirst = inProgress.toSorted((a, b) => b - a)
  const read = new Map(
    pages.map((page) => [
      page,
      newestFirst
        .slice((page - 1) * 3, page * 3)
        .map((n) => ({ runId: `r${n}`, status: 'IN_PROGRESS', createdMs: n * 10 })),
    ]),
  )
  return { askedAt, pages: read, toTheEnd: Math.max(...pages) * 3 >= newestFirst.length }
}

function flight(n: number, seen: boolean): Flight {
  const one = newFlight({ runId: `r${n}`, imageId: n, batchSeq: 1, ackedAt: n, order: n })
  if (seen) {
    one.startedBetween = { from: n, to: n }
    one.created = n * 10
  }
  return one
}

it('a run that was seen in progress and is not on the whole list has left', () => {
  const flights = [flight(1, true), flight(2, true)]
  const left = leftBehind(flights, listingOf([2], [1], 100))
  expect(left.map((one) => one.runId)).toEqual(['r1'])
})

it('a run acknowledged after the list was asked for has not left', () => {
  expect(leftBehind([flight(5, true)], listingOf([], [1], 3))).toEqual([])
})

it('a run that was never seen, and is younger than all that were, may still be queued', () => {
  const left = leftBehind([flight(1, true), flight(2, false)], listingOf([1], [1], 100))
  expect(left).toEqual([])
  // An older one must have been begun before the younger that is seen.
  expect(leftBehind([flight(1, false), flight(2, true)], listingOf([2], [1], 100))).toHaveLength(1)
})

it('a gap between pages proves nothing', () => {
  const flights = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => flight(n, true))
  const listing = listingOf([1, 2, 3, 4, 6, 7, 8, 9], [1, 3], 100)
  expect(leftBehind(flights, listing)).toEqual([])
})

it('never takes a run that is in progress for one that left, whatever pages are read', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 7 }),
      (ours, inProgress, first, more) => {
        const flights = ours.map((n) => flight(n, true))
        const pages = Array.from({ length: more }, (_, index) => first + index)
        const left = leftBehind(flights, listingOf(inProgress, pages, 100))
        for (const one of left) expect(inProgress.map((n) => `r${n}`)).not.toContain(one.runId)
        // Read from the first page to the end, the list hides nothing.
        if (first === 1 && more * 3 >= inProgress.length) {
          expect(left).toHaveLength(ours.filter((n) => !inProgress.includes(n)).length)
        }
      },
    ),
  )
})
