import { setImmediate } from 'node:timers/promises'
import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import type { BatchRecord } from '../../shared/contract/records.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { deliveryKey } from '../store/images.ts'
import type { Batch } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { activeOf, type BatchRecords } from './batch-records.ts'
import type { Changes } from './changes.ts'
import type { ConnectionBook } from './connection-book.ts'
import type { ImageActions } from './image-actions.ts'
import { anyAfter } from './joined.ts'
import { prepareFolder } from './output-place.ts'
import type { InterfaceParts } from './parts.ts'
import type { Workplace } from './workplace.ts'
import { say } from '../../shared/language/say.ts'

/** Rates and what is left change by time alone. */
const refreshMs = 5000
const rekeyedAtATime = 1000

export interface BatchHandlerParts {
  readonly parts: InterfaceParts
  readonly book: ConnectionBook
  readonly workplace: Workplace
  readonly changes: Changes
  readonly records: BatchRecords
  readonly actions: ImageActions
}

export function batchHandlers(all: BatchHandlerParts): Handlers<EngineContract>['batches'] {
  const { parts, actions, book, workplace } = all
  const { store } = parts
  const find = (id: string) => batchOf(store, id)
  return {
    watch: (_, { signal }) => watch(all, signal),
    start: ({ batch }) => {
      startBatch({ store, book, workplace }, find(batch))
      return {}
    },
    pause: ({ batch }) => {
      const { seq, state } = find(batch)
      if (state === 'running' || state === 'interrupted') store.batches.setState(seq, 'paused')
      return {}
    },
    rename: ({ batch, name }) => {
      store.batches.rename(find(batch).seq, name)
      return {}
    },
    move: ({ batch, before }) => {
      moveBatch(store, find(batch), before === null ? undefined : find(before))
      return {}
    },
    setBudget: ({ batch, budget }) => {
      const { seq, state, stopReason } = find(batch)
      store.batches.setBudget(seq, budget)
      if (state === 'stopped' && stopReason === 'budget') store.batches.setState(seq, 'running')
      return {}
    },
    setOutDir: async ({ batch, outDir }) => {
      const folder = await prepareFolder(outDir)
      await moveOutputs(store, find(batch), folder)
      return {}
    },
    release: async ({ batch }) => {
      const { seq } = find(batch)
      const ids = store.images.inState(seq, 'held').map(({ id }) => id)
      return { images: await actions.release({ ids }) }
    },
    remove: async ({ batch }) => {
      const { seq, id } = find(batch)
      await removeBatch(store, actions, seq, id)
      return {}
    },
  }
}

/** @throws Fault `gone` */
export function batchOf(store: Store, id: string): Batch {
  const batch = store.batches.byId(id)
  if (!batch) throw new Fault('gone', say`This batch is not there any more.`)
  return batch
}

/** Has a batch worked on. @throws Fault where that needs another connection first */
function startBatch(
  {
    store,
    book,
    workplace,
  }: { readonly store: Store; readonly book: ConnectionBook; readonly workplace: Workplace },
  batch: Batch,
) {
  const saved = book.ofStore(batch.connectionId)
  if (!saved) {
    throw new Fault(
      'refused',
      say`The account of this batch is not connected any more; connect it again to go on.`,
    )
  }
  if (book.active()?.id !== saved.id) {
    throw new Fault('refused', say`This batch belongs to ${saved.name}; switch to that connection to go on.`)
  }
  if (!workplace.bench) throw new Fault('refused', workplace.trouble ?? say`The connection is not open yet.`)
  store.batches.setState(batch.seq, 'running')
}

function moveBatch(store: Store, batch: Batch, before: Batch | undefined) {
  store.transaction(() => {
    const order = store.batches
      .listed()
      .map(({ seq }) => seq)
      .filter((seq) => seq !== batch.seq)
    const at = before ? order.indexOf(before.seq) : -1
    order.splice(at < 0 ? order.length : at, 0, batch.seq)
    store.batches.setOrder(order)
  })
}

/** Another folder for what is still to come; what is delivered stays where it is. */
async function moveOutputs(store: Store, batch: Batch, folder: string) {
  if (folder === batch.outDir) return
  store.batches.setOutDir(batch.seq, folder)
  for (let position = 0; ; position += rekeyedAtATime) {
    const images = store.lists.window(batch.seq, position, rekeyedAtATime)
    if (images.length === 0) return
    store.transaction(() => {
      for (const image of images) {
        if (image.state !== 'held' && image.state !== 'waiting') continue
        const key = deliveryKey(image.source, store.images.recipeById(image.recipeId), folder)
        store.images.setRecipe(image, image.recipeId, key, image.preset)
      }
    })
    await setImmediate()
  }
}

async function removeBatch(store: Store, actions: ImageActions, seq: number, id: string) {
  const before = store.batches.counts(seq)
  if (activeOf(before) > 0) {
    const runs = activeOf(before)
    throw new Fault(
      'refused',
      runs === 1
        ? say`One run of this batch is still at the service; remove it when they are home.`
        : say`${runs} runs of this batch are still at the service; remove it when they are home.`,
    )
  }
  if (before.review > 0) {
    throw new Fault(
      'refused',
      say`Images of this batch need your decision first: they may have been charged.`,
    )
  }
  store.batches.setState(seq, 'paused')
  const ids = ['held', 'waiting'] as const
  await actions.cancel({
    ids: ids.flatMap((state) => store.images.inState(seq, state).map((image) => image.id)),
  })
  // The queue may have taken one just before.
  if (activeOf(store.batches.counts(seq)) > 0) {
    throw new Fault('refused', say`An image of batch ${id} was sent just now; remove it when it is home.`)
  }
  store.transaction(() => {
    store.batches.setState(seq, 'finished')
    store.batches.hide(seq)
  })
}

/** First all, in order; then what changed. */
async function* watch(all: BatchHandlerParts, signal: AbortSignal): AsyncGenerator<BatchNews> {
  const { parts, workplace, changes, book } = all
  const topics = [changes.topic, workplace.topic, book.topic]
  const feed = new BatchFeed(all)
  const leave = changes.follow()
  try {
    while (!signal.aborted) {
      const known = topics.map(({ version }) => version)
      const news = feed.take()
      if (news) yield news
      const waited = new AbortController()
      const either = AbortSignal.any([signal, waited.signal])
      await Promise.race([anyAfter(topics, known, either), parts.clock.sleep(refreshMs, either)])
      waited.abort()
    }
  } finally {
    leave()
  }
}

interface BatchNews {
  readonly batches: BatchRecord[]
  readonly removed: string[]
  readonly order?: string[]
}

/** What one follower has not been told yet. Its cost is that of the batches that changed. */
class BatchFeed {
  readonly #all: BatchHandlerParts
  readonly #told = new Map<string, string>()
  #order: string | undefined
  #images = -1
  #batches = -1
  #others = ''
  #refreshed = -Infinity

  constructor(all: BatchHandlerParts) {
    this.#all = all
  }

  take(): BatchNews | undefined {
    const { store } = this.#all.parts
    const touched = this.#touched()
    const listed = store.batches.listed()
    const ids = listed.map(({ id }) => id)
    const batches = listed
      .filter(({ seq, id }) => !touched || touched.has(seq) || !this.#told.has(id))
      .map((batch) => this.#all.records.record(batch))
      .filter((record) => this.#isNews(record))
    const present = new Set(ids)
    const removed = [...this.#told.keys()].filter((id) => !present.has(id))
    for (const id of removed) this.#told.delete(id)
    const moved = ids.join() !== this.#order
    this.#order = ids.join()
    if (batches.length === 0 && removed.length === 0 && !moved) return undefined
    return { batches, removed, ...(moved ? { order: ids } : {}) }
  }

  #isNews(record: BatchRecord): boolean {
    const text = JSON.stringify(record)
    if (this.#told.get(record.id) === text) return false
    this.#told.set(record.id, text)
    return true
  }

  /** Batches to be looked at; undefined for all. */
  #touched(): ReadonlySet<number> | undefined {
    const { parts, workplace, book } = this.#all
    const { lists, batches, images } = parts.store
    const since = { images: this.#images, batches: this.#batches }
    this.#images = images.change()
    this.#batches = batches.change()
    const others = `${workplace.topic.version} ${book.topic.version}`
    const now = parts.clock.monotonic()
    const all = others !== this.#others || now - this.#refreshed >= refreshMs
    this.#others = others
    if (all) {
      this.#refreshed = now
      return undefined
    }
    return new Set([
      ...lists.batchesChangedSince(since.images),
      ...batches.changedSince(since.batches).map(({ seq }) => seq),
    ])
  }
}
