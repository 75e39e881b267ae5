import { z } from 'zod'
import { metadataChoices } from '../metadata.ts'
import { balanceSchema, creditRangeSchema, recipeSchema } from './records.ts'

/** What a person drops or pastes, what was found in it, and what a batch of it would be. */

const count = z.number().int().nonnegative()

export const sourceSchema = z.discriminatedUnion('kind', [
  /** What a shell has taken in: paths that it resolved, or files that a page has sent. Never a path from the page. */
  z.object({ kind: z.literal('drop'), drop: z.string().max(100) }),
  /** Pasted or dropped text with addresses in it. */
  z.object({ kind: z.literal('text'), text: z.string().max(64 * 1024 * 1024), shown: z.string().max(200) }),
  /** The sample shoot of the practice service. */
  z.object({ kind: z.literal('samples') }),
])

export const problemSchema = z.object({
  /** Its number in the draft, for `repairs`. */
  index: count,
  file: z.string(),
  line: z.number().nullable(),
  text: z.string().nullable(),
  reason: z.string(),
  /** A safe repair with one click, such as "Use https"; null where there is none. */
  repair: z.string().nullable(),
})
export type ProblemRecord = z.infer<typeof problemSchema>

/** What was found; the images themselves stay with the engine. */
export const foundSchema = z.object({
  draft: z.string(),
  images: count,
  /** Folders with images directly in them, in order; '' is the top. At most 5,000. */
  folders: z.array(z.object({ folder: z.string(), images: count })),
  listsRead: count,
  /** At most 200 of them. */
  duplicates: z.array(z.object({ url: z.string(), first: z.string() })),
  duplicateCount: count,
  /** At most 200 of them. */
  problems: z.array(problemSchema),
  problemCount: count,
  notes: z.array(z.string()),
  /** Pictures that lie on this computer, which the service cannot read. */
  localPictures: count,
  /** What to tell about them; null where there are none. */
  localPicturesSentence: z.string().nullable(),
  /** Of the images: pictures of this computer that are uploaded, and those whose folder is on the web already. */
  ownPictures: z.object({ uploads: count, bytes: count, published: count }),
  /** What to tell where nothing was found; null where something was. */
  nothing: z.string().nullable(),
  /** True where a person stopped the reading. */
  stopped: z.boolean(),
  /** A name for the batch, from what was dropped. */
  suggestedName: z.string(),
})
export type FoundRecord = z.infer<typeof foundSchema>

export const readEventSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('progress'),
    files: count,
    images: count,
    duplicates: count,
    problems: count,
    /** The file being read, as a person would name it. */
    current: z.string(),
  }),
  z.object({ kind: z.literal('found'), found: foundSchema }),
])

/** Presets of one batch at the most. */
export const mostPresets = 8

/** Everything that a person chooses before Start. */
export const draftChoiceSchema = z.object({
  draft: z.string(),
  /** Folders that are left out. */
  without: z.array(z.string()).default([]),
  /** Numbers of problems whose repair is taken. */
  repairs: z.array(count).default([]),
  includeDuplicates: z.boolean().default(false),
  /** Add to this batch instead of making one: its folder, names and budget then hold. */
  addTo: z.string().nullable().default(null),
  name: z.string().trim().max(120),
  preset: z.string().nullable(),
  recipe: recipeSchema,
  /** Further presets: each picture is made with them too, once with each. */
  others: z
    .array(z.object({ preset: z.string().max(80), recipe: recipeSchema }))
    .max(mostPresets - 1)
    .default([]),
  outDir: z.string().max(4096),
  nameTemplate: z.string().max(300),
  onConflict: z.enum(['rename', 'skip', 'overwrite']),
  /** What is written into the files; what preferences say where it is left out. */
  metadata: z.enum(metadataChoices).optional(),
  /** Credits; null for none. */
  budget: z.number().int().nonnegative().nullable(),
  /** Do not skip what was already delivered with these settings into this folder. */
  again: z.boolean().default(false),
  /** Submit this many pictures first, with every preset, and hold the rest; null to submit all. */
  test: z.number().int().min(1).max(100).nullable(),
})
export type DraftChoice = z.input<typeof draftChoiceSchema>

/** What Start would do, and cost. Start takes this very estimate, so that what was shown is what is begun. */
export const estimateSchema = z.object({
  estimate: z.string(),
  /** Pictures that are taken; each gives an image for every preset. */
  pictures: count,
  images: count,
  toSubmit: count,
  held: count,
  /** Already delivered with these settings into this folder. */
  skipped: count,
  /** Already under way in another batch, which is gone on with. */
  elsewhere: count,
  pricePerImage: creditRangeSchema.nullable(),
  extras: creditRangeSchema,
  /** What each preset comes to, in their order; those that would send the same as an earlier one are left out. */
  presets: z.array(
    z.object({
      preset: z.string().nullable(),
      /** Of `toSubmit` and `held`. */
      images: count,
      pricePerImage: creditRangeSchema.nullable(),
      extras: creditRangeSchema,
    }),
  ),
  /** Total over `toSubmit` and `held`; null while the base price is unknown. */
  cost: creditRangeSchema.nullable(),
  balance: balanceSchema.nullable(),
  /** How many of `toSubmit` the balance covers, after what other batches still need; null while unknown. */
  covers: count.nullable(),
  /** What the balance will be after everything queued; null while unknown. */
  balanceAfter: z.number().nullable(),
  /** The template as it is used: with `{preset}` where several presets need it. */
  nameTemplate: z.string(),
  /** Names of the outputs of the first picture; with several presets one of each. */
  examples: z.array(z.object({ label: z.string(), path: z.string() })),
  /** Outputs whose names would collide within the batch: they are numbered. */
  collisions: count,
  /** Why the output folder or the template cannot be used; null where they can. */
  outDirTrouble: z.string().nullable(),
  templateTrouble: z.string().nullable(),
  /** Bytes free where the outputs go; null where that is not known. */
  diskFree: z.number().nullable(),
  /** What does not come about as it was chosen, in words: settings that are not sent, metadata that cannot be written. */
  words: z.array(z.string()),
})
export type EstimateRecord = z.infer<typeof estimateSchema>
