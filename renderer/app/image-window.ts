import type { ImageQuery, ImageRecord, CountsRecord } from '../../shared/contract/records.ts'
import type { Line } from './line.ts'
import { t } from '../../shared/language/text.ts'

/** Rows of one page; the engine answers at most 500. */
const pageSize = 200
/** Pages kept beside those in view: 10,000 rows. */
const keptPages = 50
/** Milliseconds between two fetches of the same page while its order keeps changing. */
const staleAfter = 250

interface Page {
  readonly ids: readonly number[]
  /** True where rows came, went or moved since it was fetched. */
  stale: boolean
  readonly fetchedAt: number
}

export interface WindowTotals {
  /** False until the engine has said how many there are. */
  readonly known: boolean
  readonly total: number
  readonly counts: CountsRecord | undefined
  /** The engine's sentence where rows cannot be had; undefined while all is well. */
  readonly trouble: string | undefined
}

export interface WindowParts {
  readonly line: Pick<Line, 'api' | 'follow'>
  readonly query: ImageQuery
  /** Runs once before the next picture of the screen. */
  readonly onFrame: (work: () => void) => void
  readonly now?: () => number
}

/**
 * The rows of one query, of which only those in view are fetched, in pages. Changes are gathered and applied once a
 * frame; a row's listener hears of its own row alone, so that the work of a change does not grow with the rows.
 */
export class ImageWindow {
  readonly query: ImageQuery
  readonly #parts: WindowParts
  readonly #now: () => number
  readonly #ends = new AbortController()
  readonly #pages = new Map<number, Page>()
  readonly #fetching = new Set<number>()
  readonly #records = new Map<number, ImageRecord>()
  readonly #indexes = new Map<number, number>()
  readonly #rowListeners = new Map<number, Set<() => void>>()
  readonly #listeners = new Set<() => void>()
  readonly #changedIds = new Set<number>()
  #totals: WindowTotals = { known: false, total: 0, counts: undefined, trouble: undefined }
  #order: number | undefined
  #view = { from: 0, to: pageSize }
  #waiting = false
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor(parts: WindowParts) {
    this.#parts = parts
    this.query = parts.query
    this.#now = parts.now ?? (() => performance.now())
    parts.line.follow(
      (api, options) => api.images.watch(parts.query, options),
      (item) => {
        this.#totals = { known: true, total: item.total, counts: item.counts, trouble: undefined }
        for (const record of item.changed) {
          if (!this.#records.has(record.id)) continue
          this.#records.set(record.id, record)
          this.#changedIds.add(record.id)
        }
        if (item.reset || (this.#order !== undefined && item.order !== this.#order)) {
          for (const page of this.#pages.values()) page.stale = true
        }
        this.#order = item.order
        this.#later()
      },
      this.#ends.signal,
    )
  }

  get totals(): WindowTotals {
    return this.#totals
  }

  rowAt(index: number): ImageRecord | undefined {
    const id = this.idAt(index)
    return id === undefined ? undefined : this.#records.get(id)
  }

  idAt(index: number): number | undefined {
    if (this.#totals.known && index >= this.#totals.total) return undefined
    return this.#pages.get(Math.floor(index / pageSize))?.ids[index % pageSize]
  }

  /** The record of an image whose row was fetched. */
  record(id: number): ImageRecord | undefined {
    return this.#records.get(id)
  }

  /** Where an image stands; undefined for rows that were not fetched. */
  indexOf(id: number): number | undefined {
    const index = this.#indexes.get(id)
    return index !== undefined && this.idAt(index) === id ? index : undefined
  }

  /** Ids of a stretch, both ends included; undefined where one of them was not fetched. */
  knownIds(from: number, to: number): readonly number[] | undefined {
    const known: number[] = []
    for (let index = from; index <= to; index += 1) {
      const id = this.idAt(index)
      if (id === undefined) return undefined
      known.push(id)
    }
    return known
  }

  /** Ids of a stretch, both ends included; asked for where they are not known. */
  async ids(from: number, to: number): Promise<readonly number[]> {
    return (
      this.knownIds(from, to) ?? (await this.#parts.line.api.images.ids({ query: this.query, from, to })).ids
    )
  }

  /** Hears when the totals or the set of fetched rows change. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Hears when the row at an index changes. */
  subscribeRow(index: number, listener: () => void): () => void {
    const listeners = this.#rowListeners.get(index) ?? new Set()
    this.#rowListeners.set(index, listeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#rowListeners.delete(index)
    }
  }

  /** Which rows are in view or near it: the only ones that are fetched. */
  setView(from: number, to: number): void {
    this.#view = { from, to }
    this.#fetch()
  }

  close(): void {
    clearTimeout(this.#retry)
    this.#ends.abort()
    this.#listeners.clear()
    this.#rowListeners.clear()
  }

  #later() {
    if (this.#waiting) return
    this.#waiting = true
    this.#parts.onFrame(() => {
      this.#waiting = false
      if (this.#ends.signal.aborted) return
      for (const id of this.#changedIds) {
        const index = this.#indexes.get(id)
        if (index !== undefined) this.#tellRow(index)
      }
      this.#changedIds.clear()
      for (const listener of this.#listeners) listener()
      this.#fetch()
    })
  }

  #tellRow(index: number) {
    for (const listener of this.#rowListeners.get(index) ?? []) listener()
  }

  #fetch() {
    if (this.#ends.signal.aborted) return
    const last = this.#totals.known ? this.#totals.total - 1 : this.#view.to
    const from = Math.floor(Math.max(0, this.#view.from) / pageSize)
    const to = Math.floor(Math.min(last, this.#view.to) / pageSize)
    for (let number = from; number <= to; number += 1) {
      const page = this.#pages.get(number)
      if (this.#fetching.has(number) || (page && !page.stale)) continue
      // Where the order changes all the time, a page is asked for a few times a second at most.
      const tooSoon = page && this.#now() - page.fetchedAt < staleAfter
      if (tooSoon || this.#fetching.size >= 3) this.#again()
      else void this.#fetchPage(number)
    }
  }

  #again() {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined
      this.#fetch()
    }, staleAfter)
  }

  async #fetchPage(number: number) {
    this.#fetching.add(number)
    try {
      const answer = await this.#parts.line.api.images.page(
        { query: this.query, offset: number * pageSize, limit: pageSize },
        { signal: this.#ends.signal },
      )
      this.#keep(number, answer.rows, this.#order !== undefined && answer.order !== this.#order)
      if (!this.#totals.known) this.#totals = { ...this.#totals, known: true, total: answer.total }
      this.#drop()
    } catch (error) {
      if (this.#ends.signal.aborted) return
      if (this.#pages.size === 0) {
        this.#totals = { ...this.#totals, trouble: error instanceof Error ? error.message : t`Unknown.` }
      }
      this.#again()
    } finally {
      this.#fetching.delete(number)
    }
    this.#later()
  }

  #keep(number: number, rows: readonly ImageRecord[], stale: boolean) {
    const before = this.#pages.get(number)?.ids ?? []
    this.#pages.set(number, { ids: rows.map((row) => row.id), stale, fetchedAt: this.#now() })
    rows.forEach((row, offset) => {
      this.#records.set(row.id, row)
      this.#indexes.set(row.id, number * pageSize + offset)
    })
    const length = Math.max(before.length, rows.length)
    for (let offset = 0; offset < length; offset += 1) this.#tellRow(number * pageSize + offset)
  }

  /** Lets go of the pages that are furthest from the view. */
  #drop() {
    if (this.#pages.size <= keptPages) return
    const middle = (this.#view.from + this.#view.to) / 2 / pageSize
    const far = [...this.#pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle))
    for (const number of far.slice(0, this.#pages.size - keptPages)) {
      for (const id of this.#pages.get(number)?.ids ?? []) {
        if (Math.floor((this.#indexes.get(id) ?? -1) / pageSize) !== number) continue
        this.#records.delete(id)
        this.#indexes.delete(id)
      }
      this.#pages.delete(number)
    }
  }
}
