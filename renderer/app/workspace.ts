import { createStore, type StoreApi } from 'zustand/vanilla'
import type { DesktopBridge } from '../../shared/contract/desktop-bridge.ts'
import type { BatchRecord } from '../../shared/contract/records.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import type { Intake } from '../intake/intake.ts'
import { createToasts, type Toasts } from '../ui/toasts.ts'
import { ImageWindow } from './image-window.ts'
import type { Platform } from './keys.ts'
import { createLayout, type Layout } from './layout.ts'
import type { Line, ProgramClient } from './line.ts'
import { createMirrors, type Mirrors } from './mirrors.ts'
import { Selection } from './selection.ts'
import { UndoStack, type Undo } from './undo.ts'
import {
  createView,
  queryOf,
  sieveOf,
  type Overlay,
  type Screen,
  type Sieve,
  type ViewState,
} from './view.ts'
import { t } from '../../shared/language/text.ts'

export interface WorkspaceParts {
  readonly line: Line
  /** Present in a desktop window; a page in a browser has none. */
  readonly bridge: DesktopBridge<File> | undefined
  readonly platform: Platform
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | undefined
  readonly hash: string
  readonly onFrame: (work: () => void) => void
}

/** Everything behind the screens: the mirrors of the engine, what is open and selected, and what can be taken back. */
export class Workspace {
  readonly line: Line
  readonly api: ProgramClient
  readonly bridge: DesktopBridge<File> | undefined
  readonly platform: Platform
  readonly mirrors: Mirrors
  readonly layout: StoreApi<Layout>
  readonly view: StoreApi<ViewState>
  readonly selection = new Selection()
  readonly undoing = new UndoStack()
  /** How far lists were scrolled, in CSS pixels, by what they show. */
  readonly scrolls = new Map<string, number>()
  readonly toasts: Toasts = createToasts()
  /** The rows of the open batch; undefined where no batch is open. */
  readonly images: StoreApi<{ readonly window: ImageWindow | undefined }>
  /** What is being dropped; undefined where nothing is. */
  readonly intake: StoreApi<{ readonly current: Intake | undefined }> = createStore(() => ({
    current: undefined,
  }))
  readonly #ends = new AbortController()
  readonly #parts: WorkspaceParts

  constructor(parts: WorkspaceParts) {
    this.#parts = parts
    this.line = parts.line
    this.api = parts.line.api
    this.bridge = parts.bridge
    this.platform = parts.platform
    this.mirrors = createMirrors(parts.line, this.#ends.signal)
    this.layout = createLayout(parts.storage)
    this.view = createView(parts.hash)
    this.images = createStore(() => ({ window: undefined }))
    this.view.subscribe(() => this.#openWindow())
    this.mirrors.batches.subscribe((now, before) => {
      if (now.known && !before.known && parts.hash.length < 3) this.#openUnfinished()
      this.#leaveRemovedBatch()
    })
    this.#openWindow()
  }

  get isDesktop(): boolean {
    return this.bridge !== undefined
  }

  /** The open batch. */
  get batch(): BatchRecord | undefined {
    const { screen } = this.view.getState()
    return screen.kind === 'batch' ? this.mirrors.batches.getState().value.byId.get(screen.batch) : undefined
  }

  go(screen: Screen): void {
    this.view.setState({ screen, overlay: undefined })
  }

  open(overlay: Overlay): void {
    this.view.setState({ overlay })
  }

  closeOverlay(): void {
    this.view.setState({ overlay: undefined })
  }

  /** Changes filter, search or sort of the open batch. */
  sieve(change: Partial<Sieve>): void {
    const view = this.view.getState()
    if (view.screen.kind !== 'batch') return
    const batch = view.screen.batch
    this.view.setState({ sieves: { ...view.sieves, [batch]: { ...sieveOf(view, batch), ...change } } })
  }

  /** Does what a person asked for, and says why where it cannot be done. Resolves to undefined then. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      this.say(error instanceof Fault ? error.message : t`That did not work. Try again.`)
      return undefined
    }
  }

  /** A sentence at the bottom of the window; with `undo` it can be taken back from there or with the key. */
  say(text: string, undo?: Undo): void {
    if (!undo) return this.toasts.show({ text })
    const step = { words: text, undo }
    this.undoing.push(step)
    this.toasts.show({ text, undo: () => void this.takeBack(step) })
  }

  /** Takes back the last step, or the one that is given. */
  async takeBack(step?: Parameters<UndoStack['undo']>[0]): Promise<void> {
    await this.attempt(async () => {
      this.toasts.show({ text: await this.undoing.undo(step) })
    })
  }

  close(): void {
    this.#ends.abort()
    this.images.getState().window?.close()
    this.line.close()
  }

  #openWindow() {
    const view = this.view.getState()
    const { window } = this.images.getState()
    const query =
      view.screen.kind === 'batch' ? queryOf(view.screen.batch, sieveOf(view, view.screen.batch)) : undefined
    if (JSON.stringify(query) === JSON.stringify(window?.query)) return
    window?.close()
    const next = query && new ImageWindow({ line: this.line, query, onFrame: this.#parts.onFrame })
    this.images.setState({ window: next })
    this.selection.use(next)
  }

  /** Where nothing else was asked for, the window opens with the batch that is not done. */
  #openUnfinished() {
    const { byId, order } = this.mirrors.batches.getState().value
    const unfinished = order.find((id) => byId.get(id)?.state !== 'finished')
    if (unfinished !== undefined && this.view.getState().screen.kind === 'start') {
      this.go({ kind: 'batch', batch: unfinished })
    }
  }

  #leaveRemovedBatch() {
    const { known, value } = this.mirrors.batches.getState()
    const { screen } = this.view.getState()
    if (known && screen.kind === 'batch' && !value.byId.has(screen.batch)) this.go({ kind: 'start' })
  }
}
