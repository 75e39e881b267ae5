import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from './make-folder.ts'

/** A shorter key is a word, such as that of the practice service: taking it out would spoil sentences. */
const shortestSecret = 12

/** What must not stand in a report: the key, bearer headers, and everything after ? in an address. */
export function withoutSecrets(text: string, secret: string | undefined): string {
  const known = secret && secret.length >= shortestSecret ? text.replaceAll(secret, '[key]') : text
  return known
    .replace(/(bearer)\s+[^\s"',;]+/gi, '$1 [key]')
    .replace(/(https?:\/\/[^\s"'<>?#]+)[?#][^\s"'<>]*/gi, '$1?…')
}

/**
 * Writes what went wrong inside the program to `errors.log` of the data folder, with where in the code and without
 * secrets. Returns the file, or undefined where it cannot be written.
 */
export function reportFault(home: string, error: unknown, secret: string | undefined): string | undefined {
  const path = join(home, 'errors.log')
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const cause =
    error instanceof Error && error.cause instanceof Error ? `\nCaused by ${error.cause.stack}` : ''
  const entry = `${new Date().toISOString()} Node ${process.version} ${process.platform}\n${text}${cause}\n\n`
  try {
    makeFolder(home, 0o700)
    appendFileSync(path, withoutSecrets(entry, secret), { mode: 0o600 })
    return path
  } catch {
    return undefined
  }
}
