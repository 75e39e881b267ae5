import type { EngineContract } from '../shared/contract/engine-contract.ts'
import type { PreferencesRecord } from '../shared/contract/preference-records.ts'
import type { BatchRecord, QueueRecord } from '../shared/contract/records.ts'
import type { Handlers } from '../shared/rpc/contract.ts'

/** How things stand, as far as a shell shows it outside its window. Undefined until the engine has said so. */
export interface Standing {
  readonly batches: ReadonlyMap<string, BatchRecord> | undefined
  readonly queue: QueueRecord | undefined
  readonly preferences: PreferencesRecord | undefined
}

export type StandingListener = (now: Standing, before: Standing) => void

export interface EngineMirrorParts {
  readonly handlers: Pick<Handlers<EngineContract>, 'batches' | 'queue' | 'preferences'>
  readonly onFault: (error: unknown) => void
  /** Waits before a subscription that ended is taken up again. */
  readonly pause: (signal: AbortSignal) => Promise<void>
}

/** Follows the engine by the same streams as a page, and tells the shell's parts of every change. */
export class EngineMirror {
  #now: Standing = { batches: undefined, queue: undefined, preferences: undefined }
  readonly #listeners = new Set<StandingListener>()
  readonly #end = new AbortController()
  readonly #parts: EngineMirrorParts

  constructor(parts: EngineMirrorParts) {
    this.#parts = parts
    const { handlers } = parts
    const context = { signal: this.#end.signal }
    void this.#follow(
      () => handlers.batches.watch({}, context),
      ({ batches, removed }) => {
        const all = new Map(this.#now.batches)
        for (const batch of batches as BatchRecord[]) all.set(batch.id, batch)
        for (const id of removed) all.delete(id)
        return { batches: all }
      },
    )
    void this.#follow(
      () => handlers.queue.watch({}, context),
      (queue) => ({ queue }),
    )
    void this.#follow(
      () => handlers.preferences.watch({}, context),
      (preferences) => ({ preferences }),
    )
  }

  get now(): Standing {
    return this.#now
  }

  onChange(listener: StandingListener): void {
    this.#listeners.add(listener)
  }

  close(): void {
    this.#end.abort()
  }

  async #follow<T>(open: () => AsyncIterable<T>, read: (item: T) => Partial<Standing>): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      try {
        for await (const item of open()) {
          if (signal.aborted) return
          this.#change(read(item))
        }
      } catch (error) {
        this.#parts.onFault(error)
      }
      if (!signal.aborted) await this.#parts.pause(signal)
    }
  }

  #change(patch: Partial<Standing>): void {
    const before = this.#now
    this.#now = { ...before, ...patch }
    for (const listener of this.#listeners) {
      try {
        listener(this.#now, before)
      } catch (error) {
        // A desktop without a notification service, for instance: it must not end the following.
        this.#parts.onFault(error)
      }
    }
  }
}
