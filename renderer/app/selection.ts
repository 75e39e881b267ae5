import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Target } from '../../shared/contract/records.ts'
import type { ImageWindow } from './image-window.ts'

/** What is selected in one query's rows. `all` stands for every row, also those that come later. */
export interface SelectionState {
  readonly all: boolean
  readonly ids: ReadonlySet<number>
  /** The row that the keyboard is on; -1 for none. */
  readonly focus: number
  /** Where a stretch began. */
  readonly anchor: number
}

const nothing: SelectionState = { all: false, ids: new Set(), focus: -1, anchor: -1 }

/** How a press or a key selects: only this row, this row in addition or no longer, or the stretch up to it. */
export type SelectHow = 'only' | 'toggle' | 'stretch'

/** Selection over rows of which most were never fetched: ids where they are known, "all" where they need not be. */
export class Selection {
  readonly state: StoreApi<SelectionState> = createStore(() => nothing)
  readonly #kept = new Map<string, { readonly query: string; readonly state: SelectionState }>()
  #window: ImageWindow | undefined
  #asked = 0

  /**
   * Goes on with another query's rows. What was selected in a batch is still selected when a person comes back to it;
   * under another filter or order its rows are elsewhere, and "all" would be others.
   */
  use(window: ImageWindow | undefined): void {
    const before = this.#window?.query
    if (before) this.#kept.set(before.batch, { query: JSON.stringify(before), state: this.state.getState() })
    this.#window = window
    this.#asked += 1
    const kept = window && this.#kept.get(window.query.batch)
    if (!kept) this.state.setState(nothing)
    else if (kept.query === JSON.stringify(window.query)) this.state.setState(kept.state)
    else this.state.setState({ ...nothing, ids: kept.state.ids })
  }

  get count(): number {
    const { all, ids } = this.state.getState()
    return all ? (this.#window?.totals.total ?? 0) : ids.size
  }

  has(id: number): boolean {
    const { all, ids } = this.state.getState()
    return all || ids.has(id)
  }

  /** Whom a command is for; undefined where nothing is selected. */
  get target(): Target | undefined {
    const { all, ids } = this.state.getState()
    if (all && this.#window) return { query: this.#window.query }
    return ids.size > 0 ? { ids: [...ids] } : undefined
  }

  /** The only selected image, or the one that the keyboard is on where it is selected. */
  get leading(): number | undefined {
    const { ids, focus } = this.state.getState()
    const focused = this.#window?.idAt(focus)
    if (focused !== undefined && this.has(focused)) return focused
    return ids.size > 0 ? [...ids].at(-1) : undefined
  }

  /**
   * Moves the keyboard to a row and selects as asked: at once where the rows are known, as soon as the engine has named
   * them where they are not.
   */
  select(index: number, how: SelectHow): Promise<void> {
    const window = this.#window
    if (!window || index < 0 || index >= window.totals.total) return Promise.resolve()
    const asked = (this.#asked += 1)
    const before = this.state.getState()
    if (how === 'stretch') {
      const anchor = before.anchor < 0 ? index : before.anchor
      this.state.setState({ focus: index, anchor })
      return this.#put(asked, [Math.min(anchor, index), Math.max(anchor, index)], (ids) => new Set(ids))
    }
    this.state.setState({ focus: index, anchor: index })
    const id = window.idAt(index)
    if (how === 'only') return this.#put(asked, [index, index], (ids) => new Set(ids))
    const turned = (ids: Set<number>, one: number | undefined) => {
      if (one !== undefined && !ids.delete(one)) ids.add(one)
      return ids
    }
    if (before.all) {
      return this.#put(asked, [0, window.totals.total - 1], (ids) => turned(new Set(ids), id ?? ids[index]))
    }
    return this.#put(asked, [index, index], ([one]) => turned(new Set(before.ids), one))
  }

  /** Selects what `choose` makes of a stretch's ids, unless another choice was made meanwhile. */
  #put(
    asked: number,
    [from, to]: readonly [number, number],
    choose: (ids: readonly number[]) => Set<number>,
  ) {
    const put = (ids: readonly number[]) => {
      if (asked === this.#asked) this.state.setState({ all: false, ids: choose(ids) })
    }
    const known = this.#window?.knownIds(from, to)
    if (!known) return this.#window?.ids(from, to).then(put) ?? Promise.resolve()
    put(known)
    return Promise.resolve()
  }

  /** Moves the keyboard without selecting, as Ctrl with an arrow does. */
  focus(index: number): void {
    this.state.setState({ focus: index })
  }

  selectAll(): void {
    this.#asked += 1
    if (this.#window && this.#window.totals.total > 0) this.state.setState({ all: true, ids: new Set() })
  }

  clear(): void {
    this.#asked += 1
    const { focus } = this.state.getState()
    this.state.setState({ ...nothing, focus, anchor: focus })
  }
}
