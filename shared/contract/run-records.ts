import { z } from 'zod'
import { call, stream } from '../rpc/contract.ts'
import { runRecordSchema } from './records.ts'

/** The runs that the service lists, also those that were started elsewhere. */
export const runGroup = {
  /** The service's own runs, newest first (interface, 4.3). */
  list: call(
    z.object({
      page: z.number().int().min(1),
      limit: z.number().int().min(1).max(50),
      status: z.enum(['IN_QUEUE', 'IN_PROGRESS', 'SUCCESS', 'FAILED']).nullable(),
    }),
    z.object({ runs: z.array(runRecordSchema), total: z.number().nullable(), hasMore: z.boolean() }),
  ),
  show: call(z.object({ runId: z.string() }), runRecordSchema),
  /** Fetches the outputs of runs into a folder; one item for each file, and the last says `done`. */
  download: stream(
    z.object({ runIds: z.array(z.string()).min(1).max(500), outDir: z.string().max(4096) }),
    z.object({
      files: z.number().int(),
      bytes: z.number(),
      /** Files that were written, relative to the folder. */
      written: z.array(z.string()),
      problems: z.array(z.string()),
      done: z.boolean(),
    }),
  ),
} as const
