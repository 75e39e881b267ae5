import { useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import type { ImageRecord } from '../../shared/contract/records.ts'
import type { ImageWindow } from '../app/image-window.ts'
import { useImages, useWorkspace } from '../app/workspace-context.ts'

const never = () => () => undefined

/** The record of one fetched image, followed wherever it stands. */
export function useImage(images: ImageWindow | undefined, id: number | undefined): ImageRecord | undefined {
  return useSyncExternalStore(images?.subscribe ?? never, () =>
    id === undefined ? undefined : images?.record(id),
  )
}

/** The image that the details are about: the leading one of the selection. */
export function useLeading(): ImageRecord | undefined {
  const workspace = useWorkspace()
  const images = useImages()
  // The selection decides who leads; its state is read so that a change renders again.
  useStore(workspace.selection.state)
  return useImage(images, workspace.selection.leading)
}
