import { crc32 } from 'node:zlib'
import { StoreError } from './database.ts'
import type { Attempt } from './rows.ts'
import { say } from '../../shared/language/say.ts'

/** An attempt as it lies in the database, with a checksum of its own, because SQLite has none of its content. */
export type StoredAttempt = Attempt & { readonly checksum: number }

/** What is told, and stops every submission, where the ledger is not what was written. */
export function damaged(what: string, how: string): StoreError {
  return new StoreError(
    say`The queue's ledger is damaged (${what}): ${how}. Nothing is sent until this is settled; look at "vitrine runs" for what the service has. To begin an empty queue, move queue.db out of the data folder.`,
  )
}

/** The attempt of a row. @throws StoreError where it is not what was written */
export function verified(row: StoredAttempt): Attempt {
  const { checksum, ...attempt } = row
  if (checksum !== (checksum < withFate ? earlierChecksumOf(attempt) : checksumOf(attempt))) {
    throw damaged(say`attempt ${row.id}`, say`it does not match its checksum`)
  }
  return attempt
}

/** What tells a checksum over all fields from those of rows that were last written before charges were part of it. */
const withFate = 2 ** 32

/** Over every field that decides whether something is sent again, and what it has cost. */
export function checksumOf(attempt: Omit<Attempt, 'id'>): number {
  return withFate + crc32(JSON.stringify([...decidingFields(attempt), attempt.runStatus, attempt.credits]))
}

function earlierChecksumOf(attempt: Omit<Attempt, 'id'>): number {
  return crc32(JSON.stringify(decidingFields(attempt)))
}

function decidingFields(attempt: Omit<Attempt, 'id'>): readonly unknown[] {
  return [
    attempt.imageId,
    attempt.batchSeq,
    attempt.connectionId,
    attempt.appId,
    attempt.priceMin,
    attempt.priceMax,
    attempt.state,
    attempt.runId,
    attempt.sentFrom,
    attempt.sentTo,
    attempt.closedTo,
    attempt.totalBefore,
    attempt.watermarkCreated,
    attempt.intentAt,
  ]
}
