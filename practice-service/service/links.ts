import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs and checks the links of output files: path, expiry and a signature over both (2.1, 2.5). */
export class Links {
  readonly #secret: string
  /** Links of an earlier generation count as expired. */
  #generation = 0
  origin = ''

  constructor(secret: string) {
    this.#secret = secret
  }

  /** A fresh link to a path of the file server; `nowMs` is the service's time. */
  sign(path: string, nowMs: number, seconds: number): string {
    const expires = Math.round(nowMs + seconds * 1000)
    return `${this.origin}${path}?${this.#query(path, this.#generation, expires)}`
  }

  /** Why a link is refused (403), in a sentence, or undefined when it is good. */
  problem(path: string, query: URLSearchParams, nowMs: number): string | undefined {
    const generation = Number(query.get('generation'))
    const expires = Number(query.get('expires'))
    const given = Buffer.from(query.toString())
    const right = Buffer.from(this.#query(path, generation, expires))
    if (given.length !== right.length || !timingSafeEqual(given, right)) {
      return 'The signature does not match.'
    }
    if (nowMs >= expires || generation < this.#generation) return 'The link has expired.'
    return undefined
  }

  /** Makes every link signed so far an expired one. */
  expireAll(): void {
    this.#generation += 1
  }

  #query(path: string, generation: number, expires: number): string {
    const signed = `${path}\n${generation}\n${expires}`
    const signature = createHmac('sha256', this.#secret).update(signed).digest('hex')
    return `generation=${generation}&expires=${expires}&signature=${signature}`
  }
}
