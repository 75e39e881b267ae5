import type { Statements } from './database.ts'

/** A watched folder with all that is needed to make batches of what is put in it. */
export interface HotFolder {
  readonly id: number
  readonly connectionId: number
  readonly name: string
  /** Absolute. */
  readonly path: string
  /** Name of a preset; its settings are taken at the moment when a batch is made. */
  readonly preset: string
  /** Absolute. */
  readonly outDir: string
  /** Credits a local calendar day; null without a budget. */
  readonly budget: number | null
  /** 1 where lists whose batch is done are moved to the folder `Done` in it. */
  readonly moveDone: number
  /** 1 where the file system tells of no changes (network drives): it is looked at from time to time. */
  readonly polling: number
  readonly paused: number
  readonly removed: number
  /** Milliseconds since the epoch. */
  readonly created: number
}

/** A hot folder as a person sets it up; flags are 1 or 0, as they are kept. */
export type NewHotFolder = Omit<HotFolder, 'id' | 'paused' | 'removed'>

/** What may be changed of a hot folder that is there. */
export type HotFolderPatch = Partial<
  Pick<HotFolder, 'name' | 'preset' | 'outDir' | 'budget' | 'moveDone' | 'polling' | 'paused'>
>

/** A file that was found in a hot folder, and what became of it. */
export interface HotFile {
  readonly hotFolderId: number
  /** Relative, with forward slashes. */
  readonly path: string
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly modified: number
  /** Hash of the content; of pictures, which are only named, size and time. */
  readonly content: string
  /**
   * `before`: it was there when the folder was set up. `nothing`: all its images are delivered or in another batch.
   * `picture`: the service cannot read it. `problem`: see `sentence`.
   */
  readonly outcome: 'before' | 'batch' | 'nothing' | 'problem' | 'picture'
  readonly sentence: string | null
  readonly batchSeq: number | null
  readonly images: number
  readonly at: number
}

const columns = `id, connection_id AS connectionId, name, path, preset, out_dir AS outDir, budget,
  move_done AS moveDone, polling, paused, removed, created`
const fileColumns = `hot_folder_id AS hotFolderId, path, size, modified, content, outcome, sentence,
  batch_seq AS batchSeq, images, at`

/** The hot folders of a store, and the durable record of what was taken from them: each content once. */
export class HotFolderTable {
  readonly #db: Statements
  constructor(db: Statements) {
    this.#db = db
  }

  /** Those that were not removed, in the order in which they were added. */
  all(): HotFolder[] {
    return this.#db
      .prepare<[], HotFolder>(`SELECT ${columns} FROM hot_folder WHERE removed = 0 ORDER BY created, id`)
      .all()
  }

  byId(id: number): HotFolder | undefined {
    return this.#db
      .prepare<[number], HotFolder>(`SELECT ${columns} FROM hot_folder WHERE id = ? AND removed = 0`)
      .get(id)
  }

  /** Adds one; the record of a removed one of the same path begins anew, its batches stay its own. */
  add(folder: NewHotFolder): HotFolder {
    // Read to its end: after `get` the commit comes with the reset, and nobody hears that it failed.
    const [row] = this.#db
      .prepare<[NewHotFolder], { id: number }>(
        `INSERT INTO hot_folder (connection_id, name, path, preset, out_dir, budget, move_done, polling, created)
         VALUES (@connectionId, @name, @path, @preset, @outDir, @budget, @moveDone, @polling, @created)
         ON CONFLICT (path) DO UPDATE SET connection_id = excluded.connection_id, name = excluded.name,
           preset = excluded.preset, out_dir = excluded.out_dir, budget = excluded.budget,
           move_done = excluded.move_done, polling = excluded.polling, created = excluded.created,
           paused = 0, removed = 0 WHERE removed = 1
         RETURNING id`,
      )
      .all(folder)
    const { id } = row!
    this.#db.prepare('DELETE FROM hot_file WHERE hot_folder_id = ? AND batch_seq IS NULL').run(id)
    return this.byId(id)!
  }

  change(id: number, patch: HotFolderPatch) {
    const folder = this.byId(id)
    if (!folder) return
    this.#db
      .prepare(
        `UPDATE hot_folder SET name = @name, preset = @preset, out_dir = @outDir, budget = @budget,
           move_done = @moveDone, polling = @polling, paused = @paused WHERE id = @id`,
      )
      .run({ ...folder, ...patch })
  }

  remove(id: number) {
    this.#db.prepare('UPDATE hot_folder SET removed = 1 WHERE id = ?').run(id)
  }

  /** Every file of a folder that is known. */
  files(id: number): HotFile[] {
    return this.#db
      .prepare<[number], HotFile>(`SELECT ${fileColumns} FROM hot_file WHERE hot_folder_id = ?`)
      .all(id)
  }

  fileOf(id: number, path: string, content: string): HotFile | undefined {
    return this.#db
      .prepare<[number, string, string], HotFile>(
        `SELECT ${fileColumns} FROM hot_file WHERE hot_folder_id = ? AND path = ? AND content = ?`,
      )
      .get(id, path, content)
  }

  /** Notes what became of a file. @throws a constraint error where this content was noted before */
  note(file: HotFile) {
    this.#db
      .prepare(
        `INSERT INTO hot_file (hot_folder_id, path, size, modified, content, outcome, sentence, batch_seq, images, at)
         VALUES (@hotFolderId, @path, @size, @modified, @content, @outcome, @sentence, @batchSeq, @images, @at)`,
      )
      .run(file)
  }

  /** A file with a content that is known was written again. */
  touch(file: Pick<HotFile, 'hotFolderId' | 'path' | 'content' | 'size' | 'modified'>) {
    this.#db
      .prepare(
        `UPDATE hot_file SET size = @size, modified = @modified
         WHERE hot_folder_id = @hotFolderId AND path = @path AND content = @content`,
      )
      .run(file)
  }

  /** Sequence numbers of the batches that a folder's files became, oldest first. */
  batches(id: number): number[] {
    return this.#db
      .prepare<[number], { seq: number }>(
        `SELECT DISTINCT batch_seq AS seq FROM hot_file WHERE hot_folder_id = ? AND batch_seq IS NOT NULL
         ORDER BY batch_seq`,
      )
      .all(id)
      .map(({ seq }) => seq)
  }

  /** How many pictures were found in a folder, which the service cannot read. */
  pictures(id: number): number {
    return this.#db
      .prepare<[number], { n: number }>(
        "SELECT count(DISTINCT path) AS n FROM hot_file WHERE hot_folder_id = ? AND outcome = 'picture'",
      )
      .get(id)!.n
  }

  /** Images that were taken from a folder since a moment. */
  imagesSince(id: number, since: number): number {
    return (
      this.#db
        .prepare<[number, number], { n: number | null }>(
          'SELECT sum(images) AS n FROM hot_file WHERE hot_folder_id = ? AND at >= ?',
        )
        .get(id, since)!.n ?? 0
    )
  }

  /** Credits that the folder's batches were charged for submissions begun since a moment. */
  chargedSince(id: number, since: number): number {
    return (
      this.#db
        .prepare<[{ id: number; since: number }], { n: number | null }>(
          `SELECT sum(credits) AS n FROM attempt WHERE intent_at >= @since AND batch_seq IN
             (SELECT batch_seq FROM hot_file WHERE hot_folder_id = @id AND batch_seq IS NOT NULL)`,
        )
        .get({ id, since })!.n ?? 0
    )
  }
}
