import { z } from 'zod'
import { ownFilesSchema, publishedFolderSchema, storageSchema } from '../own-files.ts'
import { call, stream } from '../rpc/contract.ts'

/** How pictures of this computer reach the service, as an interface sees it: never a key. */

const done = z.object({})

export const ownFilesRecordSchema = ownFilesSchema.extend({
  /** Whether keys of the storage are at hand. */
  keysKnown: z.boolean(),
  /** Bytes that are on their way to the storage, of how many; null where none are. */
  uploading: z.object({ done: z.number(), total: z.number() }).nullable(),
  /** Why pictures of this computer wait just now; null where they do not. */
  trouble: z.string().nullable(),
})
export type OwnFilesRecord = z.infer<typeof ownFilesRecordSchema>

export const ownFileGroup = {
  watch: stream(z.object({}), ownFilesRecordSchema),
  /** Sets up a folder that is on the web already. */
  setPublished: call(publishedFolderSchema, done),
  /**
   * Sets up a storage once it was seen to work: an object is written, read through a signed link and removed. Without
   * keys those that are kept stay, for the same endpoint and bucket alone. `unprotected`: keep keys in clear where the
   * system has no key store.
   */
  setStorage: call(
    z.object({
      storage: storageSchema,
      keys: z
        .object({ accessKey: z.string().min(1).max(512), secretKey: z.string().min(1).max(512) })
        .nullable(),
      unprotected: z.boolean(),
    }),
    /** `kept`: whether the next start will know the keys. */
    z.object({ kept: z.boolean() }),
  ),
  /** Tries what is set up; the sentence says what was found. */
  check: call(
    z.object({ kind: z.enum(['published', 'storage']) }),
    z.object({ ok: z.boolean(), sentence: z.string() }),
  ),
  /** Gives one up; of the storage, its keys too. What was uploaded and kept stays. */
  remove: call(z.object({ kind: z.enum(['published', 'storage']) }), done),
} as const
