import type { Statements } from './database.ts'
import type { ImageState } from '../../shared/states.ts'
import { imageStates } from '../../shared/states.ts'
import type { Batch, BatchState } from './rows.ts'

const columns = `seq, id, connection_id AS connectionId, created, state, stop_reason AS stopReason, out_dir AS outDir,
  preset, name_template AS nameTemplate, on_conflict AS onConflict, webhook_url AS webhookUrl, budget,
  in_flight AS inFlight, charged`

export type NewBatch = Omit<Batch, 'seq' | 'state' | 'stopReason' | 'charged'>

/** Images of a batch by state; every state is present. */
export type Counts = Readonly<Record<ImageState, number>>

/** The batches of a store. Ids are what a person types; `seq` orders them. */
export class BatchTable {
  readonly #db: Statements
  constructor(db: Statements) {
    this.#db = db
  }

  add(batch: NewBatch): Batch {
    this.#db
      .prepare(
        `INSERT INTO batch (id, connection_id, created, state, out_dir, preset, name_template, on_conflict,
           webhook_url, budget, in_flight)
         VALUES (@id, @connectionId, @created, 'running', @outDir, @preset, @nameTemplate, @onConflict,
           @webhookUrl, @budget, @inFlight)`,
      )
      .run(batch)
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

  /** Batches of a connection that somebody wants worked on, in queue order. */
  running(connectionId: number): Batch[] {
    return this.#db
      .prepare<[number], Batch>(
        `SELECT ${columns} FROM batch WHERE connection_id = ? AND state = 'running' ORDER BY seq`,
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
    this.#db.prepare('UPDATE batch SET state = ?, stop_reason = ? WHERE seq = ?').run(state, stopReason, seq)
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
