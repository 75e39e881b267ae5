import type { z } from 'zod'
import type {
  BatchRecord,
  CountsRecord,
  ImageRecord,
  imageQuerySchema,
} from '../../../shared/contract/records.ts'
import { imageStates, type ImageState } from '../../../shared/states.ts'

type Query = z.output<typeof imageQuerySchema>

const pieces = [
  ['N2210-top', 'Necklaces/Halo'],
  ['R1187-hero', 'Rings/Signet'],
  ['E3302-pair', 'Earrings/Pearls'],
  ['R1190-front', 'Rings/Eternity'],
  ['E3311-pair', 'Earrings/Hoops'],
  ['N2214-top', 'Necklaces/Coin'],
  ['R1193-set', 'Rings/Bands'],
  ['B4020-flat', 'Bracelets/Curb'],
  ['R1201-front', 'Rings/Three-stone'],
  ['E3320-pair', 'Earrings/Studs'],
  ['B4023-open', 'Bracelets/Cuff'],
  ['R1204-front', 'Rings/Solitaire'],
] as const

/** How many images of a made-up batch are in which state, in the order in which they lie in the queue. */
export type StateRuns = readonly (readonly [ImageState, number])[]

const price = { min: 6, max: 6 }

function outputsOf(state: ImageState): ImageRecord['outputs'] {
  if (state !== 'delivered' && state !== 'skipped') return []
  return [
    { slug: 'de-banded', label: 'De-Banded', isVideo: false },
    { slug: 'original', label: 'Original', isVideo: false },
  ]
}

const reasons = ['Link not reachable', 'No item found', 'Service error']
const markAt: Readonly<Record<number, ImageRecord['mark']>> = {
  0: 'keep-1',
  2: 'keep-1',
  5: 'reject',
  7: 'keep-2',
}

/** One made-up image. The same position gives the same image. */
export function stageImage(position: number, state: ImageState, now: number): ImageRecord {
  const [name, folder] = pieces[position % pieces.length]!
  const round = Math.floor(position / pieces.length)
  const isOut = state === 'delivered' || state === 'skipped'
  const isActive = state === 'submitting' || state === 'running' || state === 'downloading'
  const took = 19_000 + ((position * 7919) % 24_000)
  return {
    id: position + 1,
    position,
    title: round === 0 ? `${name}.tif` : `${name}-${round}.tif`,
    folder,
    state,
    serviceStatus: state === 'running' ? (position % 3 === 0 ? 'IN_QUEUE' : 'IN_PROGRESS') : null,
    credits: isOut ? 6 : state === 'failed' ? 0 : null,
    estimate: price,
    since: isActive ? now - ((position * 3571) % 28_000) : null,
    took: isOut || state === 'failed' ? took : null,
    bytes: state === 'downloading' ? { done: 3_400_000, total: 5_000_000 } : null,
    reason:
      state === 'failed'
        ? reasons[position % reasons.length]!
        : state === 'review'
          ? 'Sent, no answer'
          : null,
    outputs: outputsOf(state),
    mark: state === 'delivered' ? (markAt[position] ?? null) : null,
    preset: 'Catalogue white',
    picture: null,
    version: 1,
  }
}

export function countsOf(images: readonly ImageRecord[]): CountsRecord {
  const counts = Object.fromEntries(imageStates.map((state) => [state, 0])) as CountsRecord
  for (const image of images) counts[image.state] += 1
  return counts
}

const sorts: Readonly<Record<Query['sort'], (a: ImageRecord, b: ImageRecord) => number>> = {
  queue: (a, b) => a.position - b.position,
  title: (a, b) => a.title.localeCompare(b.title),
  state: (a, b) => imageStates.indexOf(a.state) - imageStates.indexOf(b.state) || a.position - b.position,
  credits: (a, b) => (a.credits ?? -1) - (b.credits ?? -1) || a.position - b.position,
  time: (a, b) => (a.took ?? -1) - (b.took ?? -1) || a.position - b.position,
}

/** What a query finds among made-up images, in its order. */
export function find(images: readonly ImageRecord[], query: Query): readonly ImageRecord[] {
  const wanted = query.search.toLowerCase()
  const found = images.filter(
    (image) =>
      (query.states.length === 0 || query.states.includes(image.state)) &&
      (query.marks.length === 0 || query.marks.includes(image.mark ?? 'none')) &&
      (wanted === '' || `${image.folder}/${image.title}`.toLowerCase().includes(wanted)),
  )
  // The images lie in queue order; sorting 100,000 of them for nothing would be felt.
  if (query.sort !== 'queue') found.sort(sorts[query.sort])
  return query.descending ? found.reverse() : found
}

/** A made-up batch with its images. */
export interface StageBatch {
  readonly record: BatchRecord
  readonly images: readonly ImageRecord[]
}

/** @param change of what the record would otherwise say */
export function stageBatch(
  id: string,
  name: string,
  runs: StateRuns,
  now: number,
  change: Partial<BatchRecord> = {},
): StageBatch {
  let position = 0
  const images: ImageRecord[] = []
  for (const [state, count] of runs) {
    for (let n = 0; n < count; n += 1) images.push(stageImage(position++, state, now))
  }
  const counts = countsOf(images)
  const record: BatchRecord = {
    id,
    name,
    created: now - 900_000,
    finished: null,
    connectionId: 'account',
    outDir: '/Users/mara/Shoots/AW25/Retouched',
    outDirTrouble: null,
    state: 'running',
    stopReason: null,
    preset: 'Catalogue white',
    hasSeveralPresets: false,
    counts,
    total: images.length,
    charged: counts.delivered * 6 + 48,
    pricePerImage: price,
    extras: { min: 4, max: 4 },
    budget: null,
    inFlight: null,
    perMinute: null,
    eta: null,
    median: 24_000,
    ...change,
  }
  return { record, images }
}
