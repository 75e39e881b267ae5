import type { ImageDetails, RunRecord } from '../../../shared/contract/records.ts'
import { builtInPresets } from '../../../shared/presets.ts'
import type { Overrides } from './stage-engine.ts'
import { stageImage } from './stage-images.ts'

const recipe = {
  appId: 'rescue',
  settings: { ...builtInPresets[0]!.settings, shadow_intensity: 1.2, shadow_softness: 1.6 },
  parameters: {},
}

function run(id: string, at: number, change: Partial<RunRecord> = {}): RunRecord {
  return {
    runId: id,
    appId: 'rescue',
    appTitle: 'Rescue',
    status: 'SUCCESS',
    created: new Date(at).toISOString(),
    completed: new Date(at + 24_000).toISOString(),
    credits: 6,
    error: null,
    isVideo: false,
    outputs: [
      { slug: 'de-banded', label: 'De-Banded', format: 'png' },
      { slug: 'original', label: 'Original', format: 'png' },
    ],
    image: null,
    ...change,
  }
}

const errors = [
  'Failed to download input image: 404 Not Found',
  'No object was detected in the input',
  'Internal',
]
const headings = [
  'The picture’s link is not reachable',
  'No piece was found in the picture',
  'The service could not retouch this picture',
]

type Answers<G extends keyof Overrides> = NonNullable<Overrides[G]>

const appsAnswers = (): Answers<'apps'> => ({
  list: () => ({
    apps: [
      { id: 'rescue', title: 'Rescue', description: null, isRetoucher: true, parameters: null },
      { id: 'precision', title: 'Precision', description: null, isRetoucher: true, parameters: null },
      { id: 'upscale', title: 'Upscale', description: null, isRetoucher: false, parameters: null },
    ],
  }),
})

function detailsOf(image: number, now: number): ImageDetails {
  const position = image - 1
  const isFailed = position === 4
  const isReview = position === 9
  const state = isFailed ? 'failed' : isReview ? 'review' : 'delivered'
  return {
    image: stageImage(position, state, now),
    batch: 'lookbook',
    source: 'https://cdn.example/aw25/E3311-pair.tif',
    formerSource: null,
    pickRefusal: isFailed ? null : 'Only an image that has failed can be given another picture.',
    recipe,
    preset: 'Catalogue white',
    runId: 'run_5b90e7aa',
    heading: isFailed ? headings[position % 3]! : null,
    error: isFailed ? errors[position % 3]! : null,
    advice: isFailed
      ? 'The service tried to download it and could not. Open the link to check it, then try again.'
      : null,
    attempts: [
      { at: now - 120_000, outcome: 'Sent, accepted', runId: 'run_41', credits: null },
      {
        at: now - 90_000,
        outcome: isFailed ? 'Failed' : 'Delivered',
        runId: 'run_5b90e7aa',
        credits: isFailed ? 0 : 6,
      },
    ],
    outputs: isFailed
      ? []
      : [
          {
            slug: 'de-banded',
            label: 'De-Banded',
            path: 'Rings/R1187-hero.png',
            bytes: 18_400_000,
            isVideo: false,
            present: true,
          },
          {
            slug: 'original',
            label: 'Original',
            path: 'Rings/R1187-hero-original.png',
            bytes: 18_100_000,
            isVideo: false,
            present: true,
          },
        ],
  }
}

const imagesAnswers = (now: number): Answers<'images'> => ({
  settings: (target) => {
    const isMany = 'ids' in target && target.ids.length > 1
    return {
      recipe,
      mixed: isMany ? ['bg_mode', 'shadow_size'] : [],
      ranges: isMany ? { shadow_size: { min: 0.8, max: 1.6 } } : {},
      values: isMany ? { bg_mode: ['solid', 'transparent'], shadow_size: [0.8, 1.6] } : {},
      images: 'ids' in target ? target.ids.length : 212,
      editable: 'ids' in target ? target.ids.length : 80,
      preset: 'Catalogue white',
      pricePerImage: { min: 6, max: 6 },
      extras: { min: 4, max: 4 },
    }
  },
  edit: () => ({ images: 80 }),
  details: ({ image }) => detailsOf(image, now),
  planRetry: () => ({
    plan: 'plan',
    free: 0,
    paid: 3,
    alreadyCharged: 0,
    cost: { min: 18, max: 18 },
    extras: { min: 12, max: 12 },
  }),
  planPick: () => ({
    plan: 'plan',
    free: 0,
    paid: 1,
    alreadyCharged: 0,
    cost: { min: 6, max: 6 },
    extras: { min: 4, max: 4 },
    file: 'E3311-pair.tif',
  }),
  retry: () => ({ images: 3 }),
  cancel: () => ({ images: 4 }),
  putBack: () => ({ images: 4 }),
})

const reviewAnswers = (now: number): Answers<'review'> => ({
  candidates: ({ image }) => ({
    image: {
      image: stageImage(image - 1, 'review', now),
      batch: 'lookbook',
      source: 'https://cdn.example/aw25/E3320-pair.tif',
      formerSource: null,
      pickRefusal: 'Only an image that has failed can be given another picture.',
      recipe,
      preset: null,
      runId: null,
      heading: null,
      error: null,
      advice: null,
      attempts: [],
      outputs: [],
    },
    sentFrom: now - 600_000,
    sentTo: now - 599_000,
    why: 'Vitrine closed while sending it, before an answer came.',
    runs: [
      { run: run('run_c41ab7e2', now - 600_000), apart: 0, sameApp: true },
      { run: run('run_c41ab8f0', now - 556_000), apart: 44_000, sameApp: true },
    ],
    likely: 'run_c41ab7e2',
    cost: { min: 6, max: 6 },
  }),
  decide: () => ({}),
})

const runsAnswers = (now: number): Answers<'runs'> => ({
  list: ({ page }) => ({
    runs: Array.from({ length: 20 }, (_, index) =>
      run(`run_${page}f${(index + 10).toString(36)}90e7aa`, now - index * 61_000, {
        image:
          index % 4 === 0
            ? null
            : { id: index, batch: 'lookbook', title: stageImage(index, 'delivered', now).title },
        ...(index === 3 ? { status: 'FAILED', credits: 0, outputs: [], error: errors[0]! } : {}),
        ...(index === 0 ? { status: 'IN_PROGRESS', credits: null, outputs: [], completed: null } : {}),
      }),
    ),
    total: 164,
    hasMore: true,
  }),
})

const connectionsAnswers = (now: number): Answers<'connections'> => ({
  protection: () => ({ available: true, sentence: null, choice: false }),
  check: ({ key }) =>
    key.startsWith('bad')
      ? {
          ok: false,
          field: 'key',
          message: 'The service rejected this key (401). Copy it again, or create a new one.',
        }
      : {
          ok: true,
          baseUrl: 'https://service.example/api/v1',
          balance: { total: 1284, subscription: null, other: null, tier: 'Pro', expires: null, at: now },
        },
})

const preferencesAnswers = (): Answers<'preferences'> => ({
  places: () => ({
    places: [
      {
        title: 'Batches and their history',
        path: '/Users/mara/Library/Vitrine/vitrine.db',
        bytes: 48_200_000,
      },
      { title: 'Thumbnails', path: '/Users/mara/Library/Vitrine/thumbnails', bytes: 212_000_000 },
      { title: 'Log', path: '/Users/mara/Library/Vitrine/log', bytes: 920_000 },
    ],
  }),
})

const hotFolder = {
  path: '/Users/mara/Shoots/Studio A',
  preset: 'Catalogue white',
  outDir: '/Users/mara/Shoots/Retouched',
  budget: 120,
  moveDone: true,
  polling: false,
  trouble: null,
  imagesToday: 3,
  chargedToday: 18,
  pictures: null,
}

const hotFolderAnswers = (): Answers<'hotFolders'> => ({
  async *watch(_, { signal }) {
    yield {
      folders: [
        { id: 1, name: 'Studio A · tethered', state: 'watching', ...hotFolder },
        { id: 2, name: 'Dropbox / inbox', state: 'paused', ...hotFolder, imagesToday: 0, chargedToday: 0 },
      ],
    }
    if (signal.aborted) return
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  },
})

const ownFileAnswers = (): Answers<'ownFiles'> => ({
  async *watch(_, { signal }) {
    const address = 'https://pictures.example/aw25/'
    const storage = {
      endpoint: 'https://s3.eu-central-1.amazonaws.com',
      region: 'eu-central-1',
      bucket: 'mara-shoots',
      prefix: 'retouch/',
      pathStyle: false,
      keep: false,
      conversion: { format: 'jpeg', longestSide: 6000 },
    } as const
    yield {
      published: { folder: '/Users/mara/Sites/aw25', address },
      storage,
      keysKnown: true,
      uploading: null,
      trouble: null,
    }
    if (signal.aborted) return
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  },
  check: () => ({ ok: true, sentence: 'The storage works.' }),
})

/** What the stage answers to questions about single things; `now` keeps times in step with the rest. */
export function stageAnswers(now: number): Overrides {
  return {
    apps: appsAnswers(),
    images: imagesAnswers(now),
    review: reviewAnswers(now),
    runs: runsAnswers(now),
    connections: connectionsAnswers(now),
    preferences: preferencesAnswers(),
    hotFolders: hotFolderAnswers(),
    ownFiles: ownFileAnswers(),
  }
}
