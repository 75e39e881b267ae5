import { createHash } from 'node:crypto'

/** Bytes of a secret; in base64url it is as many characters as `secretLength`. */
export const secretBytes = 24
const secretLength = 32

/** An address for one submission alone: the person's own, with a secret as the last part of its path. */
export interface SecretAddress {
  readonly url: string
  /** What is kept of the secret. */
  readonly hash: string
}

/** @param random `secretBytes` unguessable bytes */
export function secretAddress(address: string, random: Uint8Array): SecretAddress {
  const secret = Buffer.from(random).toString('base64url')
  const url = new URL(address)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${secret}`
  url.hash = ''
  return { url: url.href, hash: hashOf(secret) }
}

/**
 * The hash of the secret in a request's path, whatever a tunnel has put before it. Of a path without one too, so that
 * all that is not ours takes the same way.
 */
export function hashInPath(path: string): string {
  const [plain = ''] = path.split(/[?#]/, 1)
  const last = plain.slice(plain.lastIndexOf('/') + 1)
  return hashOf(/^[\w-]+$/.test(last) && last.length === secretLength ? last : '')
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
