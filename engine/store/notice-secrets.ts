import type { Statements } from './database.ts'

/**
 * Which submission a secret was given to with its webhook address. The secret itself is in that address alone; here is
 * its hash, so that neither a look into this file nor the time that a look-up takes tells anything of it.
 */
export class NoticeSecretTable {
  readonly #db: Statements
  constructor(db: Statements) {
    this.#db = db
  }

  /** Together with the intent, in one transaction: before anything is sent. */
  add(hash: string, attemptId: number) {
    this.#db.prepare('INSERT INTO notice_secret (hash, attempt_id) VALUES (?, ?)').run(hash, attemptId)
  }

  attemptOf(hash: string): number | undefined {
    return this.#db
      .prepare<[string], number>('SELECT attempt_id FROM notice_secret WHERE hash = ?')
      .pluck()
      .get(hash)
  }
}
