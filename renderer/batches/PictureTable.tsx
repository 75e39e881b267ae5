import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { presetTitle } from '../../shared/presets.ts'
import type { ImageQuery, ImageRecord } from '../../shared/contract/records.ts'
import { sieveOf } from '../app/view.ts'
import { useBatch, useRow, useWorkspace } from '../app/workspace-context.ts'
import { classes } from '../ui/class-names.ts'
import { Tag } from '../ui/Tag.tsx'
import { creditsOf, formatName, isActive, nameOf, pictureOf, sizeFor } from './image-look.ts'
import { ImageContextMenu } from './ImageContextMenu.tsx'
import { Picture } from './Picture.tsx'
import type { PictureListProps } from './PictureGrid.tsx'
import { Elapsed, RowState, Track, useSelected, useTabIndex, type RowProps } from './Tile.tsx'
import { useKeptScroll } from './use-kept-scroll.ts'
import { usePictureList } from './use-picture-list.ts'
import { useSize } from './use-size.ts'
import { t } from '../../shared/language/text.ts'

const rowHeight = 42

interface ColumnHeadProps {
  readonly batch: string
  readonly sort: NonNullable<ImageQuery['sort']>
  readonly children: string
  readonly isRight?: boolean
}

function ColumnHead({ batch, sort, children, isRight = false }: ColumnHeadProps) {
  const workspace = useWorkspace()
  const sieve = useStore(workspace.view, (view) => sieveOf(view, batch))
  const isOn = sieve.sort === sort
  const Arrow = sieve.descending ? ArrowDown : ArrowUp
  return (
    <span
      role="columnheader"
      className={classes(isRight && 'r')}
      aria-sort={isOn ? (sieve.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        className={classes('th-b', isOn && 'th-s')}
        onClick={() => {
          if (!isOn) workspace.sieve({ sort, descending: false })
          else if (!sieve.descending) workspace.sieve({ descending: true })
          else workspace.sieve({ sort: 'queue', descending: false })
        }}
      >
        {children}
        {isOn && <Arrow size={12} aria-hidden="true" />}
      </button>
    </span>
  )
}

function TableHead({ batch }: { readonly batch: string }) {
  const hasPresets = useBatch(batch)?.hasSeveralPresets === true
  return (
    <div className={classes('tr th', hasPresets && 'with-preset')} role="row" aria-rowindex={1}>
      <span role="columnheader">
        <span className="hidden-text">{t`Picture`}</span>
      </span>
      <ColumnHead batch={batch} sort="title">
        {t`Name`}
      </ColumnHead>
      {hasPresets && <span role="columnheader">{t`Preset`}</span>}
      <ColumnHead batch={batch} sort="state">
        {t`State`}
      </ColumnHead>
      <span role="columnheader">{t`Progress`}</span>
      <ColumnHead batch={batch} sort="credits" isRight>
        {t`Credits`}
      </ColumnHead>
      <ColumnHead batch={batch} sort="time" isRight>
        {t`Time`}
      </ColumnHead>
      <span role="columnheader">{t`Outputs`}</span>
    </div>
  )
}

function Outputs({ image }: { readonly image: ImageRecord }) {
  const [first, ...others] = image.outputs
  if (!first) return null
  return (
    <span className="row g4">
      <Tag tone="line">
        <bdi className="ell" title={first.label}>
          {first.label}
        </bdi>
      </Tag>
      {others.length > 0 && <Tag tone="line">{`+${others.length}`}</Tag>}
    </span>
  )
}

interface CellsProps {
  readonly image: ImageRecord
  readonly batch: string
  readonly hasPresets: boolean
}

function Cells({ image, batch, hasPresets }: CellsProps) {
  const { mirrors } = useWorkspace()
  const hasSources = useStore(mirrors.preferences, ({ value }) => value?.thumbnails ?? true)
  const isShown = hasSources || image.outputs.length > 0
  const credits = creditsOf(image)
  const preset = image.preset === null ? undefined : presetTitle(image.preset)
  return (
    <>
      <span role="gridcell" className="tpic">
        <Picture
          src={isShown ? pictureOf(image, sizeFor(34, devicePixelRatio)) : undefined}
          fallback={formatName(image.title)}
        />
      </span>
      <span role="gridcell" className="tname">
        <bdi className="ell" title={image.title}>
          {image.title}
        </bdi>
        {image.folder !== '' && (
          <bdi className="ell f3 t11" title={image.folder}>
            {image.folder.split('/').join(' / ')}
          </bdi>
        )}
      </span>
      {hasPresets && (
        <span role="gridcell" className="ell">
          <bdi title={preset}>{preset ?? <span className="f3">–</span>}</bdi>
        </span>
      )}
      <span role="gridcell" className="row">
        <RowState image={image} batch={batch} />
      </span>
      <span role="gridcell">
        <Track image={image} batch={batch} isQuiet={false} />
      </span>
      <span role="gridcell" className={classes('r', image.state === 'review' && 'amb')}>
        {credits ?? <span className="f3">–</span>}
      </span>
      <span role="gridcell" className="r">
        {isActive(image) || image.took !== null ? <Elapsed image={image} /> : <span className="f3">–</span>}
      </span>
      <span role="gridcell" className="ell">
        {image.state === 'skipped' ? (
          <span className="f3 t11">{t`already delivered`}</span>
        ) : (
          <Outputs image={image} />
        )}
      </span>
    </>
  )
}

const TableRow = memo(function TableRow({ images, index, batch }: RowProps) {
  const image = useRow(images, index)
  const selected = useSelected(image, index)
  const tabIndex = useTabIndex(index)
  const hasPresets = useBatch(batch)?.hasSeveralPresets === true
  return (
    <div
      className={classes('tr', hasPresets && 'with-preset', selected !== undefined && 'sel')}
      role="row"
      data-index={index}
      tabIndex={tabIndex}
      data-region-focus={tabIndex === 0 ? '' : undefined}
      aria-rowindex={index + 2}
      aria-selected={selected !== undefined}
      aria-label={image ? nameOf(image) : t`Loading`}
    >
      {image ? (
        <Cells image={image} batch={batch} hasPresets={hasPresets} />
      ) : (
        <>
          <span role="gridcell" className="tpic">
            <span className="skel late" aria-hidden="true" />
          </span>
          <span role="gridcell">
            <span className="skel late line" aria-hidden="true" />
          </span>
        </>
      )}
    </div>
  )
})

/** The same rows as a table, one line each. */
export function PictureTable({ images, batch }: PictureListProps) {
  const workspace = useWorkspace()
  const scroller = useRef<HTMLDivElement>(null)
  const { height } = useSize(scroller)
  const rowsInView = Math.max(1, Math.floor((height - 28) / rowHeight))
  const focus = useStore(workspace.selection.state, (state) => state.focus)
  const list = usePictureList({
    images,
    columns: 1,
    rowsInView: () => rowsInView,
    scrollTo: (index) => virtual.scrollToIndex(index),
    container: () => scroller.current,
  })
  const focusRow = Math.max(0, Math.min(focus, list.total - 1))
  const virtual = useVirtualizer({
    count: list.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: rowsInView,
    scrollPaddingStart: 28,
    rangeExtractor: (range) =>
      [...new Set([focusRow, ...defaultRangeExtractor(range)])].sort((a, b) => a - b),
  })
  useKeptScroll(scroller, `table ${JSON.stringify(images.query)}`, list.total && virtual.getTotalSize())
  const rows = virtual.getVirtualItems()
  const first = virtual.range?.startIndex ?? 0
  const last = virtual.range?.endIndex ?? 0
  useEffect(() => images.setView(first - rowsInView, last + rowsInView), [images, first, last, rowsInView])
  return (
    <div ref={scroller} className="tbl-scroll" onContextMenu={list.onContextMenu}>
      <div
        role="grid"
        aria-label={t`Images`}
        aria-multiselectable
        aria-rowcount={list.total + 1}
        onKeyDown={list.onKeyDown}
      >
        <TableHead batch={batch} />
        <div
          className="tbl-rows"
          role="rowgroup"
          style={{ height: virtual.getTotalSize() }}
          onClick={list.onClick}
        >
          {rows.map((row) => (
            <div
              key={row.key}
              className="tbl-row"
              role="presentation"
              style={{ transform: `translateY(${row.start}px)` }}
            >
              <TableRow images={images} index={row.index} batch={batch} total={list.total} />
            </div>
          ))}
        </div>
      </div>
      <ImageContextMenu images={images} place={list.menu} onClose={list.closeMenu} />
    </div>
  )
}
