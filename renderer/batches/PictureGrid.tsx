import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type CSSProperties, type MouseEvent } from 'react'
import { useStore } from 'zustand'
import type { ImageWindow } from '../app/image-window.ts'
import { useLayout, useWorkspace } from '../app/workspace-context.ts'
import { ContextMenu } from '../ui/Menu.tsx'
import { revealImage } from './image-commands.ts'
import { imageMenu } from './image-menu.tsx'
import { Tile } from './Tile.tsx'
import { usePictureList } from './use-picture-list.ts'
import { useSize } from './use-size.ts'

const gap = 8
const side = 16
/** What a tile has above and below its picture's box. */
const around = 58

/** How many tiles stand beside each other. */
export function columnsFor(width: number, box: number): number {
  return Math.max(1, Math.floor((width - 2 * side + gap) / (box + 16 + gap)))
}

export interface PictureListProps {
  readonly images: ImageWindow
  readonly batch: string
}

/** Pictures in rows; only those in view and one screen around them exist. */
export function PictureGrid({ images, batch }: PictureListProps) {
  const workspace = useWorkspace()
  const scroller = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(scroller)
  const box = useLayout((layout) => layout.pictureSize)
  const columns = columnsFor(width, box)
  const rowHeight = box + around + gap
  const rowsInView = Math.max(1, Math.floor(height / rowHeight))
  const focus = useStore(workspace.selection.state, (state) => state.focus)
  const list = usePictureList({
    images,
    columns,
    rowsInView: () => rowsInView,
    scrollTo: (index) => virtual.scrollToIndex(Math.floor(index / columns)),
    container: () => scroller.current,
  })
  const focusRow = focus < 0 ? 0 : Math.floor(Math.min(focus, list.total - 1) / columns)
  const virtual = useVirtualizer({
    count: Math.ceil(list.total / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: rowsInView,
    paddingStart: 2,
    paddingEnd: side,
    // What has the focus stays, wherever one scrolls: focus must never fall to the page.
    rangeExtractor: (range) =>
      [...new Set([focusRow, ...defaultRangeExtractor(range)])].sort((a, b) => a - b),
  })
  useEffect(() => virtual.measure(), [rowHeight, virtual])
  const rows = virtual.getVirtualItems()
  const inView = rows.filter((row) => row.index !== focusRow)
  const first = inView[0]?.index ?? 0
  const last = inView.at(-1)?.index ?? 0
  useEffect(() => images.setView(first * columns, (last + 1) * columns - 1), [images, first, last, columns])

  return (
    <div
      ref={scroller}
      className="grid-scroll"
      style={{ '--pic': `${box}px` } as CSSProperties}
      onClick={(event) => {
        if (!runTool(event, list)) list.onClick(event)
      }}
      onContextMenu={list.onContextMenu}
    >
      <div
        className="grid-rows"
        role="listbox"
        aria-multiselectable
        aria-label="Images"
        tabIndex={list.total === 0 ? 0 : -1}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={list.onKeyDown}
      >
        {rows.map((row) => (
          <div
            key={row.key}
            className="grid-row"
            role="presentation"
            style={{
              transform: `translateY(${row.start}px)`,
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            }}
          >
            {Array.from({ length: Math.min(columns, list.total - row.index * columns) }, (_, column) => {
              const index = row.index * columns + column
              return (
                <Tile key={index} images={images} index={index} batch={batch} total={list.total} box={box} />
              )
            })}
          </div>
        ))}
      </div>
      <ContextMenu
        label="Image"
        entries={list.menu ? imageMenu(workspace, images) : []}
        place={list.menu}
        onClose={list.closeMenu}
      />
    </div>
  )

  /** The small tools of a tile; true where one was pressed. */
  function runTool(event: MouseEvent, { onClick, onContextMenu }: typeof list): boolean {
    const target = event.target instanceof Element ? event.target : null
    const tool = target?.closest<HTMLElement>('[data-tool]')?.dataset['tool']
    const index = Number(target?.closest<HTMLElement>('[data-index]')?.dataset['index'])
    const image = images.idAt(index)
    if (tool === undefined || image === undefined) return false
    if (tool === 'menu') onContextMenu(event)
    else onClick(event)
    if (tool === 'preview') workspace.open({ kind: 'large-picture', image })
    if (tool === 'reveal') void revealImage(workspace, batch, image)
    return true
  }
}
