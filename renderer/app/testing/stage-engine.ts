import { windowContract, type WindowContract } from '../../../shared/contract/desktop-bridge.ts'
import type { PreferencesRecord } from '../../../shared/contract/preference-records.ts'
import type {
  BatchRecord,
  ConnectionRecord,
  ImageRecord,
  QueueRecord,
} from '../../../shared/contract/records.ts'
import { builtInPresets } from '../../../shared/presets.ts'
import type { HandlerContext, Handlers } from '../../../shared/rpc/contract.ts'
import { Fault } from '../../../shared/rpc/fault.ts'
import { linkedPorts, type LinkedPort } from '../../../shared/rpc/linked-ports.ts'
import { serve } from '../../../shared/rpc/serve.ts'
import type { SavedPreset } from '../mirrors.ts'
import { Told } from './told.ts'
import { countsOf, find, type StageBatch } from './stage-images.ts'

/** What a test or a picture begins with. */
export interface StageScene {
  readonly connections: readonly ConnectionRecord[]
  readonly queue: QueueRecord
  readonly batches: readonly StageBatch[]
  readonly preferences?: Partial<PreferencesRecord>
}

const preferences: PreferencesRecord = {
  outDir: '/Users/mara/Shoots',
  nameTemplate: '{folder}/{name}{suffix}.{ext}',
  onConflict: 'rename',
  metadata: 'none',
  inFlight: null,
  frugal: false,
  webhookUrl: null,
  webhookPort: null,
  settleSeconds: 180,
  thumbnails: true,
  notifyFinished: true,
  notifyStopped: true,
  theme: 'system',
  language: 'system',
  surround: 'dark',
  letterKeys: true,
  keepZoom: true,
  updateChannel: 'stable',
  recentColors: [],
}

/** Answers in place of the own ones. */
export type Overrides = {
  readonly [G in keyof WindowContract]?: Partial<Handlers<WindowContract>[G]>
}

/** An engine of the interface's tests: it keeps made-up batches in memory and counts what it was asked. */
export class StageEngine {
  readonly connections: Told<readonly ConnectionRecord[]>
  readonly queue: Told<QueueRecord>
  readonly preferences: Told<PreferencesRecord>
  readonly presets: Told<readonly SavedPreset[]>
  /** Batches that changed, for whoever watches. */
  readonly changes = new Told<readonly BatchRecord[]>([])
  /** Rows that changed, and whether rows moved. */
  readonly rows = new Told<{
    readonly batch: string
    readonly changed: readonly ImageRecord[]
    readonly moved: boolean
  }>({
    batch: '',
    changed: [],
    moved: false,
  })
  /** Names of the procedures that were called, in order. */
  readonly asked: string[] = []
  /** Offsets of the pages that were asked for. */
  readonly pages: number[] = []
  readonly batches: Map<string, { record: BatchRecord; images: ImageRecord[] }>
  order = 1
  readonly #overrides: Overrides
  readonly #ports = new Set<LinkedPort>()

  constructor(scene: StageScene, overrides: Overrides = {}) {
    this.#overrides = overrides
    this.connections = new Told(scene.connections)
    this.queue = new Told(scene.queue)
    this.preferences = new Told({ ...preferences, ...scene.preferences })
    this.presets = new Told<readonly SavedPreset[]>(
      builtInPresets.map((preset) => ({ preset, builtIn: true })),
    )
    this.batches = new Map(
      scene.batches.map(({ record, images }) => [record.id, { record, images: [...images] }]),
    )
  }

  /** A port for one page. */
  open(): LinkedPort {
    const [engine, page] = linkedPorts()
    this.#ports.add(page)
    // A page listens a moment after it was given its port; a socket's greeting takes longer than that.
    setTimeout(() => {
      serve(windowContract, this.#handlers(), engine, {
        onInternal: (_, error) => this.asked.push(`! ${String(error)}`),
      })
    }, 0)
    return page
  }

  /** Cuts every line. */
  cut(): void {
    for (const port of this.#ports) port.close()
    this.#ports.clear()
  }

  /** Changes images and tells whoever watches. */
  change(batch: string, ids: readonly number[], to: Partial<ImageRecord>, moved = false): void {
    const kept = this.batches.get(batch)
    if (!kept) return
    const wanted = new Set(ids)
    const changed: ImageRecord[] = []
    kept.images = kept.images.map((image) => {
      if (!wanted.has(image.id)) return image
      const next = { ...image, ...to }
      changed.push(next)
      return next
    })
    kept.record = { ...kept.record, counts: countsOf(kept.images) }
    if (moved) this.order += 1
    this.rows.tell({ batch, changed, moved })
    this.changes.tell([kept.record])
  }

  #handlers(): Handlers<WindowContract> {
    const own = this.#own()
    const groups = Object.entries(windowContract).map(([group, procedures]) => [
      group,
      Object.fromEntries(
        Object.entries(procedures).map(([name, { kind }]) => {
          const handler = (this.#overrides as Table)[group]?.[name] ?? (own as Table)[group]?.[name]
          return [
            name,
            (input: unknown, context: HandlerContext) => {
              this.asked.push(`${group}.${name}`)
              if (handler) return handler(input, context)
              if (kind === 'stream') return nothing(context.signal)
              throw new Fault('refused', 'Not on this stage.')
            },
          ]
        }),
      ),
    ])
    return Object.fromEntries(groups) as Handlers<WindowContract>
  }

  #own(): Overrides {
    return {
      connections: {
        watch: (_, { signal }) =>
          this.connections.watch(signal, (connections) => ({ connections: [...connections] })),
      },
      queue: { watch: (_, { signal }) => this.queue.watch(signal, (queue) => queue) },
      preferences: {
        watch: (_, { signal }) => this.preferences.watch(signal, (value) => value),
        change: (patch) => {
          const given = Object.entries(patch).filter(([, value]) => value !== undefined)
          this.preferences.tell({ ...this.preferences.value, ...Object.fromEntries(given) })
          return {}
        },
      },
      presets: {
        watch: (_, { signal }) =>
          this.presets.watch(signal, (presets) => ({ presets: [...presets], default: 'Catalogue white' })),
      },
      batches: { watch: (_, { signal }) => this.#watchBatches(signal) },
      images: this.#images(),
    }
  }

  #images(): NonNullable<Overrides['images']> {
    const found = (query: Parameters<typeof find>[1]) =>
      find(this.batches.get(query.batch)?.images ?? [], query)
    return {
      watch: (query, { signal }) => this.#watchImages(query, signal),
      page: ({ query, offset, limit }) => {
        this.pages.push(offset)
        const rows = found(query)
        return { total: rows.length, order: this.order, rows: rows.slice(offset, offset + limit) }
      },
      ids: ({ query, from, to }) => ({
        ids: found(query)
          .slice(from, to + 1)
          .map((image) => image.id),
      }),
      mark: ({ target, mark }) => {
        const all = 'ids' in target ? target.ids : found(target.query).map((image) => image.id)
        const batch = [...this.batches.keys()].find((id) =>
          this.batches.get(id)?.images.some((image) => image.id === all[0]),
        )
        if (batch !== undefined) this.change(batch, all, { mark })
        return { images: all.length }
      },
    }
  }

  async *#watchBatches(signal: AbortSignal) {
    const later = this.changes.later(signal)
    yield { batches: [...this.batches.values()].map(({ record }) => record), removed: [] }
    for await (const batches of later) yield { batches: [...batches], removed: [] }
  }

  async *#watchImages(query: Parameters<typeof find>[1], signal: AbortSignal) {
    const totals = () => {
      const images = this.batches.get(query.batch)?.images ?? []
      return { total: find(images, query).length, counts: countsOf(images), order: this.order }
    }
    const later = this.rows.later(signal)
    yield { ...totals(), changed: [], reset: false }
    for await (const { batch, changed } of later) {
      if (batch === query.batch) yield { ...totals(), changed: [...changed], reset: false }
    }
  }
}

type Table = Readonly<
  Record<string, Readonly<Record<string, (input: unknown, context: HandlerContext) => unknown>>>
>

function nothing(signal: AbortSignal): AsyncIterable<unknown> {
  return new Told<unknown>(undefined).later(signal)
}
