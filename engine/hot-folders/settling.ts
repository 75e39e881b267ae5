import type { ListedFile } from './listing.ts'

interface Look {
  readonly size: number
  readonly modified: number
  /** Monotonic milliseconds of the first look that saw it so. */
  readonly since: number
}

/**
 * Which files nobody writes to any more: those that two looks, at least `quietMs` apart, saw with the same size and time.
 * A copy over a network often rests for a moment, so the looks must be apart and agree.
 */
export class Settling {
  readonly #quietMs: number
  #seen = new Map<string, Look>()

  constructor(quietMs: number) {
    this.#quietMs = quietMs
  }

  /**
   * One look at the files that are not known yet.
   * @param now monotonic milliseconds
   * @returns those that have settled; the others are to be looked at once more
   */
  look(files: readonly ListedFile[], now: number): { settled: ListedFile[]; unsettled: number } {
    const seen = new Map<string, Look>()
    const settled: ListedFile[] = []
    for (const file of files) {
      const { path, size, modified } = file
      const before = this.#seen.get(path)
      const isSame = before?.size === size && before.modified === modified
      const since = isSame ? before.since : now
      seen.set(path, { size, modified, since })
      if (isSame && now - since >= this.#quietMs) settled.push(file)
    }
    this.#seen = seen
    return { settled, unsettled: files.length - settled.length }
  }
}
