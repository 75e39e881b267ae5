import { systemClock, type Clock } from '../clock.ts'
import { BatchTable } from './batches.ts'
import { ConnectionTable } from './connections.ts'
import { CostTable } from './costs.ts'
import type { Database } from 'better-sqlite3'
import { openDatabase, Statements } from './database.ts'
import { FormerSourceTable } from './former-sources.ts'
import { HotFolderTable } from './hot-folders.ts'
import { ImageLists } from './image-lists.ts'
import { ImageTable } from './images.ts'
import { Ledger } from './ledger.ts'
import { NoticeSecretTable } from './notice-secrets.ts'
import { OutputTable } from './outputs.ts'
import { OwnFileTable } from './own-files.ts'

/**
 * Everything of the queue, in one SQLite file that several processes may read and write; only the holder of the
 * lease submits. A change of state is here, flushed, before it is anything else.
 */
export class Store {
  readonly batches: BatchTable
  readonly images: ImageTable
  readonly lists: ImageLists
  readonly formerSources: FormerSourceTable
  readonly ledger: Ledger
  readonly outputs: OutputTable
  readonly connections: ConnectionTable
  readonly hotFolders: HotFolderTable
  readonly costs: CostTable
  readonly ownFiles: OwnFileTable
  readonly noticeSecrets: NoticeSecretTable
  readonly #db: Database

  /** @param path the database file; for tests `':memory:'`, or a serialized database. @param clock for the times that are kept. @throws StoreError with a sentence for a person. */
  constructor(path: string | Buffer, clock: Pick<Clock, 'now'> = systemClock) {
    this.#db = openDatabase(path)
    const statements = new Statements(this.#db)
    this.batches = new BatchTable(statements, clock)
    this.images = new ImageTable(statements, clock)
    this.ledger = new Ledger(statements)
    this.lists = new ImageLists(statements)
    this.formerSources = new FormerSourceTable(statements, clock)
    this.outputs = new OutputTable(statements)
    this.connections = new ConnectionTable(statements)
    this.hotFolders = new HotFolderTable(statements)
    this.costs = new CostTable(statements)
    this.ownFiles = new OwnFileTable(statements)
    this.noticeSecrets = new NoticeSecretTable(statements)
  }

  /** Runs `work` in one transaction that takes the write lock at once; all of it is flushed, or nothing. */
  transaction<T>(work: () => T): T {
    return this.#db.transaction(work).immediate()
  }

  close() {
    this.#db.close()
  }
}
