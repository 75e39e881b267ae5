import type { Statements } from './database.ts'

/** A picture of this computer, known by its content. */
export interface OwnPicture {
  /** SHA-256 of the file, hexadecimal. */
  readonly content: string
  /** Where it was seen last; absolute. */
  readonly path: string
  readonly bytes: number
  /** Milliseconds since the epoch. */
  readonly modified: number
}

/** A part of an upload that the storage has confirmed. */
export interface UploadedPart {
  readonly number: number
  readonly etag: string
}

/** A file of ours in a storage, or on its way there. */
export interface Upload {
  /** Which storage: endpoint and bucket. */
  readonly target: string
  /** Name of the object. */
  readonly key: string
  /** Content of the picture that it was made of. */
  readonly content: string
  /** Of the object; a converted picture is smaller than its file. */
  readonly bytes: number
  readonly state: 'sending' | 'there'
  /** The storage's name of an upload in parts; null for one that goes in one piece. */
  readonly uploadId: string | null
  readonly partBytes: number
  /** In order. */
  readonly parts: readonly UploadedPart[]
}

type StoredUpload = Omit<Upload, 'parts'> & { readonly parts: string }

const pictureColumns = 'content, path, bytes, modified'
const uploadColumns = `target, key, content, bytes, state, upload_id AS uploadId, part_bytes AS partBytes, parts`
/** As the partial indexes say it, word for word: lists of addresses are never looked through. */
const ownSource = `source >= 'local:' AND source < 'local;'`
/** States in which the service may still fetch the picture, or will be asked to. */
const needing = `state IN ('waiting', 'submitting', 'running', 'review')`

/** Pictures of this computer that are sent to the service, and what of them lies in a storage. */
export class OwnFileTable {
  readonly #db: Statements
  constructor(db: Statements) {
    this.#db = db
  }

  /** Notes where a picture is; of two files with the same content the one that was seen last counts. */
  note(picture: OwnPicture) {
    this.#db
      .prepare(
        `INSERT INTO own_picture (${pictureColumns}) VALUES (@content, @path, @bytes, @modified)
         ON CONFLICT (content) DO UPDATE SET path = @path, bytes = @bytes, modified = @modified`,
      )
      .run(picture)
  }

  picture(content: string): OwnPicture | undefined {
    return this.#db
      .prepare<[string], OwnPicture>(`SELECT ${pictureColumns} FROM own_picture WHERE content = ?`)
      .get(content)
  }

  /** What a file holds, where it was read before and has not changed since by size and time. */
  contentOf({ path, bytes, modified }: Omit<OwnPicture, 'content'>): string | undefined {
    return this.#db
      .prepare<[string, number, number], string>(
        'SELECT content FROM own_picture WHERE path = ? AND bytes = ? AND modified = ?',
      )
      .pluck()
      .get(path, bytes, modified)
  }

  /** Sources of images that are sent next, each once, in the order of these batches; at most `limit`. */
  wanted(batchSeqs: readonly number[], limit: number): string[] {
    const next = this.#db
      .prepare<[number, number], string>(
        `SELECT source FROM image INDEXED BY image_own_next WHERE batch_seq = ? AND state = 'waiting' AND ${ownSource}
         ORDER BY urgency DESC, position LIMIT ?`,
      )
      .pluck()
    const sources = new Set<string>()
    for (const seq of batchSeqs) {
      for (const source of next.all(seq, limit)) if (sources.size < limit) sources.add(source)
      if (sources.size >= limit) break
    }
    return [...sources]
  }

  /** Images that wait to be sent with this source. */
  waiting(source: string): { readonly id: number; readonly batchSeq: number }[] {
    return this.#db
      .prepare<[string], { id: number; batchSeq: number }>(
        `SELECT id, batch_seq AS batchSeq FROM image WHERE source = ? AND ${ownSource} AND state = 'waiting'`,
      )
      .all(source)
  }

  /** Whether the service may still fetch this picture, or will be asked to. */
  isNeeded(source: string): boolean {
    const found = this.#db
      .prepare(`SELECT 1 FROM image WHERE source = ? AND ${ownSource} AND ${needing} LIMIT 1`)
      .get(source)
    return found !== undefined
  }

  upload(target: string, key: string): Upload | undefined {
    const row = this.#db
      .prepare<[string, string], StoredUpload>(
        `SELECT ${uploadColumns} FROM own_upload WHERE target = ? AND key = ?`,
      )
      .get(target, key)
    return row && uploadOf(row)
  }

  /** What lies in a storage, or is on its way there, and is not to be kept there. */
  passing(target: string): Upload[] {
    return this.#db
      .prepare<[string], StoredUpload>(
        `SELECT ${uploadColumns} FROM own_upload WHERE target = ? AND kept = 0`,
      )
      .all(target)
      .map(uploadOf)
  }

  /** Records an upload as it is now. @param kept true where it stays in the storage when its runs are done */
  setUpload(upload: Upload, kept: boolean) {
    this.#db
      .prepare(
        `INSERT OR REPLACE INTO own_upload (target, key, content, bytes, state, upload_id, part_bytes, parts, kept)
         VALUES (@target, @key, @content, @bytes, @state, @uploadId, @partBytes, @parts, @kept)`,
      )
      .run({ ...upload, parts: JSON.stringify(upload.parts), kept: kept ? 1 : 0 })
  }

  forgetUpload({ target, key }: Pick<Upload, 'target' | 'key'>) {
    this.#db.prepare('DELETE FROM own_upload WHERE target = ? AND key = ?').run(target, key)
  }
}

function uploadOf(row: StoredUpload): Upload {
  return { ...row, parts: JSON.parse(row.parts) as UploadedPart[] }
}
