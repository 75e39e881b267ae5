import { inspect } from 'node:util'
import { say } from '../../shared/language/say.ts'

/**
 * The account's secret (service interface, 5). It leaves this object only into a request's Authorization header:
 * printed, logged or written as JSON it shows nothing.
 */
export class ApiKey {
  readonly #secret: string

  private constructor(secret: string) {
    this.#secret = secret
  }

  /** @returns the key, or one sentence that says what is wrong with the text (without showing it). */
  static parse(text: string): ApiKey | string {
    const secret = text.trim()
    if (secret === '')
      return say`The API key is empty; create one in the service under Integrations, Authentication.`
    if (!/^[\x21-\x7e]{1,4096}$/.test(secret)) {
      return say`The API key has characters that no key has (blanks, line breaks or accents); copy it again.`
    }
    return new ApiKey(secret)
  }

  /** Value of the Authorization header (5, rule 1). */
  get bearer(): string {
    return `Bearer ${this.#secret}`
  }

  /** Takes the key out of a stranger's text, such as an error message that repeats it. */
  redact(text: string): string {
    return text.replaceAll(this.#secret, '[key]')
  }

  toString(): string {
    return '[key]'
  }

  toJSON(): string {
    return '[key]'
  }

  [inspect.custom](): string {
    return '[key]'
  }
}
