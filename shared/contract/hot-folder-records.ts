import { z } from 'zod'
import { call, stream } from '../rpc/contract.ts'

/** Folders that are watched: lists and shortcuts that settle in them become batches by themselves. */

const done = z.object({})
const one = z.object({ id: z.number().int() })

export const hotFolderSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  path: z.string(),
  preset: z.string(),
  outDir: z.string(),
  /** Credits a calendar day of this computer; null without a budget. */
  budget: z.number().nullable(),
  /** Lists whose batch is done are moved to the folder `Done` in it. */
  moveDone: z.boolean(),
  /** It is looked at from time to time, for drives that tell of no changes. */
  polling: z.boolean(),
  /** `elsewhere`: it belongs to a connection that is not the active one. */
  state: z.enum(['watching', 'paused', 'elsewhere']),
  /** Why it makes no batches just now; null where it does. */
  trouble: z.string().nullable(),
  /** Images that were taken today. */
  imagesToday: z.number().int(),
  /** Credits that were charged today for its images. */
  chargedToday: z.number(),
  /** What to say of pictures that lie in it; null where there are none. */
  pictures: z.string().nullable(),
})
export type HotFolderRecord = z.infer<typeof hotFolderSchema>

const choices = {
  name: z.string().trim().max(80),
  preset: z.string().min(1).max(80),
  outDir: z.string().max(4096),
  budget: z.number().int().nonnegative().nullable(),
  moveDone: z.boolean(),
  polling: z.boolean(),
}

export const hotFolderGroup = {
  watch: stream(z.object({}), z.object({ folders: z.array(hotFolderSchema) })),
  /** Begins to watch a folder for the active connection. `takeExisting`: what lies in it already is taken too. */
  add: call(z.object({ ...choices, path: z.string().min(1).max(4096), takeExisting: z.boolean() }), one),
  change: call(one.extend(z.object(choices).partial().shape), done),
  setPaused: call(one.extend({ paused: z.boolean() }), done),
  /** Watches it no more; its files and batches stay. */
  remove: call(one, done),
} as const
