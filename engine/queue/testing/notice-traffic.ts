import type { Store } from '../../store/store.ts'
import { hashInPath, secretAddress, secretBytes } from '../../webhook/secret-address.ts'
import type { WebhookHost, WebhookPart } from '../parts.ts'
import type { BookedRun } from './booked-run.ts'
import type { Guillotine } from './guillotine.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** The service's notices on their way through a tunnel: some come, twice, late, or not at all; some lie. */
export class NoticeTraffic {
  notices = 0
  readonly #clock: VirtualClock
  readonly #store: Store
  readonly #random: () => number
  /** Run ids that notices have named, by attempt. */
  readonly #named = new Map<number, ReadonlySet<string>>()
  #hears: { readonly host: WebhookHost; readonly guillotine: Guillotine } | undefined

  constructor(clock: VirtualClock, store: Store, random: () => number) {
    this.#clock = clock
    this.#store = store
    this.#random = random
  }

  /** What hears them in one process; after the cut nobody does. */
  part(guillotine: Guillotine): WebhookPart {
    return {
      addressFor: (url) =>
        secretAddress(
          url,
          Uint8Array.from({ length: secretBytes }, () => this.#random() * 256),
        ),
      run: async (host, signal) => {
        this.#hears = { host, guillotine }
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        if (this.#hears?.host === host) this.#hears = undefined
      },
    }
  }

  /** Of an end, up to three notices come, in any order, soon or late; some name a run that there is not. */
  announce(run: BookedRun) {
    if (run.webhookUrl === undefined) return
    const hash = hashInPath(new URL(run.webhookUrl).pathname)
    for (let copies = Math.floor(this.#random() * 4); copies > 0; copies -= 1) {
      const runId = this.#random() < 0.15 ? `run-${this.#random()}` : run.id
      this.#clock.after(this.#random() ** 3 * 40_000, () => this.#bring(hash, runId))
    }
  }

  #bring(hash: string, runId: string) {
    const attemptId = this.#store.noticeSecrets.attemptOf(hash)
    if (!this.#hears || this.#hears.guillotine.dead || attemptId === undefined) return
    this.notices += 1
    this.#named.set(attemptId, new Set([...(this.#named.get(attemptId) ?? []), runId]))
    this.#hears.host.announced(hash, runId)
  }

  /** Whether a notice with the secret of this attempt has named this run. */
  hasNamed(attemptId: number, runId: string | null | undefined): boolean {
    return runId != null && this.#named.get(attemptId)?.has(runId) === true
  }
}
