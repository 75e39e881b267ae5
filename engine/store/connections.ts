import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Statements } from './database.ts'
import type { Connection, Learned } from './rows.ts'

interface Row {
  readonly id: number
  readonly baseUrl: string
  readonly keySalt: string
  readonly keyHash: string
  readonly firstSeenCreated: number | null
  readonly solitary: number
  readonly resendAllowed: number
  readonly learned: string
}

const columns = `id, base_url AS baseUrl, key_salt AS keySalt, key_hash AS keyHash,
  first_seen_created AS firstSeenCreated, solitary, resend_allowed AS resendAllowed, learned`

/**
 * Service addresses with the account behind each. The key itself is never here: only a salted fingerprint, to notice
 * that another key is in use (the interface has no account id).
 */
export class ConnectionTable {
  readonly #db: Statements
  constructor(db: Statements) {
    this.#db = db
  }

  /** The connection of this address and key, if it was used before. */
  find(baseUrl: string, key: string): Connection | undefined {
    const row = this.#at(baseUrl).find((candidate) => fits(candidate, key))
    return row && connectionOf(row)
  }

  /** Other connections of this address: the same account under an older key, or other accounts. */
  others(baseUrl: string, key: string): Connection[] {
    return this.#at(baseUrl)
      .filter((row) => !fits(row, key))
      .map(connectionOf)
  }

  add(baseUrl: string, key: string): Connection {
    const salt = randomBytes(16).toString('hex')
    // Read to its end: after `get` the commit comes with the reset, and nobody hears that it failed.
    const [row] = this.#db
      .prepare<[string, string, string], Row>(
        `INSERT INTO connection (base_url, key_salt, key_hash) VALUES (?, ?, ?) RETURNING ${columns}`,
      )
      .all(baseUrl, salt, fingerprint(salt, key))
    return connectionOf(row!)
  }

  /** Gives a connection a new key, once a run of it was shown to answer under that key. */
  rekey(id: number, key: string) {
    const salt = randomBytes(16).toString('hex')
    this.#db
      .prepare('UPDATE connection SET key_salt = ?, key_hash = ? WHERE id = ?')
      .run(salt, fingerprint(salt, key), id)
  }

  /** The service of a connection has another address now (the practice service, on another port). */
  setBaseUrl(id: number, baseUrl: string) {
    this.#db.prepare('UPDATE connection SET base_url = ? WHERE id = ?').run(baseUrl, id)
  }

  /** The connection that the process with the lease works on, as far as it was noted. */
  get atWork(): number | undefined {
    return this.#db.prepare<[], { value: number }>("SELECT value FROM meta WHERE key = 'at-work'").get()
      ?.value
  }

  /** Noted by the process with the lease, for those that follow. */
  set atWork(id: number | undefined) {
    this.#db.prepare("INSERT OR REPLACE INTO meta VALUES ('at-work', ?)").run(id ?? 0)
  }

  byId(id: number): Connection {
    return connectionOf(
      this.#db.prepare<[number], Row>(`SELECT ${columns} FROM connection WHERE id = ?`).get(id)!,
    )
  }

  /** Runs created after this moment (service time, ms) that are not ours were made by somebody else. Set once. */
  setFirstSeen(id: number, created: number) {
    this.#db
      .prepare('UPDATE connection SET first_seen_created = coalesce(first_seen_created, ?) WHERE id = ?')
      .run(created, id)
  }

  /** Somebody else uses the account: a single candidate is no longer proof. For ever. */
  markShared(id: number) {
    this.#db.prepare('UPDATE connection SET solitary = 0 WHERE id = ?').run(id)
  }

  /** An assumption behind automatic resends was seen to be false: a person decides from now on. */
  forbidResends(id: number) {
    this.#db.prepare('UPDATE connection SET resend_allowed = 0 WHERE id = ?').run(id)
  }

  learn(id: number, learned: Learned) {
    this.#db.prepare('UPDATE connection SET learned = ? WHERE id = ?').run(JSON.stringify(learned), id)
  }

  /** What an app's runs were charged without the extras; undefined until one was seen. */
  basePrice(id: number, appId: string): { last: number; highest: number } | undefined {
    return this.#db
      .prepare<[number, string], { last: number; highest: number }>(
        'SELECT last, highest FROM base_price WHERE connection_id = ? AND app_id = ?',
      )
      .get(id, appId)
  }

  learnBasePrice(id: number, appId: string, base: number) {
    this.#db
      .prepare(
        `INSERT INTO base_price VALUES (@id, @appId, @base, @base)
         ON CONFLICT DO UPDATE SET last = @base, highest = max(highest, @base)`,
      )
      .run({ id, appId, base })
  }

  #at(baseUrl: string): Row[] {
    return this.#db
      .prepare<[string], Row>(`SELECT ${columns} FROM connection WHERE base_url = ? ORDER BY id`)
      .all(baseUrl)
  }
}

function fingerprint(salt: string, key: string): string {
  return createHmac('sha256', salt).update(key).digest('hex')
}

function fits(row: Row, key: string): boolean {
  return timingSafeEqual(Buffer.from(row.keyHash, 'hex'), Buffer.from(fingerprint(row.keySalt, key), 'hex'))
}

function connectionOf(row: Row): Connection {
  return {
    id: row.id,
    baseUrl: row.baseUrl,
    firstSeenCreated: row.firstSeenCreated,
    solitary: row.solitary === 1,
    resendAllowed: row.resendAllowed === 1,
    learned: JSON.parse(row.learned) as Learned,
  }
}
