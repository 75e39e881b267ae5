/** A run that the service has accepted and that is not known to be finished. Times are monotonic, in ms. */
export interface Flight {
  readonly runId: string
  readonly imageId: number
  readonly batchSeq: number
  readonly ackedAt: number
  /** Order of acknowledgement; the service works first come, first served as far as anyone can see. */
  readonly order: number
  /** Created, in service time, once a list or a record has shown it. */
  created: number | undefined
  /** When it may have begun to be worked on, at the earliest and at the latest; undefined while it may be queued. */
  startedBetween: { from: number; to: number } | undefined
  /** Last moment at which it was certainly not in progress yet. */
  waitingAt: number
  /** Last moment at which it was certainly not finished. */
  aliveAt: number
  /** Ticks in a row in which no list showed it. */
  unseen: number
  /** True from "no list shows it any more" until a GET has said what became of it. */
  left: boolean
  /** True when it is to be asked for by itself although no list says that it has left. */
  suspected: boolean
  /** True while a GET for it is under way or waits for its turn. */
  asking: boolean
  /** Not to be asked by itself before this moment. */
  askAfter: number
  /** Whether its end is to be announced: it was sent with an address that is listened behind, by this process. */
  hooked: boolean
  /** When the service's notice of its end came; undefined before. A hint, until the run itself was read. */
  announcedAt: number | undefined
  /** Times that it was asked for because of such a notice. */
  announcements: number
  /** GETs answered 404, or with something that cannot be understood. */
  puzzles: number
}

/** Estimated moment at which work on it began. */
export function startOf(flight: Flight): number {
  return flight.startedBetween ? (flight.startedBetween.from + flight.startedBetween.to) / 2 : flight.ackedAt
}

export function newFlight(run: {
  runId: string
  imageId: number
  batchSeq: number
  ackedAt: number
  order: number
}): Flight {
  return {
    ...run,
    created: undefined,
    startedBetween: undefined,
    waitingAt: run.ackedAt,
    aliveAt: run.ackedAt,
    unseen: 0,
    left: false,
    suspected: false,
    asking: false,
    askAfter: 0,
    hooked: false,
    announcedAt: undefined,
    announcements: 0,
    puzzles: 0,
  }
}

/** A row of a list as far as the poller cares. */
export interface ListedRun {
  readonly runId: string
  readonly status: string
  /** Service time in ms; NaN where it is no time. */
  readonly createdMs: number
}

/** The pages of one listing that were read, all asked for at the same moment. */
export interface Listing {
  /** Moment before the first request went out (monotonic). */
  readonly askedAt: number
  /** Rows by page number (from 1); only pages that were read. */
  readonly pages: ReadonlyMap<number, readonly ListedRun[]>
  /** True when the last page read had nothing after it. */
  readonly toTheEnd: boolean
}

/**
 * Which flights have left the list of runs in progress. Absence counts only for a run that was acknowledged before
 * the list was asked for, was seen in progress (or is older than one that was), and lies in the range of creation
 * that the pages cover without a gap. It never means success: only a GET says what became of a run.
 */
export function leftBehind(flights: Iterable<Flight>, listing: Listing): Flight[] {
  const listed = new Set<string>()
  for (const rows of listing.pages.values()) for (const row of rows) listed.add(row.runId)
  const all = [...flights]
  const newestStarted = Math.max(
    -1,
    ...all
      .filter((flight) => flight.startedBetween || listed.has(flight.runId))
      .map((flight) => flight.order),
  )
  const covers = coverage(listing)
  return all.filter(
    (flight) =>
      !flight.left &&
      flight.ackedAt < listing.askedAt &&
      !listed.has(flight.runId) &&
      (flight.startedBetween !== undefined || flight.order < newestStarted) &&
      covers(flight.created),
  )
}

function coverage(listing: Listing): (created: number | undefined) => boolean {
  const numbers = [...listing.pages.keys()].sort((a, b) => a - b)
  const contiguous = numbers.every((page, index) => index === 0 || page === numbers[index - 1]! + 1)
  if (!contiguous) return () => false
  const fromTheStart = numbers[0] === 1
  if (fromTheStart && listing.toTheEnd) return () => true
  const times = numbers.flatMap((page) => listing.pages.get(page)!.map((row) => row.createdMs))
  const newestFirst = times.every((time, index) => index === 0 || time <= times[index - 1]!)
  if (!newestFirst || times.length === 0) return () => false
  // Strictly between the rows at the ends: a run as old as one of them may stand on the page beside.
  return (created) =>
    created !== undefined &&
    (fromTheStart || created < times[0]!) &&
    (listing.toTheEnd || created > times.at(-1)!)
}
