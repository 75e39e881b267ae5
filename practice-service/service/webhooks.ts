import { Agent, fetch } from 'undici'
import type { Clock } from './clock.ts'
import type { Ledger } from './books.ts'
import type { Run } from './runs.ts'

/** How completion notices are delivered; the interface shows no retries (6), so these are this service's own. */
export interface WebhookDelivery {
  readonly timeoutMs: number
  /** Pauses before the second and every further attempt; their number bounds the attempts. */
  readonly retryDelaysMs: readonly number[]
}

const atOnce = 16

/** Sends completion notices without ever holding up a run. */
export class Webhooks {
  readonly #agent = new Agent({ pipelining: 0 })
  readonly #delivery: WebhookDelivery
  readonly #clock: Clock
  readonly #ledger: Ledger
  readonly #signal: AbortSignal
  #active = 0
  readonly #waiting: (() => void)[] = []

  constructor(delivery: WebhookDelivery, clock: Clock, ledger: Ledger, signal: AbortSignal) {
    this.#delivery = delivery
    this.#clock = clock
    this.#ledger = ledger
    this.#signal = signal
  }

  /** Begins the delivery; `payload` is asked at each attempt, so that its links are fresh. */
  notify(run: Run, payload: () => Record<string, unknown>): void {
    const host = URL.parse(run.webhookUrl)?.hostname ?? ''
    // Reserved names that can reach nobody (RFC 2606) are not even looked up.
    if (host === '' || host === 'invalid' || /\.invalid\.?$/.test(host)) {
      this.#ledger.webhooks.unreachable += 1
      return
    }
    void this.#deliver(run, payload)
  }

  async close(): Promise<void> {
    for (const start of this.#waiting.splice(0)) start()
    await this.#agent.destroy()
  }

  async #deliver(run: Run, payload: () => Record<string, unknown>): Promise<void> {
    for (const pause of [0, ...this.#delivery.retryDelaysMs]) {
      if (pause > 0) await this.#clock.sleep(pause, this.#signal)
      await this.#turn()
      if (this.#signal.aborted) return
      run.webhookAttempts += 1
      this.#ledger.webhooks.attempts += 1
      const delivered = await this.#post(run.webhookUrl, payload())
      this.#active -= 1
      this.#waiting.shift()?.()
      if (delivered) {
        run.webhookDelivered = true
        this.#ledger.webhooks.delivered += 1
        return
      }
    }
    this.#ledger.webhooks.failed += 1
  }

  async #turn(): Promise<void> {
    if (this.#active >= atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#active += 1
  }

  async #post(url: string, payload: Record<string, unknown>): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload),
        redirect: 'manual',
        dispatcher: this.#agent,
        signal: AbortSignal.any([this.#signal, AbortSignal.timeout(this.#delivery.timeoutMs)]),
      })
      await response.body?.cancel()
      return response.ok
    } catch {
      return false
    }
  }
}
