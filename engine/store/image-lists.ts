import { imageStates, type ImageState } from '../../shared/states.ts'
import type { Statements } from './database.ts'
import { imageColumns } from './images.ts'
import type { Image } from './rows.ts'

/** Which images of one batch, and in which order. */
export interface ListQuery {
  /** Empty for all. */
  readonly states: readonly ImageState[]
  /** Empty for all; `none` for those without a mark. */
  readonly marks: readonly string[]
  /** Part of a title, a folder, an address, a run id or the preset of one among several; empty for all. */
  readonly search: string
  readonly sort: 'queue' | 'title' | 'state' | 'credits' | 'time'
  readonly descending: boolean
}

const stateOrder = `CASE state ${imageStates.map((state, index) => `WHEN '${state}' THEN ${index}`).join(' ')} END`
const sortColumn: Readonly<Record<ListQuery['sort'], string>> = {
  queue: 'position',
  title: 'title COLLATE NOCASE',
  state: stateOrder,
  credits: 'coalesce(credits, -1)',
  time: 'coalesce(settled - since, -1)',
}

/** Images of one batch that share settings and preset. */
export interface RecipeUse {
  readonly batchSeq: number
  readonly recipeId: number
  readonly preset: string | null
  readonly images: number
  readonly editable: number
}

const recipeUse = `SELECT batch_seq AS batchSeq, recipe_id AS recipeId, preset, count(*) AS images,
  count(*) FILTER (WHERE state IN ('held', 'waiting')) AS editable FROM image`
const byRecipe = 'GROUP BY batch_seq, recipe_id, preset'

/** Windows on the images of a batch, as an interface asks for them. */
export class ImageLists {
  readonly #db: Statements
  constructor(db: Statements) {
    this.#db = db
  }

  /** Rows of a batch in the order of intake, found by position: as quick at the end of 100,000 as at their beginning. */
  window(batchSeq: number, from: number, limit: number): Image[] {
    return this.#db
      .prepare<[number, number, number], Image>(
        `SELECT ${imageColumns} FROM image WHERE batch_seq = ? AND position >= ? ORDER BY position LIMIT ?`,
      )
      .all(batchSeq, from, limit)
  }

  /** As `window`, from the end. */
  windowFromEnd(batchSeq: number, before: number, limit: number): Image[] {
    return this.#db
      .prepare<[number, number, number], Image>(
        `SELECT ${imageColumns} FROM image WHERE batch_seq = ? AND position < ? ORDER BY position DESC LIMIT ?`,
      )
      .all(batchSeq, before, limit)
  }

  /** The ids of everything that a query finds, in its order. Its cost grows with the batch. */
  ids(batchSeq: number, query: ListQuery): number[] {
    const { where, values } = conditions(query)
    const direction = query.descending ? 'DESC' : 'ASC'
    return this.#db
      .prepare<[Record<string, unknown>], number>(
        `SELECT id FROM image WHERE batch_seq = @batchSeq${where}
         ORDER BY ${sortColumn[query.sort]} ${direction}, position ${query.sort === 'queue' ? direction : 'ASC'}`,
      )
      .pluck()
      .all({ batchSeq, ...values })
  }

  /** How many a query finds. */
  count(batchSeq: number, query: ListQuery): number {
    const { where, values } = conditions(query)
    return this.#db
      .prepare<[Record<string, unknown>], number>(
        `SELECT count(*) FROM image WHERE batch_seq = @batchSeq${where}`,
      )
      .pluck()
      .get({ batchSeq, ...values }) as number
  }

  /** Rows by id, in the order of the ids; ids of nothing are passed over. */
  byIds(ids: readonly number[]): Image[] {
    const find = this.#db.prepare<[number], Image>(`SELECT ${imageColumns} FROM image WHERE id = ?`)
    return ids.flatMap((id) => find.get(id) ?? [])
  }

  /** What was made of one picture with several presets, in their order; the image alone where it is the only one. */
  variantsOf(image: Image): Image[] {
    if (image.picture === null) return [image]
    return this.#db
      .prepare<[number, number], Image>(
        `SELECT ${imageColumns} FROM image WHERE batch_seq = ? AND picture = ? ORDER BY position`,
      )
      .all(image.batchSeq, image.picture)
  }

  /** Whether a batch makes several images of a picture. */
  hasVariants(batchSeq: number): boolean {
    return (
      this.#db
        .prepare('SELECT 1 FROM image WHERE batch_seq = ? AND picture IS NOT NULL LIMIT 1')
        .get(batchSeq) !== undefined
    )
  }

  /** Which settings the images of a query have, and how many of those are not sent yet. */
  recipes(batchSeq: number, query: ListQuery): RecipeUse[] {
    const { where, values } = conditions(query)
    return this.#db
      .prepare<[Record<string, unknown>], RecipeUse>(
        `${recipeUse} WHERE batch_seq = @batchSeq${where} ${byRecipe}`,
      )
      .all({ batchSeq, ...values })
  }

  /** As `recipes`, of these images. */
  recipesOf(ids: readonly number[]): RecipeUse[] {
    return this.#db
      .prepare<[string], RecipeUse>(`${recipeUse} WHERE id IN (SELECT value FROM json_each(?)) ${byRecipe}`)
      .all(JSON.stringify(ids))
  }

  /** Batches of which images changed after the given change number. */
  batchesChangedSince(change: number): number[] {
    return this.#db
      .prepare<[number], number>(
        'SELECT DISTINCT batch_seq FROM image INDEXED BY image_changed WHERE changed > ?',
      )
      .pluck()
      .all(change)
  }
}

/** States and marks are words of ours; only the search is a person's. */
function conditions({ states, marks, search }: ListQuery) {
  const parts: string[] = []
  if (states.length > 0) parts.push(`state IN (${states.map(quoted).join(', ')})`)
  if (marks.length > 0) {
    const named = marks.filter((mark) => mark !== 'none')
    const either = [
      ...(named.length > 0 ? [`mark IN (${named.map(quoted).join(', ')})`] : []),
      ...(marks.includes('none') ? ['mark IS NULL'] : []),
    ]
    parts.push(`(${either.join(' OR ')})`)
  }
  if (search !== '') {
    const within = ['title', 'folder', 'source', 'run_id', 'preset'].map(
      (column) => `${column} LIKE @search ESCAPE '!'`,
    )
    parts.push(`(${within.join(' OR ')})`)
  }
  const where = parts.map((part) => ` AND ${part}`).join('')
  return { where, values: search === '' ? {} : { search: `%${search.replace(/[!%_]/g, '!$&')}%` } }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "''")}'`
}
