import type { HotFolder } from '../store/hot-folders.ts'
import { HotFolderAtWork, type HotFolderParts } from './hot-folder.ts'

/** How often it is looked whether folders were added or changed, by whichever program. */
const noticeMs = 500

/** Keeps the hot folders of the active connection at work. */
export class HotFolders {
  readonly #parts: HotFolderParts
  readonly #connection: () => number | undefined
  readonly #stop = new AbortController()
  readonly #ended: Promise<void>
  #seen = ''
  readonly #atWork = new Map<number, { readonly key: string; readonly work: HotFolderAtWork }>()

  /** @param connection the store's number of the connection that is worked with */
  constructor(parts: HotFolderParts, connection: () => number | undefined) {
    this.#parts = parts
    this.#connection = connection
    this.#ended = this.#keep()
  }

  /** Why a folder makes no batches just now; undefined where it does, or is paused. */
  trouble(id: number): string | undefined {
    return this.#atWork.get(id)?.work.trouble
  }

  async close() {
    this.#stop.abort()
    await this.#ended
  }

  async #keep() {
    const { store, clock, onFault } = this.#parts
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        await this.#settle(store.hotFolders.all())
      } catch (error) {
        onFault(error)
      }
      await clock.sleep(noticeMs, signal)
    }
    await this.#settle([])
  }

  async #settle(all: readonly HotFolder[]) {
    const seen = JSON.stringify(all)
    if (seen !== this.#seen) this.#parts.onChange()
    this.#seen = seen
    const connection = this.#connection()
    const wanted = all.filter((one) => one.connectionId === connection && one.paused === 0)
    const keys = new Map(wanted.map((one) => [one.id, JSON.stringify(one)]))
    for (const [id, { key, work }] of this.#atWork) {
      if (keys.get(id) === key) continue
      await work.close()
      this.#atWork.delete(id)
    }
    for (const folder of wanted) {
      if (this.#atWork.has(folder.id)) continue
      this.#atWork.set(folder.id, {
        key: keys.get(folder.id)!,
        work: new HotFolderAtWork(this.#parts, folder),
      })
      this.#parts.onChange()
    }
  }
}
