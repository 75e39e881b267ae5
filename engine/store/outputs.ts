import type { Statements } from './database.ts'
import type { Output } from './rows.ts'

const columns = 'image_id AS imageId, slug, position, label, path, part, bytes, sha256, state'

/** The files of delivered runs: recorded with size and hash before they get their name, so that a crash between the two is decidable. */
export class OutputTable {
  readonly #db: Statements
  constructor(db: Statements) {
    this.#db = db
  }

  /** Records an output that is whole in `part` and is about to be placed at `path`. `folded` finds name clashes. */
  name(output: Omit<Output, 'state'>, folded: string) {
    this.#db
      .prepare(
        `INSERT INTO output (image_id, slug, position, label, path, folded, part, bytes, sha256, state)
         VALUES (@imageId, @slug, @position, @label, @path, @folded, @part, @bytes, @sha256, 'named')
         ON CONFLICT (image_id, slug) DO UPDATE SET position = excluded.position, label = excluded.label,
           path = excluded.path, folded = excluded.folded, part = excluded.part, bytes = excluded.bytes,
           sha256 = excluded.sha256, state = 'named'`,
      )
      .run({ ...output, folded })
  }

  placed(imageId: number, slug: string) {
    this.#db
      .prepare("UPDATE output SET state = 'placed', part = NULL WHERE image_id = ? AND slug = ?")
      .run(imageId, slug)
  }

  /** Forgets outputs of an image that are to be fetched again. */
  forget(imageId: number, slug?: string) {
    this.#db
      .prepare('DELETE FROM output WHERE image_id = @imageId AND (@slug IS NULL OR slug = @slug)')
      .run({ imageId, slug: slug ?? null })
  }

  ofImage(imageId: number): Output[] {
    return this.#db
      .prepare<[number], Output>(`SELECT ${columns} FROM output WHERE image_id = ? ORDER BY position`)
      .all(imageId)
  }

  /** The image that claimed this name last, if any. */
  owner(folded: string): { imageId: number; batchSeq: number } | undefined {
    return this.#db
      .prepare<[string], { imageId: number; batchSeq: number }>(
        `SELECT o.image_id AS imageId, i.batch_seq AS batchSeq FROM output o JOIN image i ON i.id = o.image_id
         WHERE o.folded = ? ORDER BY o.image_id DESC LIMIT 1`,
      )
      .get(folded)
  }

  /** Temporary files that recorded outputs still need. */
  parts(batchSeq: number): string[] {
    return this.#db
      .prepare<[number], { part: string }>(
        `SELECT o.part FROM output o JOIN image i ON i.id = o.image_id
         WHERE i.batch_seq = ? AND o.state = 'named' AND o.part IS NOT NULL`,
      )
      .all(batchSeq)
      .map((row) => row.part)
  }
}
