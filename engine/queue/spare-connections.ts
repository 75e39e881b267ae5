import type { SubmitConnection } from '../service/transport.ts'
import type { Desk } from './desk.ts'

/** Submissions closer together than this deserve connections that are opened ahead. */
const rushMs = 1000
const aheadInRush = 3

/**
 * Fresh connections for submissions, opened ahead while submissions follow each other closely, so that a submission
 * costs one round trip. A connection is used once; one that was never used is not a reused one.
 */
export class SpareConnections {
  readonly #desk: Desk
  readonly #spare: Promise<SubmitConnection | undefined>[] = []
  #takenAt = -Infinity
  #closed = false

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** A usable connection, or undefined when none could be opened (the desk then knows that the service is away). */
  async take(signal: AbortSignal): Promise<SubmitConnection | undefined> {
    const now = this.#desk.parts.clock.monotonic()
    const rush = now - this.#takenAt < rushMs
    this.#takenAt = now
    let connection: SubmitConnection | undefined
    while (this.#spare.length > 0 && !connection?.usable) connection = await this.#spare.shift()
    if (!connection?.usable) connection = await this.#open(signal)
    const missing = rush && connection && !this.#closed ? aheadInRush - this.#spare.length : 0
    for (let n = 0; n < missing; n += 1) this.#spare.push(this.#open(signal))
    return connection
  }

  giveBack(connection: SubmitConnection) {
    if (this.#closed) connection.close()
    else this.#spare.unshift(Promise.resolve(connection))
  }

  close() {
    this.#closed = true
    for (const spare of this.#spare.splice(0)) void spare.then((connection) => connection?.close())
  }

  async #open(signal: AbortSignal): Promise<SubmitConnection | undefined> {
    const opened = await this.#desk.parts.service.openSubmission(signal)
    if (opened.kind === 'open') {
      if (this.#closed) opened.connection.close()
      return opened.connection
    }
    if (!signal.aborted) this.#desk.missed(opened.message)
    return undefined
  }
}
