import fc from 'fast-check'

/**
 * What becomes of a submission. Times in ms from its arrival; `acceptMs + visibleMs` stays within the waiting time
 * from the moment of sending, which is what is assumed of the service (docs/reliability.md, promise 1).
 */
export type Fate =
  | { readonly kind: 'answered' | '400' | '402' | '429' | 'ghost' | 'repeated' }
  | { readonly kind: 'late'; readonly answerMs: number; readonly visibleMs: number }
  | { readonly kind: 'lost-before'; readonly answerMs: number }
  | {
      readonly kind: 'lost-after'
      readonly answerMs: number
      readonly acceptMs: number
      readonly visibleMs: number
    }

export type Outcome = 'ok' | 'failed-charged' | 'failed-free'

export const troubleKinds = [
  ...(['list-5xx', 'list-no-total', 'list-doubled', 'list-unreadable', 'list-shuffled'] as const),
  ...(['list-unfiltered', 'list-stale', 'list-no-more', 'get-404', 'get-5xx', 'get-backward'] as const),
  ...(['get-no-url', 'no-date', 'key-rejected', 'rate-limit', 'offline'] as const),
  ...(['file-unwritable', 'file-retry', 'file-rejected', 'file-expired'] as const),
] as const
export type TroubleKind = (typeof troubleKinds)[number]

export interface Trouble {
  readonly kind: TroubleKind
  readonly at: number
  readonly forMs: number
}

/** What a story lets the service do. */
export interface ServicePlan {
  readonly seed: number
  readonly concurrency: number
  /** Processing times in ms, taken in turn. */
  readonly durations: readonly number[]
  /** What becomes of runs, in turn of acceptance; successes after the last. */
  readonly outcomes: readonly Outcome[]
  readonly price: number
  readonly credits: number
  readonly chargedAtEnd: boolean
  /** `created` in whole seconds. */
  readonly coarse: boolean
  /** The service's clock against the client's, and that of its `Date` against that of `created`, in ms. */
  readonly skewMs: number
  readonly dateSkewMs: number
  /** What becomes of submissions, in turn of arrival; answered after the last. */
  readonly fates: readonly Fate[]
  readonly troubles: readonly Trouble[]
  /** Moments at which somebody else submits. */
  readonly foreign: readonly number[]
}

/** What a person, or another process, does through the store. `batch` and `pick` are taken modulo what there is. */
export type Deed =
  | { readonly kind: 'add'; readonly images: number; readonly budget: number | null; readonly held: boolean }
  | {
      readonly kind: 'pause' | 'go-on' | 'cancel' | 'retry' | 'release' | 'raise-budget'
      readonly batch: number
    }
  | { readonly kind: 'decide'; readonly pick: number; readonly how: 'adopt' | 'again' | 'drop' }
  | { readonly kind: 'top-up'; readonly credits: number }
  /** The key that the program has is good no longer; it has another after `new-key`. */
  | { readonly kind: 'revoke-key' }
  | { readonly kind: 'wall-jump'; readonly ms: number }

export type Step =
  | { readonly kind: 'deed'; readonly deed: Deed }
  /** The deed happens between two writes of the queue. */
  | { readonly kind: 'race'; readonly touches: number; readonly deed: Deed }
  | { readonly kind: 'restart' }
  /** A person gives a new key in the place of the old one, which is good no longer: the queue begins anew with it. */
  | { readonly kind: 'new-key' }
  | { readonly kind: 'crash' }
  /** The process vanishes after so many further writes, sendings and answers. */
  | { readonly kind: 'crash-at'; readonly touches: number }

export interface Story {
  readonly settleMs: number
  readonly holdMs: number
  readonly whenStopped: 'end' | 'wait'
  /** Pictures, and with how many presets each is made; one where that is left out. */
  readonly images: number
  readonly variants?: number
  readonly budget: number | null
  readonly service: ServicePlan
  /** Each happens so many ms after the one before. */
  readonly steps: readonly { readonly afterMs: number; readonly step: Step }[]
}

const settleMs = 20_000
const holdMs = 8000
/** What a list delay and a list read a little late may take together. */
const withinMs = settleMs - 6000

const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Fate>({ kind: 'answered' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('lost-before' as const),
      answerMs: fc.integer({ min: 10, max: 8000 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        answerMs: fc.integer({ min: 10, max: 8000 }),
        acceptMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: withinMs })),
        visibleMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: withinMs })),
      })
      .map((times): Fate => ({
        kind: 'lost-after',
        ...times,
        visibleMs: Math.min(times.visibleMs, withinMs - times.acceptMs),
      })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('late' as const),
      answerMs: fc.integer({ min: 10, max: 20_000 }),
      visibleMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: withinMs })),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('400', '402', '429', 'ghost', 'repeated') }) },
)

/** Lost answers that follow each other while the earlier ones are still in question. */
const lostAmongAnswered: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Fate>({ kind: 'answered' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('lost-before' as const),
      answerMs: fc.integer({ min: 10, max: 1000 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        answerMs: fc.integer({ min: 10, max: 1000 }),
        acceptMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: withinMs })),
        visibleMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: withinMs })),
      })
      .map((times): Fate => ({
        kind: 'lost-after',
        ...times,
        visibleMs: Math.min(times.visibleMs, withinMs - times.acceptMs),
      })),
  },
)

const trouble: fc.Arbitrary<Trouble> = fc.record({
  kind: fc.constantFrom(...troubleKinds),
  at: fc.integer({ min: 0, max: 120_000 }),
  forMs: fc.integer({ min: 500, max: 60_000 }),
})

const batch = fc.integer({ min: 0, max: 3 })
const budget = fc.option(fc.integer({ min: 1, max: 30 }), { freq: 3 })

const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    images: fc.integer({ min: 1, max: 4 }),
    budget,
    held: fc.boolean(),
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('pause', 'go-on', 'cancel', 'retry', 'release', 'raise-budget'),
      batch,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      pick: fc.integer({ min: 0, max: 3 }),
      how: fc.constantFrom('adopt', 'again', 'drop'),
    }),
  },
  fc.record({ kind: fc.constant('revoke-key' as const) }),
  fc.record({ kind: fc.constant('top-up' as const), credits: fc.integer({ min: 1, max: 40 }) }),
  fc.record({
    kind: fc.constant('wall-jump' as const),
    ms: fc.constantFrom(-7_200_000, -60_000, 60_000, 7_200_000),
  }),
)

const touches = fc.integer({ min: 0, max: 80 })

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: deed.map((one): Step => ({ kind: 'deed', deed: one })) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('race' as const), touches, deed }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('restart', 'crash', 'new-key') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('crash-at' as const), touches }) },
)

function service(foreign: fc.Arbitrary<number[]>): fc.Arbitrary<ServicePlan> {
  return fc.record({
    seed: fc.nat(),
    concurrency: fc.integer({ min: 1, max: 6 }),
    durations: fc.array(fc.integer({ min: 500, max: 20_000 }), { minLength: 1, maxLength: 5 }),
    outcomes: fc.array(fc.constantFrom<Outcome>('ok', 'ok', 'ok', 'failed-charged', 'failed-free'), {
      maxLength: 10,
    }),
    price: fc.integer({ min: 1, max: 6 }),
    credits: fc.oneof(fc.constant(1000), fc.integer({ min: 0, max: 60 })),
    chargedAtEnd: fc.boolean(),
    coarse: fc.boolean(),
    skewMs: fc.constantFrom(0, 0, -10_800_000, 10_800_000),
    dateSkewMs: fc.constantFrom(0, 0, 0, 0, 0, 0, -7_200_000, 7_200_000, 400, -8000, 8000, -12_000, 4000),
    fates: fc.array(fate, { maxLength: 14 }),
    troubles: fc.array(trouble, { maxLength: 5 }),
    foreign,
  })
}

export const accounts = ['solitary', 'shared', 'losing', 'losing, with several presets'] as const
export type Account = (typeof accounts)[number]

const settleTimes = {
  settleMs: fc.constant(settleMs),
  holdMs: fc.constantFrom(holdMs, holdMs, holdMs, settleMs),
  whenStopped: fc.constantFrom('end' as const, 'wait' as const),
}

/**
 * Stories of an account that nobody else uses, of one that others use as well, or of one on which little goes wrong
 * but that many answers are lost, one while another is still in question; the last also with several presets of each
 * picture.
 */
export function stories(account: Account): fc.Arbitrary<Story> {
  if (account === 'losing') return losing
  if (account === 'losing, with several presets') return losingVariants
  const foreign =
    account === 'solitary'
      ? fc.constant<number[]>([])
      : fc.array(fc.integer({ min: 0, max: 150_000 }), { minLength: 1, maxLength: 5 })
  return fc.record({
    ...settleTimes,
    images: fc.integer({ min: 1, max: 8 }),
    budget,
    service: service(foreign),
    steps: fc.array(fc.record({ afterMs: fc.integer({ min: 0, max: 20_000 }), step }), { maxLength: 12 }),
  })
}

const losing: fc.Arbitrary<Story> = fc.record({
  ...settleTimes,
  images: fc.integer({ min: 4, max: 16 }),
  budget: fc.constant(null),
  service: fc
    .record({
      plan: service(
        fc.oneof(
          { weight: 3, arbitrary: fc.constant<number[]>([]) },
          { weight: 1, arbitrary: fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 2 }) },
        ),
      ),
      fates: fc.array(lostAmongAnswered, { minLength: 6, maxLength: 18 }),
      troubles: fc.array(trouble, { maxLength: 1 }),
    })
    .map(({ plan, fates, troubles }) => ({ ...plan, fates, troubles, outcomes: [], credits: 1000 })),
  steps: fc.array(fc.record({ afterMs: fc.integer({ min: 0, max: 40_000 }), step }), { maxLength: 5 }),
})

/** As above, with runs of one picture next to each other that only their settings tell apart. */
const losingVariants: fc.Arbitrary<Story> = fc
  .tuple(losing, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 2, max: 4 }))
  .map(([story, images, variants]) => ({ ...story, images, variants }))
