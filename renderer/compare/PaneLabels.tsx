import { Check, X } from 'lucide-react'
import { labelOf, type Picture } from './arrangement.ts'
import { useCompare, useComparison } from './compare-context.ts'
import { Button as AriaButton } from 'react-aria-components'
import { useStore } from 'zustand'
import { classes } from '../ui/class-names.ts'
import { chosenOf, type Made } from './presets.ts'
import { t } from '../../shared/language/text.ts'

const roleWords = { primary: t`primary`, extra: t`extra`, preset: t`preset`, source: t`source` } as const
const markOf = { primary: 'keep-1', extra: 'keep-2', preset: 'keep-1' } as const

/** The key that keeps a picture: 1 for the first output, 2 for the second. */
function keyOf(picture: Picture): string | undefined {
  if (picture.role === 'source' || picture.role === 'preset') return undefined
  return picture.role === 'primary' ? '1' : '2'
}

/** What each pane shows; while two take turns, which of them it is. */
export function PaneLabels() {
  const comparison = useComparison()
  const { known, arranged, turn, mode: wished } = useStore(comparison.session.state)
  const mode = arranged?.mode ?? wished
  if (!known) return null
  const { shown } = comparison
  const [a, b] = shown
  if (mode === 'difference' && a && b) {
    return (
      <div className="plabel plain">
        |{labelOf(a)} − {labelOf(b)}|
      </div>
    )
  }
  if (mode === 'split' && a && b) {
    return (
      <>
        <Label picture={a} />
        <Label picture={b} right />
      </>
    )
  }
  if (mode === 'flicker' && a && b) return <Label picture={turn === 0 ? a : b} isLive />
  return shown.map((picture, index) => (
    <div
      key={picture.which}
      className="pane-over"
      style={{ left: `${(index * 100) / shown.length}%`, width: `${100 / shown.length}%` }}
    >
      {picture.made ? (
        <PresetLabel picture={picture} made={picture.made} />
      ) : (
        <Label picture={picture} withRole />
      )}
      <MarkTag picture={picture} />
    </div>
  ))
}

interface LabelProps {
  readonly picture: Picture
  readonly right?: boolean
  readonly withRole?: boolean
  readonly isLive?: boolean
}

function Label({ picture, right = false, withRole = false, isLive = false }: LabelProps) {
  const key = keyOf(picture)
  const cap = key !== undefined && <kbd aria-hidden="true">{key}</kbd>
  // "Source", a source, needs no second word.
  const sameWord = picture.role === 'source' || picture.label.toLowerCase() === picture.role
  return (
    <div className={classes('plabel', right && 'r', key === undefined && 'plain')} data-flicker={isLive}>
      {!right && cap}
      <span className="ell" dir="auto">
        {labelOf(picture)}
      </span>
      {withRole && !sameWord && <span className="f3">{roleWords[picture.role]}</span>}
      {right && cap}
    </div>
  )
}

/** The name of a preset; pressed, marks are for what it made. */
function PresetLabel({ picture, made }: { readonly picture: Picture; readonly made: Made }) {
  const comparison = useComparison()
  const isChosen = useCompare(({ known, preset }) => chosenOf(known?.record, preset)?.image === made.image)
  return (
    <AriaButton
      className={classes('plabel plain preset-label', isChosen && 'on')}
      aria-pressed={isChosen}
      onPress={() => comparison.choosePreset(made)}
    >
      <span className="ell" dir="auto">
        {labelOf(picture)}
      </span>
    </AriaButton>
  )
}

/** "Kept" on the pane that was kept, "Rejected" on all. */
function MarkTag({ picture }: { readonly picture: Picture }) {
  const own = useCompare((state) => state.known?.record.mark ?? null)
  const mark = picture.made ? picture.made.mark : own
  if (mark === 'reject' && picture.role !== 'source') {
    return (
      <span className="plabel r tagged">
        <X size={13} strokeWidth={2.6} />
        {t`Rejected`}
      </span>
    )
  }
  if (picture.role === 'source' || mark !== markOf[picture.role]) return null
  return (
    <span className="plabel r tagged">
      <Check size={13} strokeWidth={2.6} />
      {t`Kept`}
    </span>
  )
}
