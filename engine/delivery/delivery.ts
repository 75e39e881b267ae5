import type { OnBytes } from './fetch-part.ts'
import type { OnConflict } from './names.ts'

/**
 * From a signed link to a whole file under its name, in the steps of docs/reliability.md, promise 2:
 * `fetchToPart` → `settleName` → (the caller records path, size and hash) → `placePart` → (the caller records it as
 * placed). The output folder itself has to exist: it is not created here, for on a drive that was taken out it would
 * come into being on another disk. After a crash `recoverPlacement` goes on from what was recorded. Every method rejects with DeliveryError.
 */
export interface Delivery {
  /**
   * Downloads to a hidden temporary file in the folder of the final name, checks length, decodes the picture to its
   * end, flushes. On an error the part is removed. A broken download goes on where it stopped, within this call,
   * where the host's strong ETag allows it.
   */
  fetchToPart(request: FetchRequest): Promise<FetchedPart>
  /**
   * Makes a temporary file of what is at hand, flushed as a download is; a picture is decoded to its end too. On an error
   * the part is removed.
   */
  writePart(request: WriteRequest): Promise<WrittenPart>
  /** Finds the name under which a part may be placed; looks at the folder, changes nothing. */
  settleName(request: NameRequest): Promise<SettledName>
  /** Whether anything stands at a path below the output folder; false where that cannot be found out. */
  exists(outDir: string, relative: string): Promise<boolean>
  /**
   * Gives the part its name and flushes the folder. Without `replace` nothing is ever replaced: 'name-taken' says
   * that another file came between, and the name has to be settled again.
   */
  placePart(placement: Placement): Promise<'placed' | 'name-taken'>
  /**
   * After a crash, for an output that was recorded but not known to be placed. 'placed': it stands whole under its
   * name now, no network needed. 'name-taken': the part is whole, but the name went to another file. 'fetch-again':
   * neither the part nor the file is whole.
   */
  recoverPlacement(placement: Placement): Promise<'placed' | 'name-taken' | 'fetch-again'>
  /** Removes a part that is not wanted any more ('already', 'skip', a name that is given up). */
  discardPart(part: string): Promise<void>
  /**
   * Removes temporary files of this data folder in a folder (not below it) except the `known` ones (absolute paths) and those
   * of downloads under way in this process; probes of any. Returns how many.
   */
  removeStaleParts(folder: string, known: ReadonlySet<string>): Promise<number>
}

export interface FetchRequest {
  readonly url: string
  /** Output folder of the batch (absolute) and the folder of the file below it, relative, with forward slashes. */
  readonly outDir: string
  readonly folder: string
  /** The run's `is_video` (2.1); what comes is judged by its bytes, both kinds pass. */
  readonly isVideo: boolean
  readonly signal?: AbortSignal
  /** Hears how far the download is, at every chunk. */
  readonly onBytes?: OnBytes
}

export interface FetchedPart {
  /** Absolute path of the temporary file. */
  readonly part: string
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
  /** Extension for what the bytes are, without a dot: jpg, png, … */
  readonly extension: string
  /** Pixels; undefined for videos. */
  readonly width?: number
  readonly height?: number
}

export interface WriteRequest {
  readonly outDir: string
  /** Below the output folder, with forward slashes. */
  readonly folder: string
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly picture: boolean
}

export type WrittenPart = Pick<FetchedPart, 'part' | 'bytes' | 'sha256'>

export interface NameRequest {
  readonly outDir: string
  /** Wanted path below `outDir`, with forward slashes (renderName). */
  readonly relative: string
  readonly onConflict: OnConflict
  readonly bytes: number
  readonly sha256: string
  /** True for a name (relative path) that another image's output has claimed and keeps. */
  readonly claimed: (relative: string) => boolean
}

export type SettledName =
  /** Free, or to be replaced on the person's word (`replace`). */
  | { readonly kind: 'free'; readonly relative: string; readonly path: string; readonly replace: boolean }
  /** This very file (size and hash) stands there already: it counts as placed, the part can go. */
  | { readonly kind: 'already'; readonly relative: string; readonly path: string }
  /** Another file has the name and the person chose to keep that one. */
  | { readonly kind: 'skip'; readonly relative: string; readonly path: string }

export interface Placement {
  readonly outDir: string
  /** Absolute path of the temporary file; null where it is known to be gone. */
  readonly part: string | null
  /** Final path below `outDir`, with forward slashes. */
  readonly relative: string
  readonly bytes: number
  readonly sha256: string
  readonly replace: boolean
}
