import { Topic } from './topic.ts'

export interface Notice {
  readonly id: number
  readonly message: string
  readonly tone: 'note' | 'warning' | 'error'
}

const kept = 20

/** Sentences that belong to no image. A follower gets those that come after it has begun to follow. */
export class Notices {
  readonly #last: Notice[] = []
  readonly #topic = new Topic()
  #id = 0

  tell(message: string, tone: Notice['tone'] = 'note') {
    this.#last.push({ id: (this.#id += 1), message, tone })
    if (this.#last.length > kept) this.#last.shift()
    this.#topic.ring()
  }

  async *follow(signal: AbortSignal): AsyncGenerator<Notice> {
    let told = this.#id
    while (!signal.aborted) {
      const known = this.#topic.version
      for (const notice of this.#last.filter(({ id }) => id > told)) {
        told = notice.id
        yield notice
      }
      await this.#topic.after(known, signal)
    }
  }
}
