import { randomBytes } from 'node:crypto'
import { sameSecret } from './gate.ts'

const mostSessions = 32

/**
 * The secrets of one running server: a token that stands in the address that is printed and is good for one exchange,
 * and the sessions (cookies) that were had for one. All of them end with the process.
 */
export class Sessions {
  #token = secret()
  readonly #sessions: string[] = []

  /** The token that is good at present. */
  get token(): string {
    return this.#token
  }

  isToken(value: string): boolean {
    return sameSecret(value, this.#token)
  }

  isSession(value: string): boolean {
    return this.#sessions.some((session) => sameSecret(session, value))
  }

  /** Uses the token up and begins a session; the next token is another one. */
  exchange(): string {
    this.#token = secret()
    const session = secret()
    this.#sessions.push(session)
    if (this.#sessions.length > mostSessions) this.#sessions.shift()
    return session
  }
}

/** 256 bits. */
function secret(): string {
  return randomBytes(32).toString('base64url')
}
