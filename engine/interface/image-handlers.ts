import { randomUUID } from 'node:crypto'
import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import type { CountsRecord, ImageRecord } from '../../shared/contract/records.ts'
import { extraCredits, type CreditRange } from '../../shared/prices.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { estimate } from '../queue/prices.ts'
import type { Image } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { plus } from './batch-records.ts'
import type { Changes } from './changes.ts'
import { imageOf, type FullTarget, type ImageActions, type Urgencies } from './image-actions.ts'
import { editImages, settingsOf, takeBackEdit, type Former } from './image-edits.ts'
import { ImageRecords } from './image-records.ts'
import type { FullQuery, ImageViews } from './image-views.ts'
import { readPicked, type Picked, type PickingParts } from './picked-pictures.ts'
import { say } from '../../shared/language/say.ts'

export interface ImageHandlerParts extends PickingParts {
  readonly changes: Changes
  readonly views: ImageViews
  readonly actions: ImageActions
}

interface RetryPlan {
  /** Another picture in the place of the only image. */
  readonly picked?: Picked
  readonly free: readonly number[]
  readonly paid: readonly number[]
}

const mostKept = 50
/** Edits that can be taken back; each may name a hundred thousand images. */
const mostEdits = 10
const none: CreditRange = { min: 0, max: 0 }

/** Keeps something for a later question, by a name of its own; the oldest is forgotten in the end. */
function kept<T>(all: Map<string, T>, one: T, most = mostKept): string {
  const id = randomUUID()
  all.set(id, one)
  const [oldest] = all.keys()
  if (all.size > most && oldest !== undefined) all.delete(oldest)
  return id
}

export function imageHandlers(all: ImageHandlerParts): Handlers<EngineContract>['images'] {
  const { views, actions, workplace } = all
  const { store } = all.parts
  const plans = new Map<string, RetryPlan>()
  const moves = new Map<string, Urgencies>()
  const edits = new Map<string, Former>()
  const records = () => new ImageRecords(store, workplace.bytes)
  const counted = async (work: Promise<number>) => ({ images: await work })
  return {
    watch: (query, { signal }) => watch(all, query, signal),
    page: ({ query, offset, limit }) => {
      const view = views.of(query)
      const made = records()
      const rows = view.window(offset, limit).map((image) => made.record(image))
      return { total: view.total, order: view.order, rows }
    },
    ids: ({ query, from, to }) => ({ ids: [...views.of(query).ids(from, to)] }),
    details: ({ image }) => records().details(imageOf(store, image)),
    settings: (target) => settingsOf(store, usesOf(store, views, target)),
    edit: async ({ target, undoable = false, ...edit }) => {
      const { images, former } = await editImages(store, actions, target, edit)
      return undoable && images > 0 ? { images, edit: kept(edits, former, mostEdits) } : { images }
    },
    takeBackEdit: async ({ edit }) => {
      const former = edits.get(edit)
      if (!former) throw new Fault('refused', say`That change is too long ago to be taken back.`)
      edits.delete(edit)
      return { images: (await takeBackEdit(store, former)).images }
    },
    cancel: async (target) => await counted(actions.cancel(target)),
    putBack: async (target) => await counted(actions.putBack(target)),
    moveFirst: async (target) => {
      const { images, before } = await actions.moveFirst(target)
      return { images, move: kept(moves, before) }
    },
    moveBack: async ({ move }) => {
      const before = moves.get(move)
      if (!before) throw new Fault('refused', say`That move is too long ago to be taken back.`)
      moves.delete(move)
      return await counted(actions.moveBack(before))
    },
    release: async (target) => await counted(actions.release(target)),
    planRetry: (target) => planRecord(plans, planRetry(store, actions.idsOf(target))),
    planPick: async (wanted, { signal }) => {
      const picked = await readPicked(all, wanted, signal)
      const plan = planRecord(plans, { ...planRetry(store, [wanted.image]), picked })
      return { ...plan, file: picked.file }
    },
    retry: async ({ plan: id }) => {
      const plan = plans.get(id)
      plans.delete(id)
      if (!plan) throw new Fault('gone', say`What was shown is too old; look at the price once more.`)
      if (plan.picked) return { images: actions.pick(plan.picked) }
      return await counted(actions.retry(plan.free, plan.paid))
    },
    mark: async ({ target, mark }) => await counted(actions.mark(target, mark)),
  }
}

function usesOf(store: Store, views: ImageViews, target: FullTarget) {
  if ('ids' in target) return store.lists.recipesOf(target.ids)
  const { query } = target
  views.of(query)
  return store.lists.recipes(store.batches.byId(query.batch)!.seq, query)
}

/** What a person is shown of a plan, which is kept until it is carried out. */
function planRecord(
  plans: Map<string, RetryPlan>,
  plan: ReturnType<typeof planRetry> & Pick<RetryPlan, 'picked'>,
) {
  const { free, paid, alreadyCharged, cost, extras } = plan
  return {
    plan: kept(plans, plan),
    free: free.length,
    paid: paid.length,
    alreadyCharged,
    cost,
    extras,
  }
}

/** What it costs to run images once more: nothing where their result is at the service, else a run each. */
function planRetry(store: Store, ids: readonly number[]) {
  const free: number[] = []
  const paid: number[] = []
  let alreadyCharged = 0
  let cost: CreditRange | null = none
  let extras: CreditRange | undefined
  for (const id of ids) {
    const image = store.images.byId(id)
    if (!image || !['failed', 'delivered', 'skipped', 'cancelled'].includes(image.state)) continue
    if (image.state === 'failed' && image.serviceStatus === 'SUCCESS') {
      free.push(id)
      continue
    }
    paid.push(id)
    if (image.state !== 'skipped') alreadyCharged += image.credits ?? 0
    const recipe = store.images.recipeById(image.recipeId)
    const price = estimate(store, connectionOf(store, image), recipe)
    cost = cost && price ? plus(cost, price) : null
    const more = extraCredits(recipe.settings)
    extras = extras ? { min: Math.min(extras.min, more.min), max: Math.max(extras.max, more.max) } : more
  }
  return { free, paid, alreadyCharged, cost, extras: extras ?? none }
}

function connectionOf(store: Store, image: Image): number {
  return store.batches.bySeq(image.batchSeq).connectionId
}

interface ImageNews {
  readonly total: number
  readonly counts: CountsRecord
  readonly order: number
  readonly changed: ImageRecord[]
  readonly reset: boolean
}

async function* watch(
  { parts: { store }, views, changes, workplace: { bytes } }: ImageHandlerParts,
  query: FullQuery,
  signal: AbortSignal,
): AsyncGenerator<ImageNews> {
  const leave = changes.follow()
  let known = store.images.change()
  let heard = bytes.version
  let told = ''
  try {
    let first = true
    while (!signal.aborted) {
      const { version } = changes.topic
      const view = views.of(query)
      const now = store.images.change()
      const { rows: touched, reset } = view.changedSince(known)
      const rows = reset ? [] : withDownloads(store, query.batch, touched, bytes.since(heard))
      known = now
      heard = bytes.version
      const made = new ImageRecords(store, bytes)
      const news = { total: view.total, counts: view.counts(), order: view.order }
      const text = JSON.stringify(news)
      if (first || reset || rows.length > 0 || text !== told) {
        yield { ...news, changed: rows.map((row) => made.record(row)), reset: first || reset }
      }
      told = text
      first = false
      await changes.topic.after(version, signal)
    }
  } finally {
    leave()
  }
}

/** Images that changed, and those of the batch of which more has come. */
function withDownloads(
  store: Store,
  batch: string,
  rows: readonly Image[],
  ids: readonly number[],
): readonly Image[] {
  if (ids.length === 0) return rows
  const seq = store.batches.byId(batch)?.seq
  const known = new Set(rows.map(({ id }) => id))
  const more = store.lists.byIds(ids.filter((id) => !known.has(id)))
  return [...rows, ...more.filter(({ batchSeq, state }) => batchSeq === seq && state === 'downloading')]
}
