import { createStore, type StoreApi } from 'zustand/vanilla'
import { t } from '../../shared/language/text.ts'

/** What was done, in words, and what takes it back. */
export interface Undoable {
  /** "Kept 4", "Cancelled 12 images". */
  readonly words: string
  readonly undo: Undo
}

/** Resolves to a sentence of its own where "Undone" does not say what happened. */
export type Undo = () => Promise<void> | Promise<string>

/** Steps that can be taken back. */
const kept = 50

/** What a person may take back, newest last: marks, cancels, moves. Nothing that spends is ever in it. */
export class UndoStack {
  readonly state: StoreApi<{ readonly steps: readonly Undoable[] }> = createStore(() => ({ steps: [] }))

  push(step: Undoable): void {
    this.state.setState(({ steps }) => ({ steps: [...steps, step].slice(-kept) }))
  }

  /** There is nothing to take back: it was not done after all. */
  drop(step: Undoable): void {
    this.state.setState(({ steps }) => ({ steps: steps.filter((one) => one !== step) }))
  }

  /** Takes one step back, the last one unless one is named. Resolves to what is said of it. */
  async undo(step = this.state.getState().steps.at(-1)): Promise<string> {
    if (!step || !this.state.getState().steps.includes(step)) return t`Nothing to undo`
    this.drop(step)
    return (await step.undo()) ?? t`Undone: ${step.words}`
  }
}
