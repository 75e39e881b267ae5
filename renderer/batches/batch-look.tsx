import {
  Ban,
  Check,
  CircleDashed,
  CircleX,
  Hand,
  KeyRound,
  Loader,
  OctagonPause,
  Pause,
  Wallet,
  WifiOff,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { BatchRecord, QueueRecord } from '../../shared/contract/records.ts'
import { figure, plural, timeLeft } from '../app/format.ts'
import { ProgressRing } from '../ui/ProgressRing.tsx'
import { StateGlyph } from '../ui/StateLabel.tsx'
import { runStateOf, type RunState } from './run-state.ts'
import { t } from '../../shared/language/text.ts'

/** The glyph of a batch's state and its tone; a word always stands beside it. */
export function runGlyph(look: RunState['look'], fraction: number, size: number): ReactNode {
  const of = (Glyph: typeof Pause, tone: string) => (
    <span className={tone}>
      <Glyph size={size} aria-hidden="true" />
    </span>
  )
  switch (look) {
    case 'running':
      return (
        <span className="acc">
          <ProgressRing fraction={fraction} size={size} />
        </span>
      )
    case 'ready':
    case 'elsewhere':
      return of(CircleDashed, 'f3')
    case 'held':
      return of(Hand, 'amb')
    case 'pausing':
      return of(Loader, 'amb')
    case 'paused':
      return of(Pause, 'amb')
    case 'offline':
      return of(WifiOff, 'f2')
    case 'out-of-credits':
      return of(Wallet, 'amb')
    case 'key-rejected':
      return of(KeyRound, 'red')
    case 'stopped':
      return of(OctagonPause, 'amb')
    case 'finished':
      return of(Check, 'f2')
  }
}

interface BatchLook {
  readonly glyph: ReactNode
  /** Beside the name in one line. */
  readonly short: string
  /** Below the name of the open batch. */
  readonly long: string
}

/** How a batch shows in the sidebar. What went wrong comes first. */
export function batchLook(batch: BatchRecord, queue: QueueRecord | undefined, size = 16): BatchLook {
  const state = runStateOf(batch, queue)
  const { counts, total } = batch
  const done = counts.delivered + counts.skipped
  const progress = t`${figure(done)} of ${figure(total)}`
  const glyph = runGlyph(state.look, total === 0 ? 0 : done / total, size)
  if (counts.review > 0 && state.look === 'finished') {
    const words = plural(counts.review, 'to decide', 'to decide')
    return {
      glyph: (
        <span className="amb">
          <StateGlyph look="review" size={size} />
        </span>
      ),
      short: words,
      long: `${progress} · ${words}`,
    }
  }
  if (state.look === 'finished' && counts.failed > 0) {
    return {
      glyph: (
        <span className="red">
          <CircleX size={size} aria-hidden="true" />
        </span>
      ),
      short: t`${figure(counts.failed)} failed`,
      long: t`${figure(done)} done · ${figure(counts.failed)} failed`,
    }
  }
  if (state.look === 'finished' && counts.cancelled === total && total > 0) {
    return { glyph: <Ban size={size} aria-hidden="true" />, short: t`cancelled`, long: t`All cancelled` }
  }
  return { glyph, short: figure(total), long: longWords(batch, state, progress) }
}

function longWords(batch: BatchRecord, state: RunState, progress: string): string {
  switch (state.look) {
    case 'ready':
      return t`${plural(batch.total, 'image')} · ready`
    case 'finished':
      return t`${figure(batch.counts.delivered + batch.counts.skipped)} done · ${plural(batch.charged, 'credit')}`
    case 'running':
      return batch.eta === null ? progress : t`${progress} · about ${timeLeft(batch.eta).replace('≈ ', '')}`
    case 'held':
      return t`${progress} · waits for your go`
    case 'elsewhere':
      return progress
    case 'pausing':
    case 'paused':
    case 'offline':
    case 'out-of-credits':
    case 'key-rejected':
    case 'stopped':
      return `${progress} · ${state.inLine ?? state.title}`
  }
}
