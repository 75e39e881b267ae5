import { attemptTransitions, imageStates, type AttemptState } from '../../shared/states.ts'
import type { Statements } from './database.ts'
import { checksumOf, damaged, verified, type StoredAttempt } from './ledger-checksum.ts'
import type { Attempt, Candidate } from './rows.ts'
import { say } from '../../shared/language/say.ts'

const columns = `id, image_id AS imageId, batch_seq AS batchSeq, connection_id AS connectionId, app_id AS appId,
  price_min AS priceMin, price_max AS priceMax, state, run_id AS runId, run_status AS runStatus, credits,
  sent_from AS sentFrom, sent_to AS sentTo, closed_to AS closedTo, total_before AS totalBefore,
  watermark_created AS watermarkCreated, http_status AS httpStatus, detail, intent_at AS intentAt,
  settled_at AS settledAt, checksum`

export type NewAttempt = Pick<
  Attempt,
  | 'imageId'
  | 'batchSeq'
  | 'connectionId'
  | 'appId'
  | 'priceMin'
  | 'priceMax'
  | 'totalBefore'
  | 'watermarkCreated'
  | 'intentAt'
>

/** What may change with an attempt's state. */
export type AttemptPatch = Partial<
  Pick<
    Attempt,
    | 'runId'
    | 'sentFrom'
    | 'sentTo'
    | 'closedTo'
    | 'totalBefore'
    | 'watermarkCreated'
    | 'httpStatus'
    | 'detail'
    | 'settledAt'
  >
>

/**
 * The charging ledger: one row per submission attempt (docs/reliability.md, promise 1). The database itself enforces one live
 * attempt per image, one submission in the act of being sent per connection, and one attempt per run id. Rows carry
 * a checksum of their own, because SQLite has none of their content.
 */
export class Ledger {
  readonly #db: Statements
  constructor(db: Statements) {
    this.#db = db
  }

  /** Records the intent to submit; the caller has moved the image to `submitting` in the same transaction. */
  intend(attempt: NewAttempt): Attempt {
    const row: Omit<Attempt, 'id'> = {
      ...attempt,
      state: 'intent',
      runId: null,
      runStatus: null,
      credits: 0,
      sentFrom: null,
      sentTo: null,
      closedTo: null,
      httpStatus: null,
      detail: null,
      settledAt: null,
    }
    const { lastInsertRowid } = this.#db
      .prepare(
        `INSERT INTO attempt (image_id, batch_seq, connection_id, app_id, price_min, price_max, state, total_before,
           watermark_created, intent_at, checksum)
         VALUES (@imageId, @batchSeq, @connectionId, @appId, @priceMin, @priceMax, 'intent', @totalBefore,
           @watermarkCreated, @intentAt, @checksum)`,
      )
      .run({ ...attempt, checksum: checksumOf(row) })
    return { ...row, id: Number(lastInsertRowid) }
  }

  /**
   * Moves an attempt to its next state.
   * @throws Error when the table of transitions forbids it; a constraint error when the lane or the run id is taken.
   */
  move(id: number, to: AttemptState, patch: AttemptPatch = {}): Attempt {
    const before = this.byId(id)
    if (!attemptTransitions[before.state].includes(to)) {
      throw new Error(`An attempt may not go from ${before.state} to ${to}.`)
    }
    const after: Attempt = { ...before, ...patch, state: to }
    this.#db
      .prepare(
        `UPDATE attempt SET state = @state, run_id = @runId, sent_from = @sentFrom, sent_to = @sentTo,
           closed_to = @closedTo, total_before = @totalBefore, watermark_created = @watermarkCreated,
           http_status = @httpStatus, detail = @detail, settled_at = @settledAt, checksum = @checksum
         WHERE id = @id`,
      )
      .run({ ...after, checksum: checksumOf(after) })
    return after
  }

  /** Sets the latest moment at which the connection of a lost submission was open, learned after a crash. */
  setClosed(id: number, closedTo: number) {
    const after: Attempt = { ...this.byId(id), closedTo }
    this.#db
      .prepare('UPDATE attempt SET closed_to = ?, checksum = ? WHERE id = ?')
      .run(closedTo, checksumOf(after), id)
  }

  /**
   * Sets the total that an attempt in question is measured by, when an earlier one has been settled; null where it
   * cannot be relied on any more, so that the attempt is left to a person.
   */
  setTotalBefore(id: number, totalBefore: number | null) {
    const after: Attempt = { ...this.byId(id), totalBefore }
    this.#db
      .prepare('UPDATE attempt SET total_before = ?, checksum = ? WHERE id = ?')
      .run(totalBefore, checksumOf(after), id)
  }

  /** Notes what the service says of an acknowledged run: its charge, and its status once that is final. */
  note(id: number, credits: number, finalStatus: string | null) {
    const before = this.byId(id)
    this.#fate(before, credits, finalStatus ?? before.runStatus)
  }

  /** Ends the life of an acknowledged run that the service no longer knows, so that a person may decide anew. */
  close(id: number, status: string) {
    const before = this.byId(id)
    this.#fate(before, before.credits, status)
  }

  /** Takes up again a run that was given up as lost. */
  reopen(id: number) {
    const before = this.byId(id)
    this.#fate(before, before.credits, null)
  }

  #fate(before: Attempt, credits: number, runStatus: string | null) {
    const after: Attempt = { ...before, credits, runStatus }
    this.#db
      .prepare('UPDATE attempt SET credits = ?, run_status = ?, checksum = ? WHERE id = ?')
      .run(credits, runStatus, checksumOf(after), before.id)
  }

  /**
   * Looks at everything, as only a process does that is about to submit: that every row is what its checksum says, that
   * the indexes, by which open questions and waiting images are found, show every row, and that no image is in a state
   * that nobody looks for. About a second for 100,000 images.
   * @throws StoreError
   */
  prove() {
    const [found] = this.#db.prepare<[], { integrity_check: string }>('PRAGMA integrity_check(1)').all()
    if (found?.integrity_check !== 'ok')
      throw damaged(say`its indexes`, say`it does not show all that was written`)
    const states = imageStates.map((state) => `'${state}'`).join(', ')
    const image = this.#db
      .prepare<[], { id: number }>(`SELECT id FROM image NOT INDEXED WHERE state NOT IN (${states}) LIMIT 1`)
      .get()
    if (image) throw damaged(say`image ${image.id}`, say`it is in a state that there is not`)
    const page = this.#db.prepare<[number, number], StoredAttempt>(
      `SELECT ${columns} FROM attempt WHERE id > ? ORDER BY id LIMIT ?`,
    )
    for (let rows = page.all(0, proofPage); rows.length > 0; rows = page.all(rows.at(-1)!.id, proofPage)) {
      for (const row of rows) verified(row)
    }
  }

  byId(id: number): Attempt {
    const row = this.#db
      .prepare<[number], StoredAttempt>(`SELECT ${columns} FROM attempt WHERE id = ?`)
      .get(id)
    if (!row) throw new Error(`No attempt ${id}.`)
    return verified(row)
  }

  /** The attempt that a run belongs to. */
  byRun(runId: string): Attempt | undefined {
    const row = this.#db
      .prepare<[string], StoredAttempt>(`SELECT ${columns} FROM attempt WHERE run_id = ?`)
      .get(runId)
    return row && verified(row)
  }

  knows(runId: string): boolean {
    return this.#db.prepare('SELECT 1 FROM attempt WHERE run_id = ?').get(runId) !== undefined
  }

  /** Attempts of an image, oldest first. */
  ofImage(imageId: number): Attempt[] {
    return this.#db
      .prepare<[number], StoredAttempt>(`SELECT ${columns} FROM attempt WHERE image_id = ? ORDER BY id`)
      .all(imageId)
      .map(verified)
  }

  /** Attempts of a connection in a state that is not final, oldest first. */
  open(connectionId: number, state: 'intent' | 'sending' | 'unknown' | 'review'): Attempt[] {
    return this.#db
      .prepare<[number, string], StoredAttempt>(
        `SELECT ${columns} FROM attempt WHERE connection_id = ? AND state = ?
           AND state IN ('intent', 'sending', 'unknown', 'review') ORDER BY id`,
      )
      .all(connectionId, state)
      .map(verified)
  }

  /**
   * Submissions of a batch whose charge is not final: how many, how many of them wait for a person's decision, and
   * what all may still add, without those sent before their price was known (`unpriced`). A run that the service no
   * longer knows may have been charged, until a person has decided about its image.
   */
  pending(batchSeq: number): { runs: number; undecided: number; unpriced: number; reserved: number } {
    return this.#db
      .prepare<[number, number], { runs: number; undecided: number; unpriced: number; reserved: number }>(
        `SELECT count(*) AS runs, count(*) FILTER (WHERE state = 'review') AS undecided,
           count(*) FILTER (WHERE price_max IS NULL) AS unpriced, coalesce(sum(max(coalesce(price_max, 0) - credits, 0)), 0) AS reserved
         FROM (
           SELECT state, price_max, credits FROM attempt
             WHERE batch_seq = ? AND (state IN ('intent', 'sending', 'unknown', 'review')
               OR (state IN ('acked', 'adopted') AND run_status IS NULL))
           UNION ALL
           SELECT 'review', attempt.price_max, attempt.credits
             FROM image JOIN attempt ON attempt.image_id = image.id AND attempt.run_id = image.run_id
             WHERE image.batch_seq = ? AND image.state = 'review' AND attempt.run_status = 'LOST')`,
      )
      .get(batchSeq, batchSeq)!
  }

  /** The most that one run of a batch was charged, or 0. */
  largestCharge(batchSeq: number): number {
    return (
      this.#db
        .prepare<[number], { credits: number | null }>(
          'SELECT max(credits) AS credits FROM attempt WHERE batch_seq = ?',
        )
        .get(batchSeq)!.credits ?? 0
    )
  }

  /** Runs of a connection acknowledged or adopted for attempts after this one. */
  runsAfter(attempt: Attempt): number {
    return this.#db
      .prepare<[number, number], { n: number }>(
        'SELECT count(*) AS n FROM attempt WHERE connection_id = ? AND id > ? AND run_id IS NOT NULL',
      )
      .get(attempt.connectionId, attempt.id)!.n
  }

  /** True when a resend was allowed because a run was taken for absent. */
  hasAbsent(connectionId: number): boolean {
    return (
      this.#db
        .prepare("SELECT 1 FROM attempt WHERE connection_id = ? AND state = 'absent' LIMIT 1")
        .get(connectionId) !== undefined
    )
  }

  /** Runs of ours that a connection has acknowledged or adopted. */
  runCount(connectionId: number): number {
    return this.#db
      .prepare<[number], { n: number }>(
        'SELECT count(*) AS n FROM attempt WHERE connection_id = ? AND run_id IS NOT NULL',
      )
      .get(connectionId)!.n
  }

  /** Any run of ours on a connection, newest first: what proves that a new key opens the same account. */
  someRuns(connectionId: number, limit: number): string[] {
    return this.#db
      .prepare<[number, number], { runId: string }>(
        'SELECT run_id AS runId FROM attempt WHERE connection_id = ? AND run_id IS NOT NULL ORDER BY id DESC LIMIT ?',
      )
      .all(connectionId, limit)
      .map((row) => row.runId)
  }

  /** The newest attempt's id, or 0: compared with the high-water file to notice a restored backup. */
  newest(): number {
    return this.#db.prepare<[], { id: number | null }>('SELECT max(id) AS id FROM attempt').get()!.id ?? 0
  }

  /** What a person is offered as a submission's run; a list may name one twice. */
  setCandidates(attemptId: number, candidates: readonly Omit<Candidate, 'attemptId'>[]) {
    this.#db.prepare('DELETE FROM candidate WHERE attempt_id = ?').run(attemptId)
    const insert = this.#db.prepare(
      'INSERT OR IGNORE INTO candidate VALUES (@attemptId, @runId, @appId, @status, @created, @credits)',
    )
    for (const candidate of candidates) insert.run({ ...candidate, attemptId })
  }

  /** True when a person was shown this run as the answer to another question. */
  offeredElsewhere(runId: string, attemptId: number): boolean {
    return (
      this.#db
        .prepare('SELECT 1 FROM candidate WHERE run_id = ? AND attempt_id <> ? LIMIT 1')
        .get(runId, attemptId) !== undefined
    )
  }

  candidates(attemptId: number): Candidate[] {
    return this.#db
      .prepare<[number], Candidate>(
        `SELECT attempt_id AS attemptId, run_id AS runId, app_id AS appId, status, created, credits
         FROM candidate WHERE attempt_id = ? ORDER BY created, run_id`,
      )
      .all(attemptId)
  }
}

const proofPage = 5000
