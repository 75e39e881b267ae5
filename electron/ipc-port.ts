import type { IpcMain, IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron'
import { z } from 'zod'
import type { Port } from '../shared/rpc/frames.ts'
import { isOurAddress, origin } from './origin.ts'
import { channels } from './preload/channels.ts'

/** What one drop may name; a person drops folders, not a million files. */
const dropSchema = z.array(z.string().min(1).max(4096)).min(1).max(10_000)

export interface Pages {
  /** True for the contents of a window of ours. */
  readonly isWindow: (contents: WebContents) => boolean
  /** A page wants a line: serve it on this port until it closes. */
  readonly onOpen: (port: Port) => void
  /** Paths of what was dropped, as the system gave them to the preload; answers the drop's id. */
  readonly takeDrop: (paths: readonly string[]) => string | Promise<string>
}

/**
 * The only place that speaks IPC. Every message is looked at before it is anything else: it counts only when it comes
 * from the main frame of a window of ours, at our own address; all else is dropped without an answer.
 *
 * @returns what ends every line that is open, and tells the pages so
 */
export function listenToPages(ipcMain: Pick<IpcMain, 'on' | 'handle'>, pages: Pages): () => void {
  const lines = new Map<WebContents, PagePort>()
  const trusted = (event: IpcMainEvent | IpcMainInvokeEvent) => isTrusted(event, pages.isWindow)

  ipcMain.on(channels.open, (event) => {
    if (!trusted(event)) return
    const contents = event.sender
    lines.get(contents)?.end()
    const port = new PagePort(contents, () => {
      if (lines.get(contents) === port) lines.delete(contents)
    })
    lines.set(contents, port)
    pages.onOpen(port)
  })
  ipcMain.on(channels.frame, (event, frame: unknown) => {
    if (trusted(event)) lines.get(event.sender)?.hear(frame)
  })
  ipcMain.handle(channels.takeDrop, async (event, paths: unknown) => {
    const named = dropSchema.safeParse(paths)
    if (!trusted(event) || !named.success) return null
    return await pages.takeDrop(named.data)
  })
  return () => {
    for (const [contents, port] of lines) {
      port.end()
      if (!contents.isDestroyed()) contents.send(channels.closed)
    }
  }
}

function isTrusted(
  { sender, senderFrame }: IpcMainEvent | IpcMainInvokeEvent,
  isWindow: (contents: WebContents) => boolean,
): boolean {
  // Null once the frame has navigated away or is gone: whoever it was, it is not there any more.
  if (!senderFrame || sender.isDestroyed() || senderFrame.isDestroyed() || senderFrame.detached) return false
  if (!isWindow(sender) || senderFrame.parent !== null) return false
  if (senderFrame.frameTreeNodeId !== sender.mainFrame.frameTreeNodeId) return false
  return senderFrame.origin === origin && isOurAddress(senderFrame.url)
}

/** The line to one page, over as soon as the page leaves, crashes or is closed. */
class PagePort implements Port {
  readonly #contents: WebContents
  readonly #listeners = new Set<(frame: unknown) => void>()
  readonly #closers = new Set<() => void>()
  readonly #onEnd: () => void
  #ended = false

  constructor(contents: WebContents, onEnd: () => void) {
    this.#contents = contents
    this.#onEnd = onEnd
    contents.on('destroyed', this.end)
    contents.on('render-process-gone', this.end)
    contents.on('did-start-navigation', this.#onNavigation)
  }

  send(frame: unknown): void {
    if (!this.#ended && !this.#contents.isDestroyed()) this.#contents.send(channels.frame, frame)
  }

  onFrame(listener: (frame: unknown) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  onClose(listener: () => void): void {
    if (this.#ended) listener()
    else this.#closers.add(listener)
  }

  hear(frame: unknown): void {
    for (const listener of this.#listeners) listener(frame)
  }

  readonly end = (): void => {
    if (this.#ended) return
    this.#ended = true
    this.#contents.off('destroyed', this.end)
    this.#contents.off('render-process-gone', this.end)
    this.#contents.off('did-start-navigation', this.#onNavigation)
    this.#onEnd()
    for (const closer of this.#closers) closer()
  }

  readonly #onNavigation = (details: { isMainFrame: boolean; isSameDocument: boolean }): void => {
    if (details.isMainFrame && !details.isSameDocument) this.end()
  }
}
