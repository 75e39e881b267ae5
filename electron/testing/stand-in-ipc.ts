import { EventEmitter } from 'node:events'
import type { IpcMain, IpcMainEvent, WebContents, WebFrameMain } from 'electron'
import { pageAddress } from '../origin.ts'

/**
 * A stand-in of both ends of Electron's IPC, as far as it is used: values cross as structured clones, a turn of the loop
 * later, in order; what throws on the page's side of `invoke` rejects there.
 */

/** A frame of a page. Its fields can be set to what an attacker's would be. */
export interface StandInFrame {
  url: string
  origin: string
  parent: unknown
  frameTreeNodeId: number
  detached: boolean
  destroyed: boolean
  isDestroyed(): boolean
}

let lastNode = 0

export function standInFrame(fields: Partial<StandInFrame> = {}): StandInFrame {
  lastNode += 1
  return {
    url: pageAddress,
    origin: 'vitrine://app',
    parent: null,
    frameTreeNodeId: lastNode,
    detached: false,
    destroyed: false,
    isDestroyed() {
      return this.destroyed
    },
    ...fields,
  }
}

/** What a window holds. `ipcRenderer` is what its preload would be given. */
export class StandInContents extends EventEmitter {
  readonly mainFrame = standInFrame()
  readonly ipcRenderer = new EventEmitter()
  /** Everything that the program has sent to this page. */
  readonly sent: { channel: string; args: unknown[] }[] = []
  openHandler: unknown
  url = ''
  zoomFactor = 1
  reloads = 0
  #destroyed = false

  isDestroyed(): boolean {
    return this.#destroyed
  }

  destroy(): void {
    this.#destroyed = true
    this.mainFrame.destroyed = true
    this.emit('destroyed')
  }

  send(channel: string, ...args: unknown[]): void {
    if (this.#destroyed) throw new TypeError('Object has been destroyed')
    const cloned = structuredClone(args)
    this.sent.push({ channel, args: cloned })
    setImmediate(() => {
      if (!this.#destroyed) this.ipcRenderer.emit(channel, { sender: this.ipcRenderer }, ...cloned)
    })
  }

  setWindowOpenHandler(handler: unknown): void {
    this.openHandler = handler
  }

  getURL(): string {
    return this.url
  }

  reload(): void {
    this.reloads += 1
  }

  setZoomFactor(factor: number): void {
    this.zoomFactor = factor
  }

  getZoomFactor(): number {
    return this.zoomFactor
  }

  /** As the modules under test see it. */
  get real(): WebContents {
    return this as unknown as WebContents
  }
}

type Handle = (event: IpcMainEvent, ...args: unknown[]) => unknown

/** The program's end. */
export class StandInIpcMain extends EventEmitter {
  readonly handles = new Map<string, Handle>()

  handle(channel: string, listener: Handle): void {
    if (this.handles.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    this.handles.set(channel, listener)
  }

  /** A message as it arrives from some frame of some contents. */
  deliver(contents: StandInContents, frame: StandInFrame | null, channel: string, ...args: unknown[]): void {
    this.emit(channel, eventOf(contents, frame), ...structuredClone(args))
  }

  async ask(contents: StandInContents, frame: StandInFrame | null, channel: string, ...args: unknown[]) {
    const handle = this.handles.get(channel)
    if (!handle) throw new Error(`No handler registered for '${channel}'`)
    return structuredClone(await handle(eventOf(contents, frame), ...structuredClone(args)))
  }

  /** Joins a page's `ipcRenderer` to this end, as its main frame would be. */
  join(contents: StandInContents): void {
    Object.assign(contents.ipcRenderer, {
      send: (channel: string, ...args: unknown[]) => {
        const cloned = structuredClone(args)
        setImmediate(() => {
          if (!contents.isDestroyed()) this.deliver(contents, contents.mainFrame, channel, ...cloned)
        })
      },
      invoke: async (channel: string, ...args: unknown[]) =>
        await this.ask(contents, contents.mainFrame, channel, ...args),
    })
  }

  get real(): IpcMain {
    return this as unknown as IpcMain
  }
}

function eventOf(contents: StandInContents, frame: StandInFrame | null): IpcMainEvent {
  return { sender: contents, senderFrame: frame as unknown as WebFrameMain | null } as unknown as IpcMainEvent
}
