import { randomUUID } from 'node:crypto'
import type { Source } from '../intake/found.ts'

const mostDrops = 200

/**
 * What a shell has taken in and not yet read: paths stay here, and the page has only an id. The oldest are forgotten
 * when there are many.
 */
export class Drops {
  readonly #drops = new Map<string, readonly Source[]>()

  add(sources: readonly Source[]): string {
    const id = randomUUID()
    this.#drops.set(id, sources)
    const [oldest] = this.#drops.keys()
    if (this.#drops.size > mostDrops && oldest !== undefined) this.#drops.delete(oldest)
    return id
  }

  /** Takes paths as a person dropped or picked them. */
  addPaths(paths: readonly string[]): string {
    return this.add(paths.map((path) => ({ kind: 'path', path })))
  }

  find(id: string): readonly Source[] | undefined {
    return this.#drops.get(id)
  }
}
