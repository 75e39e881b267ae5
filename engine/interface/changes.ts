import type { Store } from '../store/store.ts'
import type { DownloadBytes } from './download-bytes.ts'
import { Topic } from './topic.ts'

/** Ten times a second is as often as an interface is told anything. */
const everyMs = 100
/** After the last of several changes it is rung once more, for those who look less often. */
const lastRingMs = 1000

/**
 * Notices that something in the store changed, in whichever process, or that more of a download came: numbers that are
 * read while somebody follows. A ring stands for all changes since the one before.
 */
export class Changes {
  readonly topic = new Topic()
  readonly #store: Store
  #known: string
  #timer: NodeJS.Timeout | undefined
  #followers = 0
  #changedAt = 0

  readonly #bytes: DownloadBytes

  constructor(store: Store, bytes: DownloadBytes) {
    this.#store = store
    this.#bytes = bytes
    this.#known = this.#numbers()
  }

  /** Looks for changes until the returned function is called. */
  follow(): () => void {
    this.#followers += 1
    this.#timer ??= setInterval(() => this.#look(), everyMs)
    let left = false
    return () => {
      if (left) return
      left = true
      this.#followers -= 1
      if (this.#followers > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #look() {
    const now = this.#numbers()
    if (now !== this.#known) {
      this.#known = now
      this.#changedAt = performance.now()
      this.topic.ring()
    } else if (this.#changedAt > 0 && performance.now() - this.#changedAt > lastRingMs) {
      this.#changedAt = 0
      this.topic.ring()
    }
  }

  #numbers(): string {
    return `${this.#store.images.change()} ${this.#store.batches.change()} ${this.#bytes.version}`
  }
}
