import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'

/** The right to submit for one data folder; held by one process at a time. */
export interface Lease {
  release(): void
}

/**
 * Takes the lease of a data folder, or returns undefined while another process holds it. It is an exclusive lock on
 * a file of its own, so the system frees it the moment its holder dies, however it dies.
 */
export function takeLease(path: string): Lease | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const db = new Database(path, { timeout: 0 })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    db.exec('BEGIN EXCLUSIVE')
    return { release: () => db.close() }
  } catch (error) {
    db.close()
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return undefined
    throw error
  }
}
