import { constants, copyFileSync, mkdirSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { freeDamagedName, isDamage } from './database.ts'
import { say } from '../../shared/language/say.ts'

/** The right to submit for one data folder; held by one process at a time. */
export interface Lease {
  release(): void
}

/**
 * Takes the lease of a data folder, or returns undefined while another process holds it. It is an exclusive lock on
 * a file of its own, so the system frees it the moment its holder dies, however it dies. The file holds nothing: a
 * damaged one is copied aside and emptied.
 * @param tell is told so in one sentence
 */
export function takeLease(path: string, tell: (message: string) => void = () => {}): Lease | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    return lock(path)
  } catch (error) {
    if (!isDamage(error)) throw error
    const kept = freeDamagedName(path)
    copyFileSync(path, kept, constants.COPYFILE_EXCL)
    // Emptied where it stands: with a file in its place two processes could hold two locks.
    truncateSync(path)
    tell(
      say`The file ${path} was damaged and is kept as ${kept}. It held nothing; going on with an empty one.`,
    )
    return lock(path)
  }
}

/** A holder of the lock is noticed before any damage is: whoever reads has to wait for it. */
function lock(path: string): Lease | undefined {
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
