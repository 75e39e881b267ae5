import { z } from 'zod'

const offered = { version: z.string(), notes: z.string() }

/** How an update of the program stands. `notes` is plain text of several lines, whatever whoever publishes has written. */
export const updateSchema = z.discriminatedUnion('kind', [
  /** Nothing is ever asked: whoever has built this program names no feed, or the system's package manager sees to it. */
  z.object({ kind: z.literal('no-feed'), byPackageManager: z.boolean() }),
  /** `checked`: when the feed was last heard, in milliseconds since the epoch; null before the first time. */
  z.object({ kind: z.literal('current'), checked: z.number().nullable() }),
  z.object({ kind: z.literal('checking') }),
  /** It is fetched as soon as nothing is sent or fetched, or when a person says so. */
  z.object({ kind: z.literal('available'), ...offered }),
  z.object({ kind: z.literal('downloading'), ...offered, percent: z.number().min(0).max(100) }),
  /** It is installed when the program ends. */
  z.object({ kind: z.literal('ready'), ...offered }),
  z.object({ kind: z.literal('failed'), sentence: z.string() }),
])
export type UpdateRecord = z.infer<typeof updateSchema>

export const updateActs = ['check', 'download', 'install'] as const
