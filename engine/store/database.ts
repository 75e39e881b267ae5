import { closeSync, existsSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { migrations } from './migrations.ts'
import { titleOf } from './title.ts'
import { say } from '../../shared/language/say.ts'

/** A parameter that stands bare beside a comparison or LIMIT. */
const bareParameter = /(?<=(?:[=<>]|\bLIMIT) )\?/gu

/**
 * Prepared statements of a database, each prepared once. Results are read whole: a statement is never left open.
 *
 * SQLite looks at the values of bare parameters while it plans (an ORDER BY or a partial index may make use of them),
 * and then plans anew each time one is bound, which takes ten times as long as reading a row. `+?` has the same value,
 * and is left alone.
 */
export class Statements {
  readonly #db: Database.Database
  readonly #prepared = new Map<string, Database.Statement>()
  constructor(db: Database.Database) {
    this.#db = db
  }

  prepare: Database.Database['prepare'] = (sql: string) => {
    let statement = this.#prepared.get(sql)
    if (!statement) {
      statement = this.#db.prepare(sql.replace(bareParameter, '+?'))
      this.#prepared.set(sql, statement)
    }
    return statement as never
  }
}

/** The queue's database cannot be used; the message is for a person. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/**
 * Opens the queue's database, with every commit flushed (better-sqlite3 is compiled with NORMAL in WAL, under which a
 * committed intent could roll back after a power loss), checks it and brings its schema up to date.
 * `':memory:'` is for tests, as is a serialized database, which is opened in memory.
 *
 * A damaged file is set aside under a new name, with its log, and reported: submissions are never begun anew on an
 * empty ledger by themselves.
 * @throws StoreError when it is damaged, newer than this program, or cannot be opened.
 */
export function openDatabase(path: string | Buffer): Database.Database {
  if (typeof path === 'string' && path !== ':memory:') makePrivate(path)
  let db: Database.Database | undefined
  try {
    db = new Database(path, { timeout: 5000 })
    configure(db)
    const verdict = db.pragma('quick_check(1)', { simple: true })
    if (verdict !== 'ok') throw Object.assign(new Error(String(verdict)), { code: 'SQLITE_CORRUPT' })
    migrate(db)
    return db
  } catch (error) {
    db?.close()
    if (error instanceof StoreError || typeof path !== 'string') throw error
    if (isDamage(error)) throw setAside(path)
    throw new StoreError(say`The queue's file ${path} cannot be opened: ${(error as Error).message}.`)
  }
}

/** For its owner alone; what SQLite puts beside it is made like it. */
function makePrivate(path: string) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch {
    // SQLite says what is wrong.
  }
}

function configure(db: Database.Database) {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('fullfsync = 1')
  db.pragma('checkpoint_fullfsync = 1')
  db.pragma('foreign_keys = ON')
  if (db.pragma('synchronous', { simple: true }) !== 2) {
    throw new StoreError(say`The queue refuses to run: this SQLite does not flush every commit.`)
  }
}

function migrate(db: Database.Database) {
  db.function('title_of', { deterministic: true }, (name, source, position) =>
    titleOf(name as string | null, source as string, position as number),
  )
  const version = db.pragma('user_version', { simple: true }) as number
  if (version > migrations.length) {
    throw new StoreError(
      say`The queue was last used by a newer Vitrine; update this one. Nothing was changed.`,
    )
  }
  for (let next = version; next < migrations.length; next += 1) {
    db.transaction(() => {
      // Another process may have migrated while this one waited for the lock.
      if (db.pragma('user_version', { simple: true }) !== next) return
      db.exec(migrations[next]!)
      db.pragma(`user_version = ${next + 1}`)
    }).immediate()
  }
}

/** Whether SQLite says that a file is no database, or a broken one. */
export function isDamage(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB'
}

/** A name beside a damaged file under which it can be kept. */
export function freeDamagedName(path: string): string {
  let target = `${path}.damaged`
  for (let n = 2; existsSync(target); n += 1) target = `${path}.damaged-${n}`
  return target
}

function setAside(path: string): StoreError {
  const target = freeDamagedName(path)
  for (const ending of ['', '-wal', '-shm']) {
    if (existsSync(path + ending)) renameSync(path + ending, target + ending)
  }
  return new StoreError(
    say`The queue's file was damaged and is kept as ${target}. Pictures that were sent may already be charged: look at "vitrine runs" before sending them again. The next start begins an empty queue.`,
  )
}
