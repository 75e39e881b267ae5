import { createContext, useContext, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import type {
  BatchRecord,
  ConnectionRecord,
  ImageRecord,
  QueueRecord,
} from '../../shared/contract/records.ts'
import type { ImageWindow, WindowTotals } from './image-window.ts'
import { printShortcut, type Shortcut } from './keys.ts'
import type { Layout } from './layout.ts'
import type { Workspace } from './workspace.ts'

export const WorkspaceContext = createContext<Workspace | undefined>(undefined)

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext)
  if (!workspace) throw new Error('No workspace around this component.')
  return workspace
}

export function useBatch(id: string): BatchRecord | undefined {
  return useStore(useWorkspace().mirrors.batches, ({ value }) => value.byId.get(id))
}

export function useQueue(): QueueRecord | undefined {
  return useStore(useWorkspace().mirrors.queue, ({ value }) => value)
}

export function useActiveConnection(): ConnectionRecord | undefined {
  return useStore(useWorkspace().mirrors.connections, ({ value }) => value.find((one) => one.active))
}

export function useLayout<T>(choose: (layout: Layout) => T): T {
  return useStore(useWorkspace().layout, choose)
}

const noTotals: WindowTotals = { known: false, total: 0, counts: undefined, trouble: undefined }
const never = () => () => undefined

/** Totals of the open batch's rows. */
export function useTotals(window: ImageWindow | undefined): WindowTotals {
  return useSyncExternalStore(window?.subscribe ?? never, () => window?.totals ?? noTotals)
}

export function useImages(): ImageWindow | undefined {
  return useStore(useWorkspace().images, ({ window }) => window)
}

/** One row; undefined while it is not there yet. Renders again for this row alone. */
export function useRow(window: ImageWindow, index: number): ImageRecord | undefined {
  return useSyncExternalStore(
    (listener) => window.subscribeRow(index, listener),
    () => window.rowAt(index),
  )
}

/** How a shortcut is printed on this platform. */
export function useKeys(): (shortcut: Shortcut) => string {
  const { platform } = useWorkspace()
  return (shortcut) => printShortcut(shortcut, platform)
}

const ticking = new Set<() => void>()
let ticker: ReturnType<typeof setInterval> | undefined

function onTick(listener: () => void): () => void {
  ticking.add(listener)
  ticker ??= setInterval(() => ticking.forEach((one) => one()), 1000)
  return () => {
    ticking.delete(listener)
    if (ticking.size > 0) return
    clearInterval(ticker)
    ticker = undefined
  }
}

/** The time, once a second for everybody who shows elapsed time; 0 where `isRunning` is false. */
export function useNow(isRunning = true): number {
  return useSyncExternalStore(isRunning ? onTick : never, () =>
    isRunning ? Math.floor(Date.now() / 1000) * 1000 : 0,
  )
}
