import { z } from 'zod'
import { languageChoices } from '../language/choice.ts'
import { metadataChoices } from '../metadata.ts'

/** What a person has set once and for all. */
export const preferencesSchema = z.object({
  /** Where outputs of a new batch go; a folder of the batch's name is made in it. */
  outDir: z.string(),
  nameTemplate: z.string(),
  onConflict: z.enum(['rename', 'skip', 'overwrite']),
  /** What is written into the files of a new batch beside their pixels. */
  metadata: z.enum(metadataChoices),
  /** A cap on runs in flight over all batches; null to find it by itself. */
  inFlight: z.number().int().min(1).max(1000).nullable(),
  /** Fewer requests for a longer wait. */
  frugal: z.boolean(),
  webhookUrl: z.string().nullable(),
  /** Port of this computer's loopback at which a tunnel brings the service's notices; null where nobody listens. */
  webhookPort: z.number().int().min(1).max(65_535).nullable(),
  /** Seconds that a submission without an answer must stay absent from the list before it may be sent again. */
  settleSeconds: z.number().min(30).max(3600),
  /** Fetch small pictures of sources for the rows in view. */
  thumbnails: z.boolean(),
  notifyFinished: z.boolean(),
  notifyStopped: z.boolean(),
  theme: z.enum(['dark', 'light', 'system']),
  language: z.enum(languageChoices),
  surround: z.enum(['black', 'dark', 'grey', 'white']),
  /** Single letters as shortcuts (WCAG 2.1.4). */
  letterKeys: z.boolean(),
  keepZoom: z.boolean(),
  /** Which versions of the installed program are offered. */
  updateChannel: z.enum(['stable', 'beta']),
  recentColors: z.array(z.string()).max(12),
})
export type PreferencesRecord = z.infer<typeof preferencesSchema>

export const preferencesPatchSchema = preferencesSchema.partial()
