import { useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import type { ImageWindow } from '../app/image-window.ts'
import type { SelectHow } from '../app/selection.ts'
import { useTotals, useWorkspace } from '../app/workspace-context.ts'
import { placeOf, type MenuPlace } from '../ui/Menu.tsx'
import { keyIndex } from './list-keys.ts'

export interface PictureListParts {
  readonly images: ImageWindow
  readonly columns: number
  readonly rowsInView: () => number
  readonly scrollTo: (index: number) => void
  /** Within which rows are, each with `data-index`. */
  readonly container: () => HTMLElement | null
}

/** Frames to wait for a row that has to be scrolled into view first. */
const patience = 12

function indexOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return row ? Number(row.dataset['index']) : undefined
}

/** Selection, keyboard and context menu of the grid and of the table, which differ in their layout alone. */
export function usePictureList(parts: PictureListParts) {
  const workspace = useWorkspace()
  const { total } = useTotals(parts.images)
  const [menu, setMenu] = useState<MenuPlace>()
  const frame = useRef(0)
  const { selection } = workspace

  const focusRow = (index: number, left = patience) => {
    cancelAnimationFrame(frame.current)
    const row = parts.container()?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    if (row) row.focus({ preventScroll: true })
    else if (left > 0) frame.current = requestAnimationFrame(() => focusRow(index, left - 1))
  }
  const go = (index: number, how: SelectHow) => {
    parts.scrollTo(index)
    void selection.select(index, how)
    focusRow(index)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { focus } = selection.state.getState()
    const mod = workspace.platform === 'mac' ? event.metaKey : event.ctrlKey
    if (event.altKey || (mod && workspace.platform === 'mac')) return
    const place = { index: focus, total, columns: parts.columns, rowsInView: parts.rowsInView() }
    const next = keyIndex(event.key, place)
    if (next !== undefined) {
      event.preventDefault()
      if (!mod) return go(next, event.shiftKey ? 'stretch' : 'only')
      parts.scrollTo(next)
      selection.focus(next)
      return focusRow(next)
    }
    if (event.key === 'Escape' && selection.count > 0) {
      event.preventDefault()
      return selection.clear()
    }
    if (event.key !== ' ' || focus < 0) return
    event.preventDefault()
    if (mod) return void selection.select(focus, 'toggle')
    const image = parts.images.idAt(focus)
    if (image !== undefined && !event.repeat) workspace.open({ kind: 'large-picture', image })
  }
  const onClick = (event: MouseEvent) => {
    const index = indexOf(event.target)
    if (index === undefined) return selection.clear()
    const mod = workspace.platform === 'mac' ? event.metaKey : event.ctrlKey
    void selection.select(index, event.shiftKey ? 'stretch' : mod ? 'toggle' : 'only')
    focusRow(index)
  }
  const onContextMenu = (event: MouseEvent) => {
    const index = indexOf(event.target) ?? selection.state.getState().focus
    const id = parts.images.idAt(index)
    if (id === undefined) return
    event.preventDefault()
    const place = placeOf(event)
    if (!selection.has(id)) void selection.select(index, 'only')
    setMenu(place)
  }
  return { total, menu, closeMenu: () => setMenu(undefined), onKeyDown, onClick, onContextMenu }
}
