import { z } from 'zod'

/**
 * How a page hands over files where it has no paths (a browser tab): one `POST` to `dropPath` as multipart form data,
 * with a field `names` (JSON, an array of relative paths with forward slashes) and one field `file` for each of them,
 * in the same order. A picture of this computer may be sent as an empty file: only its name counts.
 */
export const dropPath = 'drops'

/** What one drop may hold; a shell refuses more with a sentence. */
export const dropLimits = { bytes: 64 * 1024 * 1024, files: 20_000 } as const

/** Answer of a drop: its id, for a source of the kind `drop`. */
export const dropAnswerSchema = z.object({ drop: z.string() })

/** Answer of whatever was refused: one sentence for a person. */
export const refusalSchema = z.object({ message: z.string() })
