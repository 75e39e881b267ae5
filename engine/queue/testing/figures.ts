import type { QueueSettings } from '../parts.ts'
import { idealMakespan, processingTimes, rehearse, type Notices } from './rehearsal.ts'
import { seeded } from './random.ts'
import type { Fate } from './simulated-service.ts'

/** What one rehearsal comes to; ratios are to what the same durations allow. */
export interface Figures {
  /** Time until the last result is known, over the ideal one (or over what the limit allows, where that is more). */
  readonly makespan: number
  /** Submissions, lists and GETs per image. */
  readonly apiPerRun: number
  /** From completion to known, in ms. */
  readonly lagP95: number
  readonly lagMean: number
  readonly lagMax: number
  /** Lists and GETs that found nothing, per run. */
  readonly pollsPerRun: number
  readonly refusedShare: number
  readonly delivered: number
  /** Images left for a person. */
  readonly review: number
  /** Images that were charged more than once. */
  readonly doubleCharges: number
}

export interface Conditions {
  readonly rateLimit?: number
  readonly settings?: Partial<QueueSettings>
  /** Share of submissions whose answer is lost, half of them after the charge. */
  readonly lost?: number
  readonly notices?: Notices
}

/** One batch in virtual time: the real queue, a simulated service of unknown concurrency. */
export async function rehearsed(
  images: number,
  concurrency: number,
  seed: number,
  { lost, ...more }: Conditions = {},
): Promise<Figures> {
  const fate = lost === undefined ? {} : { fate: fateOf(lost, seed) }
  const rehearsal = rehearse(images, { concurrency, seed, ...more, ...fate })
  const started = rehearsal.clock.now()
  await rehearsal.run()
  const { runs, requests } = rehearsal.service
  const known = runs.filter((run) => run.knownAt !== undefined)
  const lags = known.map((run) => run.knownAt! - run.completed!).sort((a, b) => a - b)
  const ideal = idealMakespan(processingTimes(images * 2 + 100, seed).slice(0, images), concurrency)
  const bound = Math.max(ideal, more.rateLimit ? (2000 * images) / more.rateLimit : 0)
  const api = requests.submit + requests.list + requests.run
  const counts = rehearsal.store.batches.counts(rehearsal.batchSeq)
  const figures = {
    makespan: (Math.max(...known.map((run) => run.knownAt!)) - started) / bound,
    apiPerRun: api / images,
    lagP95: lags[Math.floor(known.length * 0.95)]!,
    lagMean: lags.reduce((sum, lag) => sum + lag, 0) / known.length,
    lagMax: lags.at(-1)!,
    pollsPerRun: (requests.list + requests.wasted) / images,
    refusedShare: requests.refused / api,
    delivered: counts.delivered,
    review: counts.review,
    doubleCharges: [...rehearsal.service.charges().values()].filter((n) => n > 1).length,
  }
  rehearsal.store.close()
  return figures
}

function fateOf(share: number, seed: number): (n: number) => Fate {
  const random = seeded(seed + 1000)
  return () => {
    const x = random()
    return x < share / 2 ? 'lost-after' : x < share ? 'lost-before' : 'answered'
  }
}
