import { z } from 'zod'
import { retoucherSettingsSchema } from '../settings.ts'
import { imageStates, queueStates } from '../states.ts'

/** What an interface is shown of the engine's things. Times are milliseconds since the epoch on this computer's clock. */

const count = z.number().int().nonnegative()
const time = z.number()
const imageId = z.number().int()

/** Credits; `min` equals `max` where the price is certain. */
export const creditRangeSchema = z.object({ min: z.number(), max: z.number() })

/** What is sent beside a picture's address. */
export const recipeSchema = z.object({
  appId: z.string().trim().min(1).max(200),
  settings: retoucherSettingsSchema,
  parameters: z.record(z.string().max(200), z.unknown()),
})
export type RecipeRecord = z.infer<typeof recipeSchema>

export const balanceSchema = z.object({
  total: z.number(),
  subscription: z.number().nullable(),
  other: z.number().nullable(),
  /** Name of the plan, such as "Pro". */
  tier: z.string().nullable(),
  /** ISO 8601; null where nothing expires, or nothing is said. */
  expires: z.string().nullable(),
  /** When the service said so. */
  at: time,
})
export type BalanceRecord = z.infer<typeof balanceSchema>

export const connectionSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['practice', 'account']),
  baseUrl: z.string(),
  active: z.boolean(),
  /**
   * Where its key is: in the system's key store, in clear because the system has none and the person chose it, for
   * this run of the program only, or nowhere.
   */
  key: z.enum(['key-store', 'unprotected', 'this-run', 'missing']),
})
export type ConnectionRecord = z.infer<typeof connectionSchema>

/** The queue of the active connection. */
export const queueSchema = z.object({
  connectionId: z.string().nullable(),
  state: z.enum(queueStates),
  /** The service's or the engine's sentence on why it stands; empty while it runs. */
  message: z.string(),
  /** When it tries again by itself; null where a person has to act, or nothing is wrong. */
  nextTry: time.nullable(),
  /** Runs at the service. */
  inFlight: count,
  /** True where another program works on this data folder: this one shows, that one submits. */
  following: z.boolean(),
  balance: balanceSchema.nullable(),
  /** What the waiting images of all batches will cost; null while a base price is unknown. */
  committed: creditRangeSchema.nullable(),
})
export type QueueRecord = z.infer<typeof queueSchema>

export const countsSchema = z.record(z.enum(imageStates), count)
export type CountsRecord = z.infer<typeof countsSchema>

/**
 * `ready`: added, nothing sent yet. `pausing`: paused, and runs are still at the service. `interrupted`: the program
 * ended in the middle of it. `stopped`: for `stopReason`. `finished`: every image is settled (held ones may remain).
 */
export const batchStates = [
  'ready',
  'running',
  'pausing',
  'paused',
  'interrupted',
  'stopped',
  'finished',
] as const

export const batchSchema = z.object({
  id: z.string(),
  name: z.string(),
  created: time,
  /** When its last image was settled; null before. */
  finished: time.nullable(),
  connectionId: z.string().nullable(),
  outDir: z.string(),
  /** Why the output folder cannot be used; null while it can. */
  outDirTrouble: z.string().nullable(),
  state: z.enum(batchStates),
  stopReason: z.string().nullable(),
  /** Of several presets their names, joined by " + ". */
  preset: z.string().nullable(),
  /** True where pictures are made with several presets, as images of their own. */
  hasSeveralPresets: z.boolean(),
  counts: countsSchema,
  total: count,
  /** Credits charged over all its runs, failed ones too. */
  charged: z.number(),
  /** What a run costs with the settings of what still waits; null while the app's base price is unknown. */
  pricePerImage: creditRangeSchema.nullable(),
  /** What the settings add to the base price. */
  extras: creditRangeSchema,
  budget: z.number().nullable(),
  inFlight: z.number().nullable(),
  /** Finished images a minute over the last three minutes; null before five are finished. */
  perMinute: z.number().nullable(),
  /** Milliseconds until it is done; null while that is not known. */
  eta: z.number().nullable(),
  /** Median processing time of its app in ms; null before the first. */
  median: z.number().nullable(),
})
export type BatchRecord = z.infer<typeof batchSchema>

export const marks = ['keep-1', 'keep-2', 'reject'] as const

/** One row or cell. */
export const imageSchema = z.object({
  id: imageId,
  /** From 0, in the order of intake. */
  position: count,
  /** File name of the source as a person knows it. */
  title: z.string(),
  folder: z.string(),
  state: z.enum(imageStates),
  /** The service's own word while running. */
  serviceStatus: z.enum(['IN_QUEUE', 'IN_PROGRESS']).nullable(),
  /** Credits as charged; null while that is not known. */
  credits: z.number().nullable(),
  /** What its run is expected to cost; null while the base price is unknown. */
  estimate: creditRangeSchema.nullable(),
  /** When the service accepted its run, or its submission began. */
  since: time.nullable(),
  /** Milliseconds from acceptance to delivery or failure. */
  took: z.number().nullable(),
  /** Bytes of a download under way. */
  bytes: z.object({ done: z.number(), total: z.number().nullable() }).nullable(),
  /** A few words on why it failed or needs review; null else. */
  reason: z.string().nullable(),
  /** Files that are there: the primary first. */
  outputs: z.array(z.object({ slug: z.string(), label: z.string(), isVideo: z.boolean() })),
  mark: z.enum(marks).nullable(),
  /** The preset that its settings were last taken from. */
  preset: z.string().nullable(),
  /** Where several images are made of one picture: its number in the batch; null where it is the only one. */
  picture: count.nullable(),
  /** Changes whenever a picture of this row may look different: part of the addresses of its thumbnails. */
  version: count,
})
export type ImageRecord = z.infer<typeof imageSchema>

/** Which images, and in which order. */
export const imageQuerySchema = z.object({
  batch: z.string(),
  /** Empty for all. */
  states: z.array(z.enum(imageStates)),
  marks: z.array(z.enum([...marks, 'none'])).default([]),
  /** Part of a title, a folder, an address, a run id or the preset of one among several; empty for all. */
  search: z.string().max(200).default(''),
  sort: z.enum(['queue', 'title', 'state', 'credits', 'time']).default('queue'),
  descending: z.boolean().default(false),
})
export type ImageQuery = z.input<typeof imageQuerySchema>

/** Images that a command is for: named ones, or all that a query finds. */
export const targetSchema = z.union([
  z.object({ ids: z.array(imageId).max(100_000) }),
  z.object({ query: imageQuerySchema }),
])
export type Target = z.input<typeof targetSchema>

const attemptSchema = z.object({
  at: time,
  /** What became of it, in words. */
  outcome: z.string(),
  runId: z.string().nullable(),
  credits: z.number().nullable(),
})

const outputSchema = z.object({
  slug: z.string(),
  label: z.string(),
  /** Relative to the output folder. */
  path: z.string(),
  bytes: z.number(),
  isVideo: z.boolean(),
  /** False where the file is not there any more. */
  present: z.boolean(),
})

/** Everything about one image, for the Details tab. */
export const imageDetailsSchema = z.object({
  image: imageSchema,
  batch: z.string(),
  /** The address, byte for byte as it is sent. */
  source: z.string(),
  /** What it was made of before a person chose another picture in its place; null where nobody did. */
  formerSource: z.string().nullable(),
  /** Why no other picture can be chosen in its place, as a sentence; null where one can. */
  pickRefusal: z.string().nullable(),
  recipe: recipeSchema,
  preset: z.string().nullable(),
  runId: z.string().nullable(),
  /** What happened, in plain words; null where nothing is wrong. */
  heading: z.string().nullable(),
  /** The service's own text. */
  error: z.string().nullable(),
  /** What a person can do about it, in words. */
  advice: z.string().nullable(),
  attempts: z.array(attemptSchema),
  outputs: z.array(outputSchema),
})
export type ImageDetails = z.infer<typeof imageDetailsSchema>

/** What running images once more would do and cost, by a name for carrying it out. */
export const retryPlanSchema = z.object({
  plan: z.string(),
  free: z.number().int(),
  paid: z.number().int(),
  alreadyCharged: z.number(),
  cost: creditRangeSchema.nullable(),
  extras: creditRangeSchema,
})

export const runRecordSchema = z.object({
  runId: z.string(),
  appId: z.string(),
  appTitle: z.string().nullable(),
  /** As the service wrote it. */
  status: z.string(),
  created: z.string(),
  completed: z.string().nullable(),
  credits: z.number().nullable(),
  error: z.string().nullable(),
  isVideo: z.boolean(),
  outputs: z.array(z.object({ slug: z.string(), label: z.string(), format: z.string().nullable() })),
  /** The image of this program that it belongs to; null for a run that was started elsewhere. */
  image: z.object({ id: imageId, batch: z.string(), title: z.string() }).nullable(),
})
export type RunRecord = z.infer<typeof runRecordSchema>

export const appSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  /** True for the apps whose settings are those of section 4.7. */
  isRetoucher: z.boolean(),
  /** Whatever the service says of its parameters (4.6: the shape is not shown). */
  parameters: z.unknown(),
})
export type AppRecord = z.infer<typeof appSchema>
