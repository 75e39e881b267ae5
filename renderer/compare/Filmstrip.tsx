import { useVirtualizer } from '@tanstack/react-virtual'
import { Check, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { thumbnailPath } from '../../shared/contract/pictures.ts'
import type { ImageRecord } from '../../shared/contract/records.ts'
import { presetTitle } from '../../shared/presets.ts'
import { figure } from '../app/format.ts'
import type { ImageWindow } from '../app/image-window.ts'
import { useImages, useRow, useTotals, useWorkspace } from '../app/workspace-context.ts'
import { classes } from '../ui/class-names.ts'
import { lookOf, lookWords } from '../ui/item-look.ts'
import { rich } from '../ui/rich.tsx'
import { StateGlyph } from '../ui/StateLabel.tsx'
import { useCompare, useComparison } from './compare-context.ts'
import { MarkFilter } from './MarkFilter.tsx'
import { chosenOf } from './presets.ts'
import { t } from '../../shared/language/text.ts'

/** Width of a frame and the gap beside it, in CSS pixels. */
const pitch = 82

/** The rows of the batch as a strip of pictures; only those in sight exist. */
export function Filmstrip() {
  const window = useImages()
  if (!window) return null
  return (
    <footer className="film">
      <Progress batch={window.query.batch} />
      <Strip window={window} />
    </footer>
  )
}

/** "48 of 118 reviewed", and the filter by mark. */
function Progress({ batch }: { readonly batch: string }) {
  const { workspace } = useComparison()
  const mark = useCompare(({ known }) =>
    [known?.record.mark, ...(known?.record.pictures ?? []).map(({ made }) => made?.mark)].join(),
  )
  const [marks, setMarks] = useState<{ kept: number; rejected: number; delivered: number }>()
  useEffect(() => {
    let isGone = false
    // A mark that was just set is counted once the engine has it.
    const count = async () => {
      const found = await workspace.api.compare.marks({ batch }).catch(() => undefined)
      if (found && !isGone) setMarks(found)
    }
    // A mark that was just set is counted once the engine has it.
    const timer = setTimeout(() => void count(), 120)
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [workspace, batch, mark])
  if (!marks) return <div className="film-count" />
  const { kept, rejected, delivered } = marks
  return (
    <div className="film-count">
      <div className="b">
        {rich`${figure(kept + rejected)} of ${figure(delivered)} ${<span className="f3">{t`reviewed`}</span>}`}
      </div>
      <div className="t11 f3">{t`${figure(kept)} kept · ${figure(rejected)} rejected`}</div>
      <MarkFilter />
    </div>
  )
}

function Strip({ window }: { readonly window: ImageWindow }) {
  const scroller = useRef<HTMLDivElement>(null)
  const totals = useTotals(window)
  const shown = useCompare((state) => ('image' in state.of ? state.of.image : undefined))
  const virtual = useVirtualizer({
    count: totals.total,
    horizontal: true,
    getScrollElement: () => scroller.current,
    estimateSize: () => pitch,
    overscan: 6,
  })
  const items = virtual.getVirtualItems()
  const [from, to] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => window.setView(from, to), [window, from, to])
  const index = shown === undefined ? undefined : window.indexOf(shown)
  useEffect(() => {
    if (index !== undefined) virtual.scrollToIndex(index, { align: 'center' })
  }, [virtual, index])
  return (
    <div
      ref={scroller}
      className="film-scroll"
      role="listbox"
      aria-label={t`Images of the batch`}
      aria-orientation="horizontal"
      tabIndex={0}
    >
      <div style={{ width: virtual.getTotalSize(), height: '100%', position: 'relative' }}>
        {items.map((item) => (
          <Frame key={item.key} window={window} index={item.index} left={item.start} total={totals.total} />
        ))}
      </div>
    </div>
  )
}

interface FrameProps {
  readonly window: ImageWindow
  readonly index: number
  readonly left: number
  readonly total: number
}

function Frame({ window, index, left, total }: FrameProps) {
  const comparison = useComparison()
  const row = useRow(window, index)
  const isOn = useCompare(({ of, known, preset }) => {
    const shown = 'image' in of ? (chosenOf(known?.record, preset)?.image ?? of.image) : undefined
    return shown !== undefined && shown === row?.id
  })
  const isBeside = useCompare(({ known }) =>
    (known?.record.pictures ?? []).some(({ made }) => made !== undefined && made.image === row?.id),
  )
  const before = useRow(window, index - 1)
  const isSame = row?.picture != null && before?.picture === row.picture
  return (
    <div
      className={classes('fr', isOn && 'on', isBeside && 'beside', isSame && 'same')}
      title={row?.picture == null || row.preset === null ? undefined : presetTitle(row.preset)}
      style={{ left }}
      role="option"
      aria-selected={isOn}
      aria-setsize={total}
      aria-posinset={index + 1}
      aria-label={row ? nameOf(row) : t`Loading`}
      onClick={() => {
        if (row) comparison.showRow(row)
      }}
    >
      <div className="fr-pic">{row ? <Thumbnail row={row} /> : <div className="skel" />}</div>
      <div className="mk" aria-hidden="true">
        {row && <FrameMark row={row} />}
      </div>
    </div>
  )
}

function Thumbnail({ row }: { readonly row: ImageRecord }) {
  const isOn = useStore(useWorkspace().mirrors.preferences, ({ value }) => value?.thumbnails ?? true)
  const output = row.outputs[0]
  if (!output && !isOn) return null
  return (
    <img
      src={thumbnailPath(row.id, output?.slug ?? 'source', 128, row.version)}
      alt=""
      loading="lazy"
      decoding="async"
      onError={(event) => {
        event.currentTarget.style.visibility = 'hidden'
      }}
    />
  )
}

/** A mark where there is one; else the state where it is not done, else a dot: not looked at. */
function FrameMark({ row }: { readonly row: ImageRecord }) {
  if (row.mark === 'reject') return <X size={12} strokeWidth={2.6} />
  if (row.mark !== null) {
    return (
      <>
        <Check size={12} strokeWidth={2.6} />
        {row.mark === 'keep-1' ? 1 : 2}
      </>
    )
  }
  if (row.state !== 'delivered' && row.state !== 'skipped') {
    const look = lookOf(row.state, row.serviceStatus === 'IN_PROGRESS')
    return (
      <span className="st" title={lookWords[look]}>
        <StateGlyph look={look} size={12} />
      </span>
    )
  }
  return <span className="unseen" />
}

/** "R1201-front.tif, Done, kept 1, De-Banded": the mark as it is drawn, then in words. */
function nameOf(row: ImageRecord): string {
  const state = lookWords[lookOf(row.state, row.serviceStatus === 'IN_PROGRESS')]
  const preset = row.picture === null ? [] : [row.preset === null ? t`No preset` : presetTitle(row.preset)]
  return [row.title, ...preset, state, ...markWords(row)].join(', ')
}

function markWords({ mark, outputs }: ImageRecord): string[] {
  if (mark === null) return []
  if (mark === 'reject') return [t`rejected`]
  const kept = outputs[mark === 'keep-1' ? 0 : 1]
  return [mark === 'keep-1' ? t`kept 1` : t`kept 2`, ...(kept ? [kept.label] : [])]
}
