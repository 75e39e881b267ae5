import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type CSSProperties, type MouseEvent } from 'react'
import { useStore } from 'zustand'
import type { ImageWindow } from '../app/image-window.ts'
import type { Workspace } from '../app/workspace.ts'
import { useLayout, useWorkspace } from '../app/workspace-context.ts'
import { revealImage } from './image-commands.ts'
import { ImageContextMenu } from './ImageContextMenu.tsx'
import { Tile } from './Tile.tsx'
import { useKeptScroll } from './use-kept-scroll.ts'
import { usePictureList } from './use-picture-list.ts'
import { useSize } from './use-size.ts'
import { t } from '../../shared/language/text.ts'

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

/** The small tools of a tile; true where one was pressed. */
function runTool(
  event: MouseEvent,
  { images, batch }: PictureListProps,
  workspace: Workspace,
  list: ReturnType<typeof usePictureList>,
): boolean {
  const target = event.target instanceof Element ? event.target : null
  const tool = target?.closest<HTMLElement>('[data-tool]')?.dataset['tool']
  const image = images.idAt(Number(target?.closest<HTMLElement>('[data-index]')?.dataset['index']))
  if (tool === undefined || image === undefined) return false
  if (tool === 'menu') list.onContextMenu(event)
  else list.onClick(event)
  if (tool === 'preview') workspace.open({ kind: 'large-picture', image })
  if (tool === 'reveal') void revealImage(workspace, batch, image)
  return true
}

/** Which rows exist: those in view, one screen around them, and the one that has the focus. */
function useGrid(images: ImageWindow, box: number) {
  const workspace = useWorkspace()
  const scroller = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(scroller)
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
  useKeptScroll(scroller, `grid ${JSON.stringify(images.query)}`, list.total && virtual.getTotalSize())
  const first = virtual.range?.startIndex ?? 0
  const last = virtual.range?.endIndex ?? 0
  useEffect(
    () => images.setView((first - rowsInView) * columns, (last + rowsInView + 1) * columns - 1),
    [images, first, last, columns, rowsInView],
  )
  return { scroller, columns, virtual, list }
}

/** Pictures in rows; only those in view and one screen around them exist. */
export function PictureGrid({ images, batch }: PictureListProps) {
  const workspace = useWorkspace()
  const box = useLayout((layout) => layout.pictureSize)
  const { scroller, columns, virtual, list } = useGrid(images, box)
  return (
    <div
      ref={scroller}
      className="grid-scroll"
      style={{ '--pic': `${box}px` } as CSSProperties}
      onClick={(event) => {
        if (!runTool(event, { images, batch }, workspace, list)) list.onClick(event)
      }}
      onContextMenu={list.onContextMenu}
    >
      <div
        className="grid-rows"
        role="listbox"
        aria-multiselectable
        aria-label={t`Images`}
        tabIndex={list.total === 0 ? 0 : -1}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={list.onKeyDown}
      >
        {virtual.getVirtualItems().map((row) => (
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
      <ImageContextMenu images={images} place={list.menu} onClose={list.closeMenu} />
    </div>
  )
}
