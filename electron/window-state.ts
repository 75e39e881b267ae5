import type { Rectangle } from 'electron'
import { z } from 'zod'

const smallest = { width: 960, height: 620 }
const usual = { width: 1440, height: 900 }

const savedSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  maximized: z.boolean(),
  fullScreen: z.boolean(),
})
export type WindowState = z.infer<typeof savedSchema>

/** Where a window is put; without x and y the system chooses. In DIP. */
export interface Placement {
  readonly x?: number
  readonly y?: number
  readonly width: number
  readonly height: number
  readonly minWidth: number
  readonly minHeight: number
  readonly maximized: boolean
  readonly fullScreen: boolean
}

/**
 * Where the window goes: where it was, if a person can still get hold of it there. A screen that has been unplugged, or
 * a file that was tampered with, must not leave a window that nobody sees.
 * @param saved whatever was kept
 * @param areas work areas of the screens that are there, the first one the main one
 */
export function placeWindow(saved: unknown, areas: readonly Rectangle[]): Placement {
  const state = savedSchema.safeParse(saved).data
  const home = areas[0] ?? { x: 0, y: 0, ...usual }
  const limits = { minWidth: smallest.width, minHeight: smallest.height }
  if (!state) return { ...limits, ...fitted(usual, home), maximized: false, fullScreen: false }
  const { maximized, fullScreen } = state
  const area = areas.find((one) => reachable(state, one))
  if (!area) return { ...limits, ...fitted(state, home), maximized, fullScreen }
  return { ...limits, x: state.x, y: state.y, ...fitted(state, area), maximized, fullScreen }
}

function fitted(size: { width: number; height: number }, area: Rectangle) {
  return {
    width: Math.max(smallest.width, Math.min(size.width, area.width)),
    height: Math.max(smallest.height, Math.min(size.height, area.height)),
  }
}

/** True where enough of the window's top edge lies on the screen to take hold of it. */
function reachable(state: WindowState, area: Rectangle): boolean {
  const across = Math.min(state.x + state.width, area.x + area.width) - Math.max(state.x, area.x)
  return across >= 100 && state.y >= area.y - 8 && state.y <= area.y + area.height - 48
}
