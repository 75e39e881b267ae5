import { createHash } from 'node:crypto'
import { mayMove, type ImageState } from '../../shared/states.ts'
import type { Clock } from '../clock.ts'
import type { Statements } from './database.ts'
import type { Image, Recipe } from './rows.ts'
import { titleOf } from './title.ts'

export const imageColumns = `id, batch_seq AS batchSeq, position, source, folder, name, recipe_id AS recipeId,
  delivery_key AS deliveryKey, state, run_id AS runId, service_status AS serviceStatus, credits, error, resends,
  output_count AS outputCount, earlier_image_id AS earlierImageId, changed, title, preset, mark, since, settled,
  picture, picked`

export interface NewImage {
  readonly source: string
  readonly folder: string
  readonly name: string | null
  readonly state: 'waiting' | 'held' | 'skipped'
  readonly earlierImageId: number | null
  /** Where a batch has several presets: the one of this image, its settings, and which picture of the batch it is. */
  readonly variant?: { readonly preset: string | null; readonly recipe: Recipe; readonly picture: number }
}

/** Fields that may change with a state; a field left out keeps its value. */
export interface ImagePatch {
  readonly runId?: string | null
  readonly serviceStatus?: string | null
  readonly credits?: number | null
  readonly error?: string | null
  readonly resends?: number
  readonly outputCount?: number | null
  readonly earlierImageId?: number | null
}

/** Fingerprint of "this picture, this app, these settings, into this folder": what is delivered once. */
export function deliveryKey(source: string, recipe: Recipe, outDir: string): string {
  return createHash('sha256')
    .update([source, recipe.appId, stable(recipe.settings), stable(recipe.parameters), outDir].join('\0'))
    .digest('hex')
}

/** Whether two recipes send the same beside a picture's address. */
export function isSameRecipe(a: Recipe, b: Recipe): boolean {
  return (
    a.appId === b.appId &&
    stable(a.settings) === stable(b.settings) &&
    stable(a.parameters) === stable(b.parameters)
  )
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
  earlierImageId: 'earlier_image_id',
} as const satisfies Record<keyof ImagePatch, string>

/** What a move says of times: when a submission began, when its run was accepted, when all was over. */
function timesOf(to: ImageState): readonly string[] {
  switch (to) {
    case 'held':
    case 'waiting':
      return ['since = NULL', 'settled = NULL']
    case 'submitting':
    case 'running':
      return ['since = @now', 'settled = NULL']
    case 'downloading':
      return ['settled = NULL']
    case 'delivered':
    case 'failed':
      return ['settled = @now']
    case 'skipped':
    case 'review':
    case 'cancelled':
      return []
  }
}

/** The images of all batches. Every change raises the store's change number, by which followers read on. */
export class ImageTable {
  readonly #db: Statements
  readonly #clock: Pick<Clock, 'now'>
  constructor(db: Statements, clock: Pick<Clock, 'now'>) {
    this.#db = db
    this.#clock = clock
  }

  recipe(recipe: Recipe): number {
    const sha256 = createHash('sha256')
      .update([recipe.appId, stable(recipe.settings), stable(recipe.parameters)].join('\0'))
      .digest('hex')
    const [row] = this.#db
      .prepare<[string, string, string, string], { id: number }>(
        `INSERT INTO recipe (sha256, app_id, settings, parameters) VALUES (?, ?, ?, ?)
         ON CONFLICT (sha256) DO UPDATE SET sha256 = excluded.sha256 RETURNING id`,
      )
      .all(sha256, recipe.appId, JSON.stringify(recipe.settings), JSON.stringify(recipe.parameters))
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

  /**
   * @param recipe of those that have no variant of their own
   * @param preset where it is another than the batch's
   */
  add(
    batchSeq: number,
    firstPosition: number,
    recipe: Recipe,
    outDir: string,
    images: readonly NewImage[],
    preset: string | null = null,
  ) {
    const recipes = new Map<Recipe, number>()
    const changed = this.#nextChange()
    const insert = this.#db.prepare(
      `INSERT INTO image (batch_seq, position, source, folder, name, recipe_id, delivery_key, state,
         earlier_image_id, changed, title, preset, picture) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    for (const [index, image] of images.entries()) {
      const { variant } = image
      const own = variant?.recipe ?? recipe
      const recipeId = recipes.get(own) ?? this.recipe(own)
      recipes.set(own, recipeId)
      insert.run(
        batchSeq,
        firstPosition + index,
        image.source,
        image.folder,
        image.name,
        recipeId,
        deliveryKey(image.source, own, outDir),
        image.state,
        image.earlierImageId,
        changed,
        titleOf(image.name, image.source, variant?.picture ?? firstPosition + index),
        variant ? (variant.preset ?? '') : preset,
        variant?.picture ?? null,
      )
    }
  }

  byId(id: number): Image | undefined {
    return this.#db.prepare<[number], Image>(`SELECT ${imageColumns} FROM image WHERE id = ?`).get(id)
  }

  byRun(runId: string): Image | undefined {
    return this.#db.prepare<[string], Image>(`SELECT ${imageColumns} FROM image WHERE run_id = ?`).get(runId)
  }

  /**
   * The next image to submit in a batch: those that a person moved to the front, then in the order of intake.
   * @param except sources that are passed over; few
   */
  nextWaiting(batchSeq: number, except: readonly string[] = []): Image | undefined {
    const others = except.length === 0 ? '' : `AND source NOT IN (${except.map(() => '?').join(', ')})`
    return this.#db
      .prepare<unknown[], Image>(
        `SELECT ${imageColumns} FROM image WHERE batch_seq = ? AND state = 'waiting' ${others}
         ORDER BY urgency DESC, position LIMIT 1`,
      )
      .get(batchSeq, ...except)
  }

  /** Images of a batch in a state, in order; `limit` rows from `after` (a position) on. */
  inState(batchSeq: number, state: ImageState, limit = -1, after = -1): Image[] {
    return this.#db
      .prepare<[number, ImageState, number, number], Image>(
        `SELECT ${imageColumns} FROM image WHERE batch_seq = ? AND state = ? AND position > ?
         ORDER BY position LIMIT ?`,
      )
      .all(batchSeq, state, after, limit)
  }

  /** Fingerprints of a batch's images in a state. */
  keysIn(batchSeq: number, state: ImageState): string[] {
    return this.#db
      .prepare<[number, ImageState], string>(
        'SELECT delivery_key FROM image WHERE batch_seq = ? AND state = ?',
      )
      .pluck()
      .all(batchSeq, state)
  }

  /** Images of a batch in order, `limit` rows from `after` (a position) on. */
  page(batchSeq: number, after: number, limit: number): Image[] {
    return this.#db
      .prepare<[number, number, number], Image>(
        `SELECT ${imageColumns} FROM image WHERE batch_seq = ? AND position > ? ORDER BY position LIMIT ?`,
      )
      .all(batchSeq, after, limit)
  }

  /** Images of a batch that changed after the given change number, oldest change first. */
  changedSince(batchSeq: number, change: number, limit: number): Image[] {
    return this.#db
      .prepare<[number, number, number], Image>(
        `SELECT ${imageColumns} FROM image INDEXED BY image_changed
         WHERE changed > ? AND batch_seq = ? ORDER BY changed, id LIMIT ?`,
      )
      .all(change, batchSeq, limit)
  }

  /** The newest image of each fingerprint that was delivered into an output folder; few reads for many questions. */
  deliveredInto(outDir: string): ReadonlyMap<string, number> {
    const rows = this.#db
      .prepare<[string], { key: string; id: number }>(
        `SELECT delivery_key AS key, max(id) AS id FROM image WHERE state = 'delivered'
           AND batch_seq IN (SELECT seq FROM batch WHERE out_dir = ? OR moved = 1) GROUP BY delivery_key`,
      )
      .all(outDir)
    return new Map(rows.map(({ key, id }) => [key, id]))
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
    if (from !== to) sets.push(...timesOf(to))
    const result = this.#db
      .prepare(
        `UPDATE image SET state = @to, changed = @changed${sets.map((set) => `, ${set}`).join('')}
         WHERE id = @id AND state = @from`,
      )
      .run({ id, from, to, changed: this.#nextChange(), now: this.#clock.now(), ...patch })
    return result.changes === 1
  }

  /** Gives an image that was not sent yet other settings; false where it is neither held nor waiting any more. */
  setRecipe(image: Image, recipeId: number, key: string, preset: string | null): boolean {
    const result = this.#db
      .prepare(
        `UPDATE image SET recipe_id = @recipeId, delivery_key = @key, preset = @preset, changed = @changed
         WHERE id = @id AND state IN ('held', 'waiting')`,
      )
      .run({ id: image.id, recipeId, key, preset, changed: this.#nextChange() })
    return result.changes === 1
  }

  /** Sources of a connection's images that lie at one origin are at another now (the practice service's own). */
  moveSources(connectionId: number, from: string, to: string) {
    this.#db
      .prepare(
        `UPDATE image SET source = @to || substr(source, length(@from) + 1), changed = @changed
         WHERE batch_seq IN (SELECT seq FROM batch WHERE connection_id = @connectionId)
           AND substr(source, 1, length(@from) + 1) = @from || '/'`,
      )
      .run({ connectionId, from, to, changed: this.#nextChange() })
  }

  setMark(id: number, mark: string | null): boolean {
    const result = this.#db
      .prepare('UPDATE image SET mark = @mark, changed = @changed WHERE id = @id AND mark IS NOT @mark')
      .run({ id, mark, changed: this.#nextChange() })
    return result.changes === 1
  }

  /** Sends a waiting image before those of its batch that are less urgent. */
  setFirst(id: number, urgency: number): boolean {
    const result = this.#db
      .prepare(
        "UPDATE image SET urgency = @urgency, changed = @changed WHERE id = @id AND state IN ('held', 'waiting')",
      )
      .run({ id, urgency, changed: this.#nextChange() })
    return result.changes === 1
  }

  urgencyOf(id: number): number {
    return (
      this.#db.prepare<[number], { urgency: number }>('SELECT urgency FROM image WHERE id = ?').get(id)
        ?.urgency ?? 0
    )
  }

  /** The highest urgency in a batch. */
  mostUrgent(batchSeq: number): number {
    return (
      this.#db
        .prepare<[number], { urgency: number }>(
          "SELECT urgency FROM image WHERE batch_seq = ? AND state = 'waiting' ORDER BY urgency DESC LIMIT 1",
        )
        .get(batchSeq)?.urgency ?? 0
    )
  }

  #nextChange(): number {
    // Read to its end: after `get` the commit comes with the reset, and nobody hears that it failed.
    const [row] = this.#db
      .prepare<[], { value: number }>(
        "UPDATE meta SET value = value + 1 WHERE key = 'change' RETURNING value",
      )
      .all()
    return row!.value
  }

  /** The newest change number. */
  change(): number {
    return this.#db.prepare<[], { value: number }>("SELECT value FROM meta WHERE key = 'change'").get()!.value
  }
}
