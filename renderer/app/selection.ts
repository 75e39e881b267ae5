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
  #window: ImageWindow | undefined
  #asked = 0

  /** Another query, another selection; `keep` where its rows are the same ones in another order. */
  use(window: ImageWindow | undefined, keep = false): void {
    this.#window = window
    this.#asked += 1
    const { ids, all } = this.state.getState()
    this.state.setState(keep && !all ? { ids, all, focus: -1, anchor: -1 } : nothing)
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

  /** Moves the keyboard to a row and selects as asked. Rows of a stretch that were not fetched are asked for. */
  async select(index: number, how: SelectHow): Promise<void> {
    const window = this.#window
    if (!window || index < 0 || index >= window.totals.total) return
    const asked = (this.#asked += 1)
    const before = this.state.getState()
    if (how === 'stretch') {
      const anchor = before.anchor < 0 ? index : before.anchor
      this.state.setState({ focus: index, anchor })
      const ids = await window.ids(Math.min(anchor, index), Math.max(anchor, index))
      if (asked === this.#asked) this.state.setState({ all: false, ids: new Set(ids) })
      return
    }
    this.state.setState({ focus: index, anchor: index })
    const [id] = await window.ids(index, index)
    if (id === undefined || asked !== this.#asked) return
    if (how === 'only') return this.state.setState({ all: false, ids: new Set([id]) })
    const ids = new Set(before.all ? await window.ids(0, window.totals.total - 1) : before.ids)
    if (asked !== this.#asked) return
    if (!ids.delete(id)) ids.add(id)
    this.state.setState({ all: false, ids })
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
