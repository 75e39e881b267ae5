import { useEffect, useRef, type RefObject } from 'react'
import { useMedia } from '../app/use-media.ts'
import { alignmentNote, hasVideo, labelOf } from './arrangement.ts'
import { useCompare, useComparison, useLooking, useSurround } from './compare-context.ts'
import { surrounds } from './comparison.ts'
import { DifferencePanel } from './DifferencePanel.tsx'
import { FlickerPanel } from './FlickerPanel.tsx'
import { listenToGestures } from './gestures.ts'
import { LoupeBadges } from './LoupeBadges.tsx'
import { Navigator } from './Navigator.tsx'
import { PaneLabels } from './PaneLabels.tsx'
import { PaneStates } from './PaneStates.tsx'
import { ReviewBar } from './ReviewBar.tsx'
import { SplitHandle } from './SplitHandle.tsx'
import { VideoPanes } from './VideoPanes.tsx'
import type { Space } from './worker-messages.ts'
import { t } from '../../shared/language/text.ts'

/** The panes: one canvas under everything that lies over it. */
export function StageView() {
  const comparison = useComparison()
  const element = useRef<HTMLDivElement>(null)
  const mode = useCompare((state) => state.arranged?.mode ?? state.mode)
  const isDifference = useCompare((state) => state.mode === 'difference')
  const note = useCompare((state) => alignmentNote(state.arranged?.alignment ?? 'same'))
  const hasWideScreen = useMedia('(color-gamut: p3)')
  const space = useCompare((state) => state.space)
  useEffect(() => comparison.session.set({ hasWideScreen }), [comparison, hasWideScreen])
  const isVideo = useCompare(({ known }) => hasVideo(known, comparison.shown))
  return (
    <main className="cmp" ref={element} tabIndex={-1} aria-label={t`Pictures`}>
      <Picture element={element} key={space} space={space} />
      {isVideo && <VideoPanes />}
      <PaneStates />
      <PaneLabels />
      {mode === 'split' && comparison.shown.length > 1 && <SplitHandle />}
      {mode === 'flicker' && <FlickerPanel />}
      {isDifference && <DifferencePanel />}
      <LoupeBadges />
      {!isVideo && <Navigator />}
      {note !== undefined && <div className="plabel note">{note}</div>}
      <ReviewBar />
    </main>
  )
}

/** "De-Banded and Original" */
function together([first = '', ...others]: readonly string[]): string {
  return others.reduce((all, one) => t`${all} and ${one}`, first)
}

/** A canvas keeps the colours that it began with. */
function Picture({
  element,
  space,
}: {
  readonly element: RefObject<HTMLElement | null>
  readonly space: Space
}) {
  const comparison = useComparison()
  const canvas = useRef<HTMLCanvasElement>(null)
  const { stage } = comparison.session
  const surround = useSurround()
  const ground = useLooking((looking) => looking.ground)
  const names = useCompare(() => together(comparison.shown.map(labelOf)))
  useEffect(() => stage.look(surrounds[surround], ground), [stage, surround, ground])
  useEffect(() => {
    const [box, drawing] = [element.current, canvas.current]
    if (!box || !drawing) return undefined
    const unmount = stage.mount(drawing, space)
    const fit = () => stage.resize({ width: box.clientWidth, height: box.clientHeight }, devicePixelRatio)
    const watcher = new ResizeObserver(fit)
    watcher.observe(box)
    fit()
    const panes = () => comparison.session.state.getState().arranged?.scene?.panes.length ?? 1
    const hasLoupe = () => comparison.looking.getState().hasLoupe
    const end = listenToGestures(box, { stage, hasLoupe, panes })
    const remember = (event: PointerEvent) => {
      const { left, top, width } = box.getBoundingClientRect()
      comparison.pointerOver = { x: event.clientX - left, y: event.clientY - top, width }
    }
    const forget = () => {
      comparison.pointerOver = undefined
    }
    box.addEventListener('pointermove', remember)
    box.addEventListener('pointerleave', forget)
    return () => {
      end()
      watcher.disconnect()
      unmount()
      box.removeEventListener('pointermove', remember)
      box.removeEventListener('pointerleave', forget)
    }
  }, [comparison, stage, element, space])
  return <canvas ref={canvas} className="stage" role="img" aria-label={names} />
}
