import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { targetSchema } from '../../shared/contract/records.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import type { ImageState } from '../../shared/states.ts'
import { DecisionError } from '../batches/decisions.ts'
import { takePicked, type PickedPicture } from '../batches/picked-picture.ts'
import { manifestOf } from '../delivery/manifest-lines.ts'
import type { ManifestWriter } from '../delivery/manifest.ts'
import { anew } from '../batches/anew.ts'
import type { Image } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { ImageViews } from './image-views.ts'
import { say } from '../../shared/language/say.ts'

export type FullTarget = z.output<typeof targetSchema>

/** So many images are changed in one transaction; other work gets its turn between two. */
const atATime = 1000

/** How urgent images are, by their ids; the most urgent of a batch is sent first. */
export type Urgencies = ReadonlyMap<number, number>

/** What a person does to images, one or a hundred thousand: each move is the table's, and is in the store at once. */
export class ImageActions {
  readonly #store: Store
  readonly #views: ImageViews
  readonly #manifests: ManifestWriter
  readonly #mayWrite: () => boolean

  /** @param mayWrite whether this process writes manifests at present: only the one with the lease does */
  constructor(store: Store, views: ImageViews, manifests: ManifestWriter, mayWrite: () => boolean) {
    this.#store = store
    this.#views = views
    this.#manifests = manifests
    this.#mayWrite = mayWrite
  }

  idsOf(target: FullTarget): readonly number[] {
    if ('ids' in target) return [...new Set(target.ids)]
    return this.#views.of(target.query).ids(0, Infinity)
  }

  /** Cancels what is held or waiting; runs at the service finish and are delivered. */
  async cancel(target: FullTarget): Promise<number> {
    return await this.#each(this.idsOf(target), (image) =>
      this.#move(image, ['held', 'waiting'], 'cancelled'),
    )
  }

  async putBack(target: FullTarget): Promise<number> {
    return await this.#each(this.idsOf(target), (image) => this.#again(image, ['cancelled']), { wake: true })
  }

  async release(target: FullTarget): Promise<number> {
    return await this.#each(this.idsOf(target), (image) => this.#move(image, ['held'], 'waiting'), {
      wake: true,
    })
  }

  /** @returns how many were moved, and how urgent each was before */
  async moveFirst(target: FullTarget): Promise<{ readonly images: number; readonly before: Urgencies }> {
    const urgency = new Map<number, number>()
    const before = new Map<number, number>()
    const images = await this.#each(this.idsOf(target), (image) => {
      if (image.state !== 'held' && image.state !== 'waiting') return false
      let value = urgency.get(image.batchSeq)
      if (value === undefined) {
        value = this.#store.images.mostUrgent(image.batchSeq) + 1
        urgency.set(image.batchSeq, value)
      }
      const was = this.#store.images.urgencyOf(image.id)
      const isMoved = this.#store.images.setFirst(image.id, value)
      if (isMoved) before.set(image.id, was)
      return isMoved
    })
    return { images, before }
  }

  async moveBack(before: Urgencies): Promise<number> {
    return await this.#each([...before.keys()], ({ id }) =>
      this.#store.images.setFirst(id, before.get(id) ?? 0),
    )
  }

  async mark(target: FullTarget, mark: string | null): Promise<number> {
    return await this.#each(this.idsOf(target), (image) => this.#store.images.setMark(image.id, mark))
  }

  /** Runs images once more, or only fetches their results again. */
  async retry(free: readonly number[], paid: readonly number[]): Promise<number> {
    const fetched = await this.#each(
      free,
      (image) =>
        image.state === 'failed' &&
        this.#store.images.tryMove(image.id, 'failed', 'downloading', { error: null }),
      { wake: true },
    )
    const again = ['failed', 'delivered', 'skipped', 'cancelled'] as const
    return fetched + (await this.#each(paid, (image) => this.#again(image, again), { wake: true }))
  }

  /** Puts an image that failed back into the queue with another picture. @throws Fault where that is not possible any more */
  pick(picked: PickedPicture): number {
    const { batchSeq } = imageOf(this.#store, picked.image)
    try {
      this.#store.transaction(() => {
        takePicked(this.#store, picked)
        wakeBatch(this.#store, batchSeq)
      })
    } catch (error) {
      if (error instanceof DecisionError) throw new Fault('refused', error.message)
      throw error
    }
    this.changed([batchSeq])
    return 1
  }

  #move(image: Image, from: readonly ImageState[], to: ImageState): boolean {
    return from.includes(image.state) && this.#store.images.tryMove(image.id, image.state, to)
  }

  #again(image: Image, from: readonly ImageState[]): boolean {
    if (!from.includes(image.state)) return false
    if (!this.#store.images.tryMove(image.id, image.state, 'waiting', anew)) return false
    // What it was delivered as stays on the disk; the new result is another.
    this.#store.outputs.forget(image.id)
    return true
  }

  async #each(
    ids: readonly number[],
    act: (image: Image) => boolean,
    { wake = false }: { readonly wake?: boolean } = {},
  ): Promise<number> {
    const touched = new Set<number>()
    let changed = 0
    for (let at = 0; at < ids.length; at += atATime) {
      this.#store.transaction(() => {
        for (const id of ids.slice(at, at + atATime)) {
          const image = this.#store.images.byId(id)
          if (!image || !act(image)) continue
          changed += 1
          if (!touched.has(image.batchSeq)) {
            touched.add(image.batchSeq)
            if (wake) wakeBatch(this.#store, image.batchSeq)
          }
        }
      })
      await setImmediate()
    }
    this.changed(touched)
    return changed
  }

  /** The manifests of these batches are written anew. */
  changed(seqs: Iterable<number>) {
    if (!this.#mayWrite()) return
    for (const seq of seqs) this.#manifests.changed(manifestOf(this.#store, this.#store.batches.bySeq(seq)))
  }
}

/** A batch that had ended has something to do again; one that is paused stays so. */
export function wakeBatch(store: Store, seq: number) {
  const { state } = store.batches.bySeq(seq)
  if (state === 'finished' || state === 'stopped') store.batches.setState(seq, 'running')
}

/** @throws Fault `gone` */
export function imageOf(store: Store, id: number): Image {
  const image = store.images.byId(id)
  if (!image) throw new Fault('gone', say`This image is not there any more.`)
  return image
}
