import { createHash } from 'node:crypto'
import { mayMove, type ImageState } from '../../shared/states.ts'
import type { Statements } from './database.ts'
import type { Image, Recipe } from './rows.ts'

const columns = `id, batch_seq AS batchSeq, position, source, folder, name, recipe_id AS recipeId,
  delivery_key AS deliveryKey, state, run_id AS runId, service_status AS serviceStatus, credits, error, resends,
  output_count AS outputCount, earlier_image_id AS earlierImageId, changed`

export interface NewImage {
  readonly source: string
  readonly folder: string
  readonly name: string | null
  readonly state: 'waiting' | 'held' | 'skipped'
  readonly earlierImageId: number | null
}

/** Fields that may change with a state; a field left out keeps its value. */
export interface ImagePatch {
  readonly runId?: string | null
  readonly serviceStatus?: string | null
  readonly credits?: number | null
  readonly error?: string | null
  readonly resends?: number
  readonly outputCount?: number | null
}

/** Fingerprint of "this picture, this app, these settings, into this folder": what is delivered once. */
export function deliveryKey(source: string, recipe: Recipe, outDir: string): string {
  return createHash('sha256')
    .update([source, recipe.appId, stable(recipe.settings), stable(recipe.parameters), outDir].join('\0'))
    .digest('hex')
}

function stable(value: object): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

const patchColumns = {
  runId: 'run_id',
  serviceStatus: 'service_status',
  credits: 'credits',
  error: 'error',
  resends: 'resends',
  outputCount: 'output_count',
} as const satisfies Record<keyof ImagePatch, string>

/** The images of all batches. Every change raises the store's change number, by which followers read on. */
export class ImageTable {
  readonly #db: Statements
  constructor(db: Statements) {
    this.#db = db
  }

  recipe(recipe: Recipe): number {
    const sha256 = createHash('sha256')
      .update([recipe.appId, stable(recipe.settings), stable(recipe.parameters)].join('\0'))
      .digest('hex')
    const row = this.#db
      .prepare<[string, string, string, string], { id: number }>(
        `INSERT INTO recipe (sha256, app_id, settings, parameters) VALUES (?, ?, ?, ?)
         ON CONFLICT (sha256) DO UPDATE SET sha256 = excluded.sha256 RETURNING id`,
      )
      .get(sha256, recipe.appId, JSON.stringify(recipe.settings), JSON.stringify(recipe.parameters))
    return row!.id
  }

  recipeById(id: number): Recipe {
    const row = this.#db
      .prepare<[number], { appId: string; settings: string; parameters: string }>(
        'SELECT app_id AS appId, settings, parameters FROM recipe WHERE id = ?',
      )
      .get(id)!
    return {
      appId: row.appId,
      settings: JSON.parse(row.settings) as Recipe['settings'],
      parameters: JSON.parse(row.parameters) as Recipe['parameters'],
    }
  }

  add(batchSeq: number, firstPosition: number, recipe: Recipe, outDir: string, images: readonly NewImage[]) {
    const recipeId = this.recipe(recipe)
    const changed = this.#nextChange()
    const insert = this.#db.prepare(
      `INSERT INTO image (batch_seq, position, source, folder, name, recipe_id, delivery_key, state,
         earlier_image_id, changed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    for (const [index, image] of images.entries()) {
      const key = deliveryKey(image.source, recipe, outDir)
      insert.run(
        batchSeq,
        firstPosition + index,
        image.source,
        image.folder,
        image.name,
        recipeId,
        key,
        image.state,
        image.earlierImageId,
        changed,
      )
    }
  }

  byId(id: number): Image | undefined {
    return this.#db.prepare<[number], Image>(`SELECT ${columns} FROM image WHERE id = ?`).get(id)
  }

  byRun(runId: string): Image | undefined {
    return this.#db.prepare<[string], Image>(`SELECT ${columns} FROM image WHERE run_id = ?`).get(runId)
  }

  /** The next image to submit in a batch, in the order of intake. */
  nextWaiting(batchSeq: number): Image | undefined {
    return this.#db
      .prepare<[number], Image>(
        `SELECT ${columns} FROM image WHERE batch_seq = ? AND state = 'waiting' ORDER BY position LIMIT 1`,
      )
      .get(batchSeq)
  }

  /** Images of a batch in a state, in order; `limit` rows from `after` (a position) on. */
  inState(batchSeq: number, state: ImageState, limit = -1, after = -1): Image[] {
    return this.#db
      .prepare<[number, ImageState, number, number], Image>(
        `SELECT ${columns} FROM image WHERE batch_seq = ? AND state = ? AND position > ?
         ORDER BY position LIMIT ?`,
      )
      .all(batchSeq, state, after, limit)
  }

  /** Images of a batch in order, `limit` rows from `after` (a position) on. */
  page(batchSeq: number, after: number, limit: number): Image[] {
    return this.#db
      .prepare<[number, number, number], Image>(
        `SELECT ${columns} FROM image WHERE batch_seq = ? AND position > ? ORDER BY position LIMIT ?`,
      )
      .all(batchSeq, after, limit)
  }

  /** Images of a batch that changed after the given change number, oldest change first. */
  changedSince(batchSeq: number, change: number, limit: number): Image[] {
    return this.#db
      .prepare<[number, number, number], Image>(
        `SELECT ${columns} FROM image WHERE changed > ? AND batch_seq = ? ORDER BY changed, id LIMIT ?`,
      )
      .all(change, batchSeq, limit)
  }

  /** The newest delivered image with this fingerprint. */
  delivered(key: string): Image | undefined {
    return this.#db
      .prepare<[string], Image>(
        `SELECT ${columns} FROM image WHERE delivery_key = ? AND state = 'delivered' ORDER BY id DESC LIMIT 1`,
      )
      .get(key)
  }

  /**
   * Moves an image from one state to another, with what changes beside it.
   * @throws Error when the table of transitions forbids it, or the image is not in `from` (somebody else moved it).
   */
  move(id: number, from: ImageState, to: ImageState, patch: ImagePatch = {}) {
    if (!mayMove(from, to)) throw new Error(`An image may not go from ${from} to ${to}.`)
    if (!this.#update(id, from, to, patch)) throw new Error(`Image ${id} is not ${from}.`)
  }

  /** As `move`, for races with other processes: false when the image is no longer in `from`. */
  tryMove(id: number, from: ImageState, to: ImageState, patch: ImagePatch = {}): boolean {
    if (!mayMove(from, to)) throw new Error(`An image may not go from ${from} to ${to}.`)
    return this.#update(id, from, to, patch)
  }

  /** Changes fields without changing the state. */
  patch(id: number, state: ImageState, patch: ImagePatch) {
    this.#update(id, state, state, patch)
  }

  #update(id: number, from: ImageState, to: ImageState, patch: ImagePatch): boolean {
    const keys = Object.keys(patch) as (keyof ImagePatch)[]
    const sets = keys.map((key) => `${patchColumns[key]} = @${key}`)
    const result = this.#db
      .prepare(
        `UPDATE image SET state = @to, changed = @changed${sets.map((set) => `, ${set}`).join('')}
         WHERE id = @id AND state = @from`,
      )
      .run({ id, from, to, changed: this.#nextChange(), ...patch })
    return result.changes === 1
  }

  #nextChange(): number {
    return this.#db
      .prepare<[], { value: number }>(
        "UPDATE meta SET value = value + 1 WHERE key = 'change' RETURNING value",
      )
      .get()!.value
  }

  /** The newest change number. */
  change(): number {
    return this.#db.prepare<[], { value: number }>("SELECT value FROM meta WHERE key = 'change'").get()!.value
  }
}
