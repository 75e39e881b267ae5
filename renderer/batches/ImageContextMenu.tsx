import { useStore } from 'zustand'
import type { ImageWindow } from '../app/image-window.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { ContextMenu, type MenuPlace } from '../ui/Menu.tsx'
import { imageMenu } from './image-menu.tsx'
import { t } from '../../shared/language/text.ts'

export interface ImageContextMenuProps {
  readonly images: ImageWindow
  /** Undefined: closed. */
  readonly place: MenuPlace | undefined
  readonly onClose: () => void
}

/** The menu of what is selected; it follows the selection, whose ids may come a moment later. */
export function ImageContextMenu({ images, place, onClose }: ImageContextMenuProps) {
  const workspace = useWorkspace()
  useStore(workspace.selection.state)
  return (
    <ContextMenu
      label={t`Image`}
      entries={place ? imageMenu(workspace, images) : []}
      place={place}
      onClose={onClose}
    />
  )
}
