import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from './make-folder.ts'

/** A shorter key is a word, such as that of the practice service: taking it out would spoil sentences. */
const shortestSecret = 12

/** A key, or all that are known. */
type Secrets = string | Iterable<string> | undefined

/** What must not stand in a report: keys, bearer headers, and everything after ? in an address. */
export function withoutSecrets(text: string, secrets: Secrets): string {
  const all = typeof secrets === 'string' ? [secrets] : [...(secrets ?? [])]
  const known = all.filter((secret) => secret.length >= shortestSecret)
  return known
    .reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text)
    .replace(/(bearer)\s+[^\s"',;]+/gi, '$1 [key]')
    .replace(/(https?:\/\/[^\s"'<>?#]+)[?#][^\s"'<>]*/gi, '$1?…')
}

/**
 * Writes what went wrong inside the program to `errors.log` of the data folder, with where in the code and without
 * secrets. Returns the file, or undefined where it cannot be written.
 */
export function reportFault(home: string, error: unknown, secrets: Secrets): string | undefined {
  const path = join(home, 'errors.log')
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const cause =
    error instanceof Error && error.cause instanceof Error ? `\nCaused by ${error.cause.stack}` : ''
  const entry = `${new Date().toISOString()} Node ${process.version} ${process.platform}\n${text}${cause}\n\n`
  try {
    makeFolder(home, 0o700)
    appendFileSync(path, withoutSecrets(entry, secrets), { mode: 0o600 })
    return path
  } catch {
    return undefined
  }
}
