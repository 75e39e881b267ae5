import type { Durations } from './durations.ts'
import type { Flight } from './flights.ts'
import { dueAt, pagesOf, pageSize, type PollLimits } from './poll-plan.ts'

/** A list worth asking for, and the moment at which it is. */
export interface Look {
  readonly at: number
  readonly status: 'IN_PROGRESS' | 'SUCCESS'
  readonly pages: readonly number[]
}

/** Moments at which the lists were last asked for (monotonic, ms). */
export interface ReadTimes {
  successes: number
  /** The last page of runs in progress, and all of them. */
  oldest: number
  all: number
  readonly pages: Map<number, number>
}

export interface Outlook {
  /** Runs in progress, as far as known. */
  readonly working: readonly Flight[]
  /** Runs of others in progress. */
  readonly strangers: number
  /** The window still grows: only how many are in progress matters, which the first page tells. */
  readonly searching: boolean
  /** In the middle of the work, and by lists alone. */
  readonly steady: boolean
  readonly durations: Durations
  readonly now: number
  readonly lastTick: number
  readonly readAt: ReadTimes
  /** Runs created up to this moment (service time) are too old to stand on the first page of successes. */
  readonly horizon: number
  readonly limits: PollLimits
}

/**
 * In the middle of the work no interval is longer than about the one at which even looks cost least: a few long ones would
 * make the lag that nineteen of twenty runs stay under. Each look is worth a little more for it. Measured by `npm run bench`.
 */
const longestOfEven = 0.9
const evenWorth = 1.37
/** From this share on a last page is worth reading by itself. */
const wellFilled = 0.6
/** With the page of successes: looks for each completion at the most; more would show little that is new. */
const looksPerRun = 0.6
/** The few runs too old for the page of successes have waited long already. */
const olderPatience = 0.4
/** All pages are read this often for starts and failures, in ms. */
const overviewMs = 20_000

/**
 * The lists worth asking for, and when. Up to a page of runs in progress, that list alone says all. Beyond it, pages
 * that are well filled are read each when it is worth it; a last page with few runs would cost as much as a full
 * one, and the successes are read instead.
 */
export function planLooks(outlook: Outlook): Look[] {
  const { working, strangers, durations, now, lastTick, limits } = outlook
  const pages = Math.ceil((working.length + strangers) / pageSize)
  if (pages <= 1 || outlook.searching) {
    const at = dueAt(working, durations, now, lastTick, outlook.steady ? evened(outlook) : limits)
    return [{ at, status: 'IN_PROGRESS', pages: [1] }]
  }
  const onLastPage = working.length + strangers - (pages - 1) * pageSize
  return onLastPage < pageSize * wellFilled ? bySuccesses(outlook, pages) : byPage(outlook)
}

/** Even looks cost least at intervals of √(2 × patience / completions a second). */
function evened({ working, durations, limits }: Outlook): PollLimits {
  const patience = limits.patience * evenWorth
  const even = Math.sqrt((2000 * patience * durations.mean) / Math.max(1, working.length))
  return {
    ...limits,
    patience,
    longest: Math.max(limits.shortest, Math.min(limits.longest, longestOfEven * even)),
  }
}

/** Each page when it holds enough; the first holds the youngest runs, which hardly ever finish. */
function byPage(outlook: Outlook): Look[] {
  const { working, strangers, durations, now, readAt, limits } = outlook
  const earliest = outlook.lastTick + limits.shortest
  return pagesOf(working, strangers).map((flights, index) => {
    const at = dueAt(flights, durations, now, readAt.pages.get(index + 1) ?? -Infinity, limits)
    return { at: Math.max(earliest, at), status: 'IN_PROGRESS', pages: [index + 1] }
  })
}

/**
 * One page of the newest successes shows nearly every completion for one request; the runs too old to be on it
 * stand on the last page of those in progress; and all of these are read now and then.
 */
function bySuccesses(outlook: Outlook, pages: number): Look[] {
  const { working, durations, now, readAt, limits, horizon } = outlook
  const earliest = outlook.lastTick + limits.shortest
  const isOlder = ({ created = Infinity }: Flight) => created <= horizon
  const shown = working.filter((flight) => !isOlder(flight))
  const older = working.filter(isOlder)
  const thrifty = durations.mean / (looksPerRun * working.length)
  const sooner = { ...limits, patience: limits.patience * olderPatience }
  const looks: Look[] = [
    {
      at: Math.max(
        earliest,
        dueAt(shown, durations, now, readAt.successes, limits),
        readAt.successes + thrifty,
      ),
      status: 'SUCCESS',
      pages: [1],
    },
    {
      at: Math.max(earliest, readAt.all + overviewMs),
      status: 'IN_PROGRESS',
      pages: Array.from({ length: pages }, (_, index) => index + 1),
    },
  ]
  if (older.length > 0) {
    const at = Math.max(earliest, dueAt(older, durations, now, readAt.oldest, sooner))
    looks.push({ at, status: 'IN_PROGRESS', pages: [pages] })
  }
  return looks
}

/** Page numbers from the least to the greatest of these: absence only counts in a range without a gap. */
export function withoutGap(numbers: readonly number[]): number[] {
  const first = Math.min(...numbers)
  return Array.from({ length: Math.max(...numbers) - first + 1 }, (_, index) => first + index)
}
