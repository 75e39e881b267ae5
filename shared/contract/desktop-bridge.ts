import type { Port } from '../rpc/frames.ts'
import { desktopContract } from './desktop-contract.ts'
import { engineContract } from './engine-contract.ts'

/**
 * What the desktop window gives to its page, as `window.vitrine`; a page in a browser has none. One line carries both
 * contracts, so the page connects once: `connect(windowContract, window.vitrine.port)`.
 * @typeParam F the page's `File`; this folder knows no page
 */
export interface DesktopBridge<F = unknown> {
  readonly port: Port
  /**
   * Hands dropped files and folders over to the engine, by the paths that only the preload sees.
   * @returns the drop's id for a source of kind `drop`; null where nothing in it lies on a disk
   */
  takeDrop(files: readonly F[]): Promise<string | null>
}

/** Both contracts, as one window's line carries them. */
export const windowContract = { ...engineContract, ...desktopContract } as const
export type WindowContract = typeof windowContract
