import { Check, X } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import { classes } from '../ui/class-names.ts'
import { labelOf } from './arrangement.ts'
import { useCompare, useComparison } from './compare-context.ts'
import type { Mark } from './comparison.ts'
import { chosenOf } from './presets.ts'
import { t } from '../../shared/language/text.ts'

/** Keep, reject, next: the bar over the foot of the panes. */
export function ReviewBar() {
  const comparison = useComparison()
  const record = useCompare((state) => state.known?.record)
  const isRun = useCompare((state) => 'run' in state.of)
  const preset = useCompare((state) => state.preset)
  const chosen = chosenOf(record, preset)
  if (!record || isRun) return null
  const [primary, second] = ['primary', 'extra'].map((role) =>
    record.pictures.find((picture) => picture.role === role),
  )
  const first = primary ?? record.pictures.find(({ made }) => made && made.image === chosen?.image)
  return (
    <div className="hud" role="toolbar" aria-label={t`Decide`}>
      {(record.canMark || chosen) && first && (
        <>
          <MarkButton
            mark="keep-1"
            keys="1"
            label={second || first.made ? t`Keep ${labelOf(first)}` : t`Keep`}
          />
          {second && <MarkButton mark="keep-2" keys="2" label={t`Keep ${labelOf(second)}`} />}
          <MarkButton mark="reject" keys="X" label={t`Reject`} />
          <span className="sep" />
        </>
      )}
      <AriaButton className="btn" onPress={() => void comparison.step(1)}>
        {t`Next`}
        <kbd aria-hidden="true">{t`Space`}</kbd>
      </AriaButton>
    </div>
  )
}

function MarkButton({
  mark,
  keys,
  label,
}: {
  readonly mark: Mark
  readonly keys: string
  readonly label: string
}) {
  const comparison = useComparison()
  const isOn = useCompare(({ known, preset }) => {
    const made = chosenOf(known?.record, preset)
    return (made ? made.mark : known?.record.mark) === mark
  })
  const Glyph = mark === 'reject' ? X : Check
  return (
    <AriaButton
      className={classes('btn', isOn && 'on')}
      aria-pressed={isOn}
      onPress={() => void comparison.mark(isOn ? null : mark)}
    >
      {isOn && <Glyph size={15} />}
      <span className="ell">{label}</span>
      <kbd aria-hidden="true">{keys}</kbd>
    </AriaButton>
  )
}
