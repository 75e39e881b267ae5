import {
  Ban,
  Check,
  CircleArrowDown,
  CircleArrowUp,
  CircleDashed,
  CircleX,
  Clock,
  Hand,
  SkipForward,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './class-names.ts'
import { lookWords, type ItemLook } from './item-look.ts'
import { ProgressRing } from './ProgressRing.tsx'

const glyphs: Readonly<Record<Exclude<ItemLook, 'processing' | 'review'>, LucideIcon>> = {
  waiting: CircleDashed,
  held: Hand,
  submitting: CircleArrowUp,
  queue: Clock,
  downloading: CircleArrowDown,
  done: Check,
  failed: CircleX,
  cancelled: Ban,
  skipped: SkipForward,
}

export interface StateGlyphProps {
  readonly look: ItemLook
  readonly size?: number
  /** Of the ring while processing, 0 to 1. */
  readonly fraction?: number | undefined
}

/** The glyph of a state, in the colour of the text around it. */
export function StateGlyph({ look, size = 13, fraction = 0.62 }: StateGlyphProps) {
  if (look === 'processing') return <ProgressRing fraction={Math.min(fraction, 0.9)} size={size} />
  if (look === 'review') return <ReviewGlyph size={size} />
  const Glyph = glyphs[look]
  return <Glyph size={size} strokeWidth={2.2} aria-hidden="true" />
}

export interface StateLabelProps extends StateGlyphProps {
  /** In place of the state's word: a failure's short reason, "Link not reachable". */
  readonly children?: ReactNode
}

/** Glyph and word of a state; never the colour alone. */
export function StateLabel({ look, size, fraction, children }: StateLabelProps) {
  return (
    <span className={classes('st', toneOf(look))}>
      <StateGlyph look={look} fraction={fraction} {...(size === undefined ? {} : { size })} />
      <span className="ell">{children ?? lookWords[look]}</span>
    </span>
  )
}

function toneOf(look: ItemLook): string {
  return look === 'held' ? 'waiting' : look === 'skipped' ? 'cancelled' : look
}

function ReviewGlyph({ size }: { readonly size: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2.2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <rect x="5" y="5" width="14" height="14" rx="2.4" transform="rotate(45 12 12)" />
      <path d="M10.2 10.2a1.9 1.9 0 1 1 2.6 2c-.5.2-.8.6-.8 1.1" />
      <path d="M12 15.6v.01" />
    </svg>
  )
}
