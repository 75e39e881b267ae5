import { Check, Ellipsis, FolderOpen, X, ZoomIn } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { presetTitle } from '../../shared/presets.ts'
import type { ImageRecord } from '../../shared/contract/records.ts'
import { shortDuration } from '../app/format.ts'
import type { ImageWindow } from '../app/image-window.ts'
import { useBatch, useNow, useRow, useWorkspace } from '../app/workspace-context.ts'
import { classes } from '../ui/class-names.ts'
import { stepsOf } from '../ui/item-look.ts'
import { StateLabel } from '../ui/StateLabel.tsx'
import { Steps } from '../ui/Steps.tsx'
import {
  creditsOf,
  formatName,
  isActive,
  lookOfImage,
  nameOf,
  pictureOf,
  progressOf,
  sizeFor,
} from './image-look.ts'
import { Picture } from './Picture.tsx'
import { t } from '../../shared/language/text.ts'

export interface RowProps {
  readonly images: ImageWindow
  readonly index: number
  readonly batch: string
  readonly total: number
}

/** How a row is selected: `sel` is the leading one, `multi` one of several. */
export function useSelected(image: ImageRecord | undefined, index: number): 'sel' | 'multi' | undefined {
  const { selection } = useWorkspace()
  return useStore(selection.state, ({ all, ids, focus }) => {
    if (!image || !(all || ids.has(image.id))) return undefined
    return focus === index || (!all && ids.size === 1) ? 'sel' : 'multi'
  })
}

/** 0 for the one row that Tab comes to, -1 for the others. */
export function useTabIndex(index: number): 0 | -1 {
  const { selection } = useWorkspace()
  return useStore(selection.state, ({ focus }) => (focus === index || (focus < 0 && index === 0) ? 0 : -1))
}

/** Time since it was accepted while it moves, in all where it is settled. */
export function Elapsed({ image }: { readonly image: ImageRecord }) {
  const now = useNow(isActive(image))
  if (isActive(image))
    return image.since === null ? null : <span>{shortDuration(Math.max(0, now - image.since))}</span>
  return image.took === null ? null : <span>{shortDuration(image.took)}</span>
}

interface TrackProps {
  readonly image: ImageRecord
  readonly batch: string
  /** Leaves out the track of what is done, which is quiet in the grid. */
  readonly isQuiet: boolean
}

export function Track({ image, batch, isQuiet }: TrackProps) {
  const now = useNow(image.serviceStatus === 'IN_PROGRESS')
  const median = useBatch(batch)?.median ?? null
  const look = lookOfImage(image)
  if (isQuiet && look === 'done') return null
  const parts = stepsOf(look, progressOf(image, now, median))
  return parts ? <Steps parts={parts} /> : null
}

/** Glyph and word of a row's state; a failure's reason takes the place of its word. */
export function RowState({ image, batch }: { readonly image: ImageRecord; readonly batch: string }) {
  const now = useNow(image.serviceStatus === 'IN_PROGRESS')
  const median = useBatch(batch)?.median ?? null
  const word = image.state === 'failed' ? image.reason : null
  return (
    <StateLabel look={lookOfImage(image)} fraction={progressOf(image, now, median)}>
      {word === null ? undefined : <bdi title={word}>{word}</bdi>}
    </StateLabel>
  )
}

const badges: Readonly<Record<NonNullable<ImageRecord['mark']>, ReactNode>> = {
  'keep-1': <Check size={11} strokeWidth={3} />,
  'keep-2': (
    <>
      <Check size={11} strokeWidth={3} />2
    </>
  ),
  reject: <X size={11} strokeWidth={3} />,
}

/** Shortcuts for the pointer; the same things are in the context menu and on keys. */
function TileTools() {
  const workspace = useWorkspace()
  return (
    <span className="gh-tools" aria-hidden="true">
      {workspace.isDesktop && (
        <span className="tool" data-tool="reveal" title={t`Show in folder`}>
          <FolderOpen size={13} />
        </span>
      )}
      <span className="tool" data-tool="preview" title={t`Large preview`}>
        <ZoomIn size={13} />
      </span>
      <span className="tool" data-tool="menu" title={t`More`}>
        <Ellipsis size={13} />
      </span>
    </span>
  )
}

interface TileBodyProps {
  readonly image: ImageRecord
  readonly batch: string
  readonly box: number
}

function TileBody({ image, batch, box }: TileBodyProps) {
  const { mirrors } = useWorkspace()
  const hasSources = useStore(mirrors.preferences, ({ value }) => value?.thumbnails ?? true)
  const isShown = hasSources || image.outputs.length > 0
  const credits = creditsOf(image)
  return (
    <>
      <div className="pic">
        <Picture
          src={isShown ? pictureOf(image, sizeFor(box, devicePixelRatio)) : undefined}
          fallback={formatName(image.title)}
        />
        {image.mark !== null && <span className="badge tl">{badges[image.mark]}</span>}
        {image.picture !== null && image.preset !== null && (
          <bdi className="tile-preset ell" title={presetTitle(image.preset)}>
            {presetTitle(image.preset)}
          </bdi>
        )}
      </div>
      <TileTools />
      <Track image={image} batch={batch} isQuiet />
      <div className="nm">
        <bdi
          className="ell grow"
          title={image.folder === '' ? image.title : `${image.folder}/${image.title}`}
        >
          {image.title}
        </bdi>
        {credits !== undefined && image.state !== 'failed' && image.state !== 'review' && (
          <span className="cr">{t`${credits} cr`}</span>
        )}
      </div>
      <div className="ln">
        <RowState image={image} batch={batch} />
        {image.state !== 'failed' && image.state !== 'review' && <Elapsed image={image} />}
      </div>
    </>
  )
}

function LoadingTile() {
  return (
    <>
      <div className="pic">
        <span className="skel late" />
      </div>
      <div className="nm">
        <span className="skel late line" />
      </div>
      <div className="ln" />
    </>
  )
}

export interface TileProps extends RowProps {
  /** Height of the picture's box. */
  readonly box: number
}

/** One image in the grid. It renders for its own changes alone. */
export const Tile = memo(function Tile({ images, index, batch, total, box }: TileProps) {
  const image = useRow(images, index)
  const selected = useSelected(image, index)
  const tabIndex = useTabIndex(index)
  return (
    <div
      className={classes('tile', selected)}
      role="option"
      data-index={index}
      tabIndex={tabIndex}
      data-region-focus={tabIndex === 0 ? '' : undefined}
      aria-selected={selected !== undefined}
      aria-setsize={total}
      aria-posinset={index + 1}
    >
      <span className="hidden-text">{image ? nameOf(image) : t`Loading`}</span>
      <div className="tile-body" aria-hidden="true">
        {image ? <TileBody image={image} batch={batch} box={box} /> : <LoadingTile />}
      </div>
    </div>
  )
})
