import type { App } from 'electron'

export interface QuitGuardParts {
  readonly app: Pick<App, 'on' | 'quit'>
  /** What to ask first; undefined where nothing is under way. */
  readonly question: () => { readonly message: string; readonly detail: string } | undefined
  /** Asks the person. @returns true to quit */
  readonly ask: (question: { readonly message: string; readonly detail: string }) => Promise<boolean>
  /** Ends the engine in good order. */
  readonly shutDown: () => Promise<void>
  /** Resolves when it has lasted too long: what is on the disk is enough to go on from, as after a crash. */
  readonly patience: () => Promise<void>
}

/**
 * Asks before the program ends in the middle of work, and shuts the engine down before it does. However it ends, the
 * next start goes on: nothing here is needed for that, it only spares the reconciliation.
 */
export class QuitGuard {
  readonly #parts: QuitGuardParts
  #end: () => void
  #state: 'staying' | 'asking' | 'shutting-down' | 'leaving' = 'staying'

  constructor(parts: QuitGuardParts) {
    this.#parts = parts
    this.#end = () => parts.app.quit()
    parts.app.on('before-quit', (event) => {
      if (this.#state === 'leaving') return
      event.preventDefault()
      if (this.#state === 'staying') void this.#askAndLeave()
    })
  }

  /** True once the program ends: a window may close. */
  get isLeaving(): boolean {
    return this.#state === 'leaving'
  }

  /** Ends as quitting does, with its question, but by `end` at last. */
  leaveBy(end: () => void): void {
    if (this.#state !== 'staying') return
    void this.#askAndLeave(end)
  }

  /** Ends without a question: the system is going down, or somebody has sent a signal. */
  leaveNow(): void {
    if (this.#state === 'staying' || this.#state === 'asking') void this.#leave()
  }

  async #askAndLeave(end = this.#end): Promise<void> {
    const question = this.#parts.question()
    if (question) {
      this.#state = 'asking'
      const leaves = await this.#parts.ask(question).catch(() => true)
      // A signal may have come while the question stood.
      if (this.#state !== 'asking') return
      this.#state = 'staying'
      if (!leaves) return
    }
    this.#end = end
    await this.#leave()
  }

  async #leave(): Promise<void> {
    this.#state = 'shutting-down'
    await Promise.race([this.#parts.shutDown().catch(() => undefined), this.#parts.patience()])
    this.#state = 'leaving'
    this.#end()
  }
}
