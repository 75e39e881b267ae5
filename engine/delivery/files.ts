/**
 * The file system as delivery sees it, small enough to be wrapped by a test that fails or ends at any call. Paths are
 * absolute. Errors are Node's own (`code`).
 */
export interface Files {
  /** Creates a file that must not exist (O_EXCL) and opens it for writing. */
  readonly create: (path: string) => Promise<OpenFile>
  /** Bytes of a file from `offset`, at most `length`; fewer at its end. */
  readonly slice: (path: string, offset: number, length: number) => Promise<Uint8Array>
  /** The bytes of a file in order. */
  readonly read: (path: string) => AsyncIterable<Uint8Array>
  /** What stands at the path (a link is not followed); undefined where nothing does. */
  readonly stat: (path: string) => Promise<FileFacts | undefined>
  readonly list: (folder: string) => Promise<string[]>
  /** Creates one folder whose parent exists; no error where it is there already. */
  readonly makeFolder: (folder: string) => Promise<void>
  readonly realpath: (path: string) => Promise<string>
  /** A second name for a file; fails where the name is taken (EEXIST). */
  readonly link: (from: string, to: string) => Promise<void>
  /** Replaces what has the name. */
  readonly rename: (from: string, to: string) => Promise<void>
  /** No error where it is gone already. */
  readonly remove: (path: string) => Promise<void>
  /** Makes names in a folder durable; nothing where the system has no such thing (Windows). */
  readonly syncFolder: (folder: string) => Promise<void>
}

export interface OpenFile {
  /** Appends all of the chunks; after an error the file is of no use. */
  readonly write: (chunks: readonly Uint8Array[]) => Promise<void>
  /** Empties the file, to begin again. */
  readonly restart: () => Promise<void>
  /** Makes the contents durable. */
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'other'
  readonly bytes: number
  /** Last change, in ms since the epoch. */
  readonly changed: number
}
