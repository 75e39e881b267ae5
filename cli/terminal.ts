import { once } from 'node:events'
import type { Io, TextSink } from './io.ts'
import { usageProblem } from './problem.ts'

/**
 * The two outputs: what a person reads goes to stderr, with a live line at its end where that is a terminal; data goes
 * to stdout. A reader that went away (`| head`) ends the output, not the work.
 */
export class Terminal {
  readonly #io: Io
  readonly #gone = new Set<TextSink>()
  readonly #hurry = new AbortController()
  #live = ''

  constructor(io: Io) {
    this.#io = io
    for (const sink of new Set([io.stdout, io.stderr])) {
      // Never taken off: a reader that is gone may be reported after the last line, and must not end the process.
      sink.on('error', () => this.#gone.add(sink))
    }
  }

  /** True where stderr is a terminal: a live line makes sense. */
  get isLive(): boolean {
    return this.#io.stderr.isTTY === true
  }

  /** Width of the live line. */
  get columns(): number {
    // A terminal that does not know its width says 0.
    return this.#io.stderr.columns || 80
  }

  /** True where a question can be asked. */
  get canAsk(): boolean {
    return this.#io.stdin.isTTY === true && this.isLive
  }

  /** A line for a person. */
  say(text: string) {
    this.#write(this.#io.stderr, this.#live === '' ? `${text}\n` : `\r\u001b[K${text}\n${this.#live}`)
  }

  /** Sets the live line; nothing where stderr is no terminal. */
  live(text: string) {
    if (!this.isLive || text === this.#live) return
    const cut = text.slice(0, Math.max(10, this.columns - 1))
    this.#live = cut
    this.#write(this.#io.stderr, `\r\u001b[K${cut}`)
  }

  /** A line of data. */
  print(text: string) {
    this.#write(this.#io.stdout, `${text}\n`)
  }

  /** One JSON object a line. */
  json(value: object) {
    this.print(JSON.stringify(value))
  }

  /** Resolves when stdout takes more; at once when its reader is gone, or is not to be waited for any more. */
  async drained() {
    const { stdout } = this.#io
    const { signal: hurry } = this.#hurry
    while (!hurry.aborted && !this.#gone.has(stdout) && stdout.writableNeedDrain) {
      const settled = new AbortController()
      const signal = AbortSignal.any([settled.signal, hurry])
      await Promise.race([once(stdout, 'drain', { signal }), once(stdout, 'close', { signal })]).catch(() => {
        if (!hurry.aborted) this.#gone.add(stdout)
      })
      settled.abort()
    }
  }

  /** After a request to end nobody's slow reading is waited for. */
  stopWaiting() {
    this.#hurry.abort()
  }

  /**
   * Asks a yes-or-no question; "no" is the answer to everything but y and yes.
   * @throws Problem (64) where nobody can be asked.
   */
  async ask(question: string): Promise<boolean> {
    if (!this.canAsk) throw usageProblem(`${question} There is no terminal to ask on: add --yes to agree.`)
    this.#write(this.#io.stderr, `${question} [y/N] `)
    for await (const chunk of this.#io.stdin) {
      return /^\s*y(es)?\s*$/i.test(Buffer.from(chunk).toString('utf8'))
    }
    return false
  }

  /** Ends the live line. */
  close() {
    if (this.#live !== '') this.#write(this.#io.stderr, '\r\u001b[K')
    this.#live = ''
  }

  #write(sink: TextSink, text: string) {
    if (!this.#gone.has(sink)) sink.write(text)
  }
}
