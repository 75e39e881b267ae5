/** Downloads that are remembered; far more than there are at a time. */
const most = 256

export interface Bytes {
  readonly done: number
  readonly total: number | null
}

/** How far downloads are: the only progress that is a measure and no guess. In memory alone. */
export class DownloadBytes {
  readonly #images = new Map<number, Bytes & { readonly version: number }>()
  #version = 0

  note(imageId: number, done: number, total: number | null) {
    this.#version += 1
    this.#images.delete(imageId)
    this.#images.set(imageId, { done, total, version: this.#version })
    const [oldest] = this.#images.keys()
    if (this.#images.size > most && oldest !== undefined) this.#images.delete(oldest)
  }

  of(imageId: number): Bytes | null {
    const found = this.#images.get(imageId)
    return found ? { done: found.done, total: found.total } : null
  }

  get version(): number {
    return this.#version
  }

  /** Images of which more came after a version. */
  since(version: number): number[] {
    return [...this.#images].filter(([, bytes]) => bytes.version > version).map(([id]) => id)
  }
}
