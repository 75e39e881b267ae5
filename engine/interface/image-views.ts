import type { z } from 'zod'
import type { imageQuerySchema, CountsRecord } from '../../shared/contract/records.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import type { Batch, Image } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { say } from '../../shared/language/say.ts'

export type FullQuery = z.output<typeof imageQuerySchema>

/** More changes at once than an interface could show one by one. */
const mostChanges = 200
const keptViews = 24
/** A search looks at every row, so its result may be as old as this, in ms. */
const searchAgeMs = 700

/** What changed in a query's result since it was last looked at. */
export interface ViewChange {
  readonly rows: readonly Image[]
  /** Too much changed to be told row by row. */
  readonly reset: boolean
}

/**
 * One query's result. Its order has a number that grows when rows came, went or moved, so that an interface knows
 * which windows it has to ask for again. A look costs as much as there were changes, not as there are rows; only
 * queries that filter or sort keep a list of ids, made anew when their order changed and somebody asks for it.
 */
export class ImageView {
  readonly #store: Store
  readonly #batch: Batch
  readonly #query: FullQuery
  #change: number
  #order: number
  #total: number
  #ids: readonly number[] | undefined
  #lookedAt = 0

  constructor(store: Store, batch: Batch, query: FullQuery) {
    this.#store = store
    this.#batch = batch
    this.#query = query
    this.#change = store.images.change()
    this.#order = this.#change
    this.#total = this.#count()
  }

  /** Everything, in the order of intake. */
  get #isWhole(): boolean {
    const { states, marks, search, sort } = this.#query
    return states.length === 0 && marks.length === 0 && search === '' && sort === 'queue'
  }

  get total(): number {
    this.#look()
    return this.#total
  }

  get order(): number {
    this.#look()
    return this.#order
  }

  counts(): CountsRecord {
    return this.#store.batches.counts(this.#batch.seq)
  }

  /** Rows that changed after a change number of the store. */
  changedSince(change: number): ViewChange {
    const rows = this.#store.images.changedSince(this.#batch.seq, change, mostChanges + 1)
    return rows.length > mostChanges ? { rows: [], reset: true } : { rows, reset: false }
  }

  window(offset: number, limit: number): readonly Image[] {
    this.#look()
    const { lists } = this.#store
    if (!this.#isWhole) return lists.byIds(this.#list().slice(offset, offset + limit))
    // Positions are without gaps, so the place of a row is its position.
    if (!this.#query.descending) return lists.window(this.#batch.seq, offset, limit)
    return lists.windowFromEnd(this.#batch.seq, this.#total - offset, limit)
  }

  ids(from: number, to: number): readonly number[] {
    this.#look()
    return this.#list().slice(from, to + 1)
  }

  #look() {
    const now = this.#store.images.change()
    if (now === this.#change) return
    if (this.#query.search !== '' && performance.now() - this.#lookedAt < searchAgeMs) return
    this.#lookedAt = performance.now()
    const before = this.#total
    const { rows, reset } = this.changedSince(this.#change)
    this.#change = now
    this.#total = this.#count()
    const moved =
      reset || this.#total !== before || (!this.#isWhole && rows.some((row) => this.#mayHold(row)))
    if (!moved) return
    // What changed in the whole list stays where it is; it is longer, or it is the same.
    if (this.#isWhole && this.#total === before) return
    this.#order = now
    this.#ids = undefined
  }

  /** Whether a row may have come into the result or moved in it. */
  #mayHold(row: Image): boolean {
    const { states, marks } = this.#query
    if (states.length > 0 && !states.includes(row.state)) return false
    if (marks.length === 0) return true
    return marks.some((mark) => mark === (row.mark ?? 'none'))
  }

  #list(): readonly number[] {
    this.#ids ??= this.#store.lists.ids(this.#batch.seq, this.#query)
    return this.#ids
  }

  #count(): number {
    const { states, marks, search } = this.#query
    if (marks.length > 0 || search !== '') return this.#store.lists.count(this.#batch.seq, this.#query)
    const counts = this.counts()
    const counted = states.length > 0 ? states : (Object.keys(counts) as (keyof CountsRecord)[])
    return [...new Set(counted)].reduce((sum, state) => sum + counts[state], 0)
  }
}

/** The views that interfaces look through at present; the ones not used for longest are given up. */
export class ImageViews {
  readonly #store: Store
  readonly #views = new Map<string, ImageView>()

  constructor(store: Store) {
    this.#store = store
  }

  /** @throws Fault `gone` where there is no such batch */
  of(query: FullQuery): ImageView {
    const key = JSON.stringify(query)
    const batch = this.#store.batches.byId(query.batch)
    if (!batch) throw new Fault('gone', say`This batch is not there any more.`)
    const view = this.#views.get(key) ?? new ImageView(this.#store, batch, query)
    this.#views.delete(key)
    this.#views.set(key, view)
    const [oldest] = this.#views.keys()
    if (this.#views.size > keptViews && oldest !== undefined) this.#views.delete(oldest)
    return view
  }
}
