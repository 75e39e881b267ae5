import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs and checks the links of output files: path, expiry and a signature over both (2.1, 2.5). */
export class Links {
  readonly #secret: string
  /** Links signed before this moment are refused; moved by `expireAll`. */
  #notBefore = 0
  origin = ''

  constructor(secret: string) {
    this.#secret = secret
  }

  /** A fresh link to a path of the file server; `nowMs` is the service's time. */
  sign(path: string, nowMs: number, seconds: number): string {
    const expires = Math.round(nowMs + seconds * 1000)
    return `${this.origin}${path}?issued=${nowMs}&expires=${expires}&signature=${this.#signature(path, nowMs, expires)}`
  }

  /** Why a link is refused (403), in a sentence, or undefined when it is good. */
  problem(path: string, query: URLSearchParams, nowMs: number): string | undefined {
    const issued = Number(query.get('issued'))
    const expires = Number(query.get('expires'))
    const given = Buffer.from(query.get('signature') ?? '')
    const right = Buffer.from(this.#signature(path, issued, expires))
    if (given.length !== right.length || !timingSafeEqual(given, right))
      return 'The signature does not match.'
    if (nowMs >= expires || issued < this.#notBefore) return 'The link has expired.'
    return undefined
  }

  /** Makes every link signed before `nowMs` an expired one. */
  expireAll(nowMs: number): void {
    this.#notBefore = nowMs
  }

  #signature(path: string, issued: number, expires: number): string {
    return createHmac('sha256', this.#secret).update(`${path}\n${issued}\n${expires}`).digest('hex')
  }
}
