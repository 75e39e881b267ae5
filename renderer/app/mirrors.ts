import { createStore, type StoreApi } from 'zustand/vanilla'
import type { EngineClient } from '../../shared/contract/engine-contract.ts'
import type { HotFolderRecord } from '../../shared/contract/hot-folder-records.ts'
import type { OwnFilesRecord } from '../../shared/contract/own-file-records.ts'
import type { PreferencesRecord } from '../../shared/contract/preference-records.ts'
import type { BatchRecord, ConnectionRecord, QueueRecord } from '../../shared/contract/records.ts'
import type { Preset } from '../../shared/presets.ts'
import type { Line } from './line.ts'

export interface SavedPreset {
  readonly preset: Preset
  readonly builtIn: boolean
}

export interface Notice {
  readonly id: number
  readonly message: string
  readonly tone: 'note' | 'warning' | 'error'
}

/** `known` is false until the engine has said how things stand. */
interface Mirrored<T> {
  readonly known: boolean
  readonly value: T
}

export interface BatchList {
  readonly byId: ReadonlyMap<string, BatchRecord>
  /** Ids in queue order. */
  readonly order: readonly string[]
}

/** What the engine last said of itself. Interfaces read these and never a pending answer. */
export interface Mirrors {
  readonly connections: StoreApi<Mirrored<readonly ConnectionRecord[]>>
  readonly queue: StoreApi<Mirrored<QueueRecord | undefined>>
  readonly batches: StoreApi<Mirrored<BatchList>>
  readonly presets: StoreApi<
    Mirrored<{ readonly presets: readonly SavedPreset[]; readonly default: string | null }>
  >
  readonly hotFolders: StoreApi<Mirrored<readonly HotFolderRecord[]>>
  readonly ownFiles: StoreApi<Mirrored<OwnFilesRecord | undefined>>
  readonly preferences: StoreApi<Mirrored<PreferencesRecord | undefined>>
  /** The last one. */
  readonly notice: StoreApi<Mirrored<Notice | undefined>>
}

/** Starts the mirrors; they run until `signal` ends them, over reconnections. */
export function createMirrors(line: Pick<Line, 'follow' | 'state'>, signal: AbortSignal): Mirrors {
  const mirrors: Mirrors = {
    connections: createStore(() => ({ known: false, value: [] })),
    queue: createStore(() => ({ known: false, value: undefined })),
    batches: createStore(() => ({ known: false, value: { byId: new Map(), order: [] } })),
    presets: createStore(() => ({ known: false, value: { presets: [], default: null } })),
    hotFolders: createStore(() => ({ known: false, value: [] })),
    ownFiles: createStore(() => ({ known: false, value: undefined })),
    preferences: createStore(() => ({ known: false, value: undefined })),
    notice: createStore(() => ({ known: false, value: undefined })),
  }
  const mirror = <T>(
    open: (api: EngineClient, options: { signal?: AbortSignal }) => AsyncIterable<T>,
    put: (item: T) => void,
  ) => line.follow(open, put, signal)

  mirror(
    (api, options) => api.connections.watch({}, options),
    ({ connections }) => mirrors.connections.setState({ known: true, value: connections }),
  )
  mirror(
    (api, options) => api.queue.watch({}, options),
    (queue) => mirrors.queue.setState({ known: true, value: queue }),
  )
  mirror(
    (api, options) => api.presets.watch({}, options),
    (value) => mirrors.presets.setState({ known: true, value }),
  )
  mirror(
    (api, options) => api.hotFolders.watch({}, options),
    ({ folders }) => mirrors.hotFolders.setState({ known: true, value: folders }),
  )
  mirror(
    (api, options) => api.ownFiles.watch({}, options),
    (value) => mirrors.ownFiles.setState({ known: true, value }),
  )
  mirror(
    (api, options) => api.preferences.watch({}, options),
    (value) => mirrors.preferences.setState({ known: true, value }),
  )
  mirror(
    (api, options) => api.notices.watch({}, options),
    (value) => mirrors.notice.setState({ known: true, value }),
  )
  mirror(
    // Every subscription begins with all batches: what was known before may be gone meanwhile.
    (api, options) => {
      fresh = true
      return api.batches.watch({}, options)
    },
    (item) => {
      const before = fresh
        ? { byId: new Map<string, BatchRecord>(), order: [] }
        : mirrors.batches.getState().value
      fresh = false
      mirrors.batches.setState({ known: true, value: mergeBatches(before, item) })
    },
  )
  let fresh = true
  return mirrors
}

/** Applies what changed: records replace their former selves, new ones join at the end, removed ones go. */
export function mergeBatches(
  before: BatchList,
  item: {
    readonly batches: readonly BatchRecord[]
    readonly removed: readonly string[]
    readonly order?: readonly string[] | undefined
  },
): BatchList {
  const byId = new Map(before.byId)
  for (const batch of item.batches) byId.set(batch.id, batch)
  for (const id of item.removed) byId.delete(id)
  const order = [...(item.order ?? before.order), ...byId.keys()].filter((id) => byId.has(id))
  return { byId, order: [...new Set(order)] }
}
