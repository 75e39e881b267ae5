import { z } from 'zod'

/**
 * How pictures of this computer reach the service, which reads pictures from the web only: by the address under which
 * their folder is already published, or through an S3-compatible storage. Never a key: those are in the vault.
 */

/** A folder that is on the web already. */
export const publishedFolderSchema = z.object({
  /** Absolute path on this computer. */
  folder: z.string().min(1).max(4000),
  /** Address of the folder itself; ends in a slash. */
  address: z.string().min(1).max(2000),
})
export type PublishedFolder = z.infer<typeof publishedFolderSchema>

/** What is done to a picture before it is uploaded. */
export const conversionSchema = z.object({
  format: z.enum(['jpeg', 'png']),
  /** Pixels of the longest side at most; null to leave the size alone. */
  longestSide: z.number().int().min(256).max(30_000).nullable(),
})
export type Conversion = z.infer<typeof conversionSchema>

/** An S3-compatible storage: AWS S3, Cloudflare R2, Backblaze B2, MinIO and the like. */
export const storageSchema = z.object({
  /** Address without bucket or path. */
  endpoint: z.string().min(1).max(500),
  region: z.string().min(1).max(100),
  bucket: z.string().min(1).max(255),
  /** Before the names of all objects; '' or ends in a slash. */
  prefix: z.string().max(500),
  /** The bucket stands in the path and not in the host. */
  pathStyle: z.boolean(),
  /** Objects stay when their runs are done. */
  keep: z.boolean(),
  conversion: conversionSchema.nullable(),
})
export type Storage = z.infer<typeof storageSchema>

export const ownFilesSchema = z.object({
  published: publishedFolderSchema.nullable(),
  storage: storageSchema.nullable(),
})
export type OwnFiles = z.infer<typeof ownFilesSchema>

export const noOwnFiles: OwnFiles = { published: null, storage: null }
