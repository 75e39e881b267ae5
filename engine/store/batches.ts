import type { Clock } from '../clock.ts'
import type { Statements } from './database.ts'
import type { MetadataChoice } from '../../shared/metadata.ts'
import type { ImageState } from '../../shared/states.ts'
import { imageStates } from '../../shared/states.ts'
import type { Batch, BatchState } from './rows.ts'

const columns = `seq, id, connection_id AS connectionId, created, state, stop_reason AS stopReason, out_dir AS outDir,
  preset, name_template AS nameTemplate, on_conflict AS onConflict, webhook_url AS webhookUrl, budget,
  in_flight AS inFlight, charged, name, finished, hidden, metadata`

export type NewBatch = Omit<
  Batch,
  'seq' | 'state' | 'stopReason' | 'charged' | 'name' | 'finished' | 'hidden' | 'metadata'
> & { readonly name?: string | null; readonly metadata?: MetadataChoice }

/** Images of a batch that wait with the same settings. */
export interface Pending {
  readonly recipeId: number
  readonly state: 'held' | 'waiting'
  readonly n: number
}

/** Images of a batch by state; every state is present. */
export type Counts = Readonly<Record<ImageState, number>>

/** The batches of a store. Ids are what a person types; `seq` orders them. */
export class BatchTable {
  readonly #db: Statements
  readonly #clock: Pick<Clock, 'now'>
  constructor(db: Statements, clock: Pick<Clock, 'now'>) {
    this.#db = db
    this.#clock = clock
  }

  add(batch: NewBatch): Batch {
    this.#db
      .prepare(
        `INSERT INTO batch (id, connection_id, created, state, out_dir, preset, name_template, on_conflict,
           webhook_url, budget, in_flight, name, metadata)
         VALUES (@id, @connectionId, @created, 'running', @outDir, @preset, @nameTemplate, @onConflict,
           @webhookUrl, @budget, @inFlight, @name, @metadata)`,
      )
      .run({ name: null, metadata: 'none', ...batch })
    return this.byId(batch.id)!
  }

  byId(id: string): Batch | undefined {
    return this.#db.prepare<[string], Batch>(`SELECT ${columns} FROM batch WHERE id = ?`).get(id)
  }

  bySeq(seq: number): Batch {
    return this.#db.prepare<[number], Batch>(`SELECT ${columns} FROM batch WHERE seq = ?`).get(seq)!
  }

  /** Every batch, oldest first. */
  all(): Batch[] {
    return this.#db.prepare<[], Batch>(`SELECT ${columns} FROM batch ORDER BY seq`).all()
  }

  /** Batches that were not taken out of the list, in queue order. */
  listed(): Batch[] {
    return this.#db
      .prepare<[], Batch>(`SELECT ${columns} FROM batch WHERE hidden = 0 ORDER BY coalesce(place, seq), seq`)
      .all()
  }

  /** Batches whose row changed after the given number; see `change`. */
  changedSince(change: number): Batch[] {
    return this.#db.prepare<[number], Batch>(`SELECT ${columns} FROM batch WHERE changed > ?`).all(change)
  }

  /** The newest change number of batch rows; images have their own. */
  change(): number {
    return this.#db.prepare<[], { value: number }>("SELECT value FROM meta WHERE key = 'batch-change'").get()!
      .value
  }

  /** Batches of a connection that somebody wants worked on, in queue order. */
  running(connectionId: number): Batch[] {
    return this.#db
      .prepare<[number], Batch>(
        `SELECT ${columns} FROM batch WHERE connection_id = ? AND state = 'running'
         ORDER BY coalesce(place, seq), seq`,
      )
      .all(connectionId)
  }

  /** Batches whose runs somebody waits for: running ones, and those that only send no more for now. */
  active(connectionId: number): Batch[] {
    return this.#db
      .prepare<[number], Batch>(
        `SELECT ${columns} FROM batch WHERE connection_id = ? AND state IN ('running', 'paused') ORDER BY seq`,
      )
      .all(connectionId)
  }

  /**
   * Batches with images that are neither settled nor held, oldest first; and those whose program ended before it
   * had closed them, because their manifest may lack the last lines.
   */
  unfinished(): Batch[] {
    return this.#db
      .prepare<[], Batch>(
        `SELECT ${columns} FROM batch b WHERE EXISTS (SELECT 1 FROM tally t WHERE t.batch_seq = b.seq AND t.n > 0
           AND t.state IN ('waiting', 'submitting', 'running', 'downloading'))
           OR state IN ('running', 'interrupted') ORDER BY seq`,
      )
      .all()
  }

  setState(seq: number, state: BatchState, stopReason: string | null = null) {
    const finished = state === 'finished' ? this.#clock.now() : null
    this.#db
      .prepare(
        `UPDATE batch SET state = @state, stop_reason = @stopReason,
           finished = CASE WHEN @finished IS NULL THEN NULL ELSE coalesce(finished, @finished) END,
           hidden = CASE WHEN @state = 'running' THEN 0 ELSE hidden END WHERE seq = @seq`,
      )
      .run({ seq, state, stopReason, finished })
  }

  rename(seq: number, name: string) {
    this.#db.prepare('UPDATE batch SET name = ? WHERE seq = ?').run(name, seq)
  }

  hide(seq: number) {
    this.#db.prepare('UPDATE batch SET hidden = 1 WHERE seq = ?').run(seq)
  }

  setOutDir(seq: number, outDir: string) {
    this.#db.prepare('UPDATE batch SET out_dir = ?, moved = 1 WHERE seq = ?').run(outDir, seq)
  }

  /** Gives all listed batches the order of these. */
  setOrder(seqs: readonly number[]) {
    const set = this.#db.prepare('UPDATE batch SET place = ? WHERE seq = ? AND place IS NOT ?')
    for (const [place, seq] of seqs.entries()) set.run(place, seq, place)
  }

  /** True where a person has stopped all sending. Kept over restarts. */
  get allPaused(): boolean {
    return (
      this.#db.prepare<[], { value: number }>("SELECT value FROM meta WHERE key = 'paused'").get()!.value ===
      1
    )
  }

  set allPaused(paused: boolean) {
    this.#db.prepare("UPDATE meta SET value = ? WHERE key = 'paused'").run(paused ? 1 : 0)
  }

  /** What still waits in a batch, by settings. */
  pending(seq: number): Pending[] {
    return this.#db
      .prepare<[number], Pending>(
        'SELECT recipe_id AS recipeId, state, n FROM pending WHERE batch_seq = ? AND n > 0',
      )
      .all(seq)
  }

  /** Images of a batch that were delivered or failed since a moment. */
  settledSince(seq: number, since: number): number {
    return this.#db
      .prepare<[number, number], { n: number }>(
        'SELECT count(*) AS n FROM image WHERE batch_seq = ? AND settled > ?',
      )
      .get(seq, since)!.n
  }

  /** Records that settings of images were changed; `what` is JSON. */
  recordEdit(seq: number, images: number, what: string) {
    this.#db
      .prepare('INSERT INTO edit (batch_seq, at, images, what) VALUES (?, ?, ?, ?)')
      .run(seq, this.#clock.now(), images, what)
  }

  setConnection(seq: number, connectionId: number) {
    this.#db.prepare('UPDATE batch SET connection_id = ? WHERE seq = ?').run(connectionId, seq)
  }

  setBudget(seq: number, budget: number | null) {
    this.#db.prepare('UPDATE batch SET budget = ? WHERE seq = ?').run(budget, seq)
  }

  /** Batches whose program ended while they ran become `interrupted`; `keep` is the caller's own. */
  interruptAbandoned(keep: readonly number[]) {
    for (const batch of this.all()) {
      if (batch.state === 'running' && !keep.includes(batch.seq)) this.setState(batch.seq, 'interrupted')
    }
  }

  counts(seq: number): Counts {
    const rows = this.#db
      .prepare<[number], { state: ImageState; n: number }>('SELECT state, n FROM tally WHERE batch_seq = ?')
      .all(seq)
    const counts = Object.fromEntries(imageStates.map((state) => [state, 0])) as Record<ImageState, number>
    for (const row of rows) counts[row.state] = row.n
    return counts
  }
}
