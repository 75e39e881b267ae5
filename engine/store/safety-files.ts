import { closeSync, fdatasyncSync, mkdirSync, openSync, readSync, writeSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { flushFolder } from '../flush-folder.ts'
import { StoreError } from './database.ts'
import { say } from '../../shared/language/say.ts'

/**
 * Two small files beside the database, for the two things a database cannot tell of itself:
 * - the high-water mark: the last attempt of which bytes may have left. A database that is behind it was restored from
 *   a backup or lost its end, and images that it calls waiting may have been sent;
 * - the emergency journal: run ids whose commit failed (a full disk, say). Its space is taken in advance.
 */
export interface SafetyFiles {
  /** Flushes "this attempt is being sent"; called when the ledger says so, before the first byte. */
  raise(attemptId: number): void
  /** The last attempt that was ever sent, or 0. */
  highWater(): number
  /** Keeps a run id outside the database. @throws when even that cannot be written. */
  rescue(attemptId: number, runId: string): void
  /** Run ids kept since the last `clear`. */
  rescued(): ReadonlyMap<number, string>
  clear(): void
  close(): void
}

const journalBytes = 64 * 1024

/** Opens both files in a folder, making them where needed. Their names are durable then, and those of the folders above. */
export function openSafetyFiles(highWaterPath: string, journalPath: string): SafetyFiles {
  const mark = open(highWaterPath)
  const journal = open(journalPath)
  flushNames([highWaterPath, journalPath])
  const text = () => readText(journal)
  if (text().length < journalBytes) preallocate(journal)
  let end = text().indexOf('\0')
  return {
    raise(attemptId) {
      flushed(mark, String(attemptId).padEnd(20), 0)
    },
    highWater: () => Number.parseInt(readText(mark), 10) || 0,
    rescue(attemptId, runId) {
      const line = `${JSON.stringify([attemptId, runId])}\n`
      flushed(journal, line, end)
      end += Buffer.byteLength(line)
    },
    rescued: () => parse(text()),
    clear() {
      if (end === 0) return
      preallocate(journal)
      end = 0
    },
    close() {
      closeSync(mark)
      closeSync(journal)
    },
  }
}

function open(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
}

function readText(fd: number): string {
  const buffer = Buffer.alloc(journalBytes)
  return buffer.toString('utf8', 0, readSync(fd, buffer, 0, journalBytes, 0))
}

function flushed(fd: number, text: string, at: number) {
  durably(() => {
    writeSync(fd, text, at)
    fdatasyncSync(fd)
  })
}

/** Whoever made a folder on the way: before anything is sent, what is known of it can be found again. */
function flushNames(paths: readonly string[]) {
  const folders = new Set<string>()
  for (const path of paths) for (let at = path; dirname(at) !== at; at = dirname(at)) folders.add(dirname(at))
  durably(() => folders.forEach(flushFolder))
}

/** @throws StoreError, so that a disk that fails is told as such */
function durably(write: () => void) {
  try {
    write()
  } catch (cause) {
    throw new StoreError(say`The files beside the queue could not be written.`, { cause })
  }
}

function preallocate(fd: number) {
  flushed(fd, '\0'.repeat(journalBytes), 0)
}

function parse(text: string): Map<number, string> {
  const rescued = new Map<number, string>()
  for (const line of text.slice(0, text.indexOf('\0')).split('\n')) {
    try {
      const [attemptId, runId] = JSON.parse(line) as [number, string]
      rescued.set(attemptId, runId)
    } catch {
      // The last line may be half written; the run it named is then found by reconciliation.
    }
  }
  return rescued
}
