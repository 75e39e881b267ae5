import { Undo2 } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { classes } from './class-names.ts'
import { formatNumber, stepped, type NumberRange } from './number-entry.ts'
import { NumberField } from './NumberField.tsx'
import { dragged, fractionOf } from './slider-value.ts'
import { Tooltip } from './Tooltip.tsx'
import { t } from '../../shared/language/text.ts'

export interface SliderRowProps {
  readonly label: string
  /** Undefined: the account's default, nothing is sent. */
  readonly value: number | undefined
  /** The least and greatest of several images whose values differ; `includesUnset` where some have none. */
  readonly mixed?: { readonly min: number; readonly max: number; readonly includesUnset: boolean } | undefined
  readonly onChange: (value: number | undefined) => void
  readonly range: NumberRange
  /** The documented default: a tick on the track, and where the knob rests while nothing is set. */
  readonly restAt: number
  /** A value that holds a drag softly. */
  readonly detent?: number | undefined
  readonly isDisabled?: boolean
}

const percent = (fraction: number) => `${(fraction * 100).toFixed(3)}%`

/** The drawing under the native range: track, tick, bar and knob, or the stretch that several images cover. */
function Track({ props }: { readonly props: SliderRowProps }) {
  const { value, mixed, range, restAt } = props
  const rest = fractionOf(restAt, range)
  if (mixed !== undefined) {
    const from = fractionOf(mixed.min, range)
    const width = Math.max(0.04, fractionOf(mixed.max, range) - from)
    return <i className="rng" style={{ left: percent(from), width: percent(width) }} />
  }
  if (value === undefined) return <i className="kn" style={{ left: percent(rest) }} />
  const at = fractionOf(value, range)
  return (
    <>
      <i className="nt" style={{ left: percent(rest) }} />
      <i
        className="fill"
        style={{ left: percent(Math.min(rest, at)), width: percent(Math.abs(at - rest)) }}
      />
      <i className="kn" style={{ left: percent(at) }} />
    </>
  )
}

function valueText({ value, mixed, range }: SliderRowProps): string {
  const shown = (number: number) => formatNumber(number, range.decimals)
  if (mixed !== undefined) {
    const values = mixed.min === mixed.max ? shown(mixed.min) : t`${shown(mixed.min)} to ${shown(mixed.max)}`
    return mixed.includesUnset ? t`Mixed, ${values} or account default` : t`Mixed, ${values}`
  }
  return value === undefined ? t`Account default` : shown(value)
}

/** "0.8–1.6": the ends of a mixed value, short enough for the field. */
function mixedText({ mixed, range }: SliderRowProps): string | undefined {
  if (mixed === undefined) return undefined
  if (mixed.min === mixed.max) return t`Mixed`
  const short = (value: number) => formatNumber(value, Math.min(1, range.decimals))
  return `${short(mixed.min)}–${short(mixed.max)}`
}

function sliderKeys(props: SliderRowProps, reset: () => void) {
  const { range, restAt, mixed, value, onChange } = props
  return (event: KeyboardEvent) => {
    const from = mixed === undefined ? (value ?? restAt) : mixed.min
    const moves: Readonly<Record<string, () => number>> = {
      ArrowUp: () => stepped(from, 1, range, event),
      ArrowRight: () => stepped(from, 1, range, event),
      ArrowDown: () => stepped(from, -1, range, event),
      ArrowLeft: () => stepped(from, -1, range, event),
      PageUp: () => stepped(from, 1, range, { shiftKey: true, altKey: false }),
      PageDown: () => stepped(from, -1, range, { shiftKey: true, altKey: false }),
      Home: () => range.min,
      End: () => range.max,
    }
    const move = event.ctrlKey || event.metaKey ? undefined : moves[event.key]
    if (move !== undefined) onChange(move())
    else if (event.key === 'Backspace' || event.key === 'Delete') reset()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}

/** A slider with its number: set, left to the account (dashed, hollow knob) or mixed (a stretch of the track). */
export function SliderRow(props: SliderRowProps) {
  const { label, value, mixed, onChange, range, restAt, isDisabled = false } = props
  const id = useId()
  const [word, setWord] = useState<string>()
  const isSet = value !== undefined || mixed !== undefined
  const reset = () => {
    setWord(undefined)
    onChange(undefined)
  }
  return (
    <div className={classes('sl', !isSet && 'def', mixed !== undefined && 'mixed')}>
      {isSet && <i className={classes('ov', mixed !== undefined && 'mixd')} />}
      <span className="sl-label reset" id={id} onDoubleClick={isDisabled ? undefined : reset}>
        {label}
      </span>
      <span className="tk">
        <Track props={props} />
        <input
          type="range"
          aria-labelledby={id}
          aria-valuetext={valueText(props)}
          disabled={isDisabled}
          min={range.min}
          max={range.max}
          step={range.step / 10}
          value={mixed === undefined ? (value ?? restAt) : (mixed.min + mixed.max) / 2}
          onChange={(event) => onChange(dragged(event.target.valueAsNumber, range, props.detent))}
          onKeyDown={sliderKeys(props, reset)}
        />
      </span>
      <NumberField
        label={t`${label}, number`}
        value={mixed === undefined ? value : undefined}
        onChange={onChange}
        range={range}
        startAt={restAt}
        placeholder={mixedText(props) ?? t`Account`}
        isMixed={mixed !== undefined}
        bare
        isDisabled={isDisabled}
        onWord={setWord}
        describedBy={word === undefined ? undefined : `${id}-word`}
      />
      {isSet && !isDisabled ? <UndoButton label={label} onPress={reset} /> : <span />}
      {word !== undefined && (
        <span className="word sl-note" id={`${id}-word`} role="status">
          {word}
        </span>
      )}
    </div>
  )
}

/** ↶: back to the account's default. */
export function UndoButton({ label, onPress }: { readonly label: string; readonly onPress: () => void }) {
  return (
    <Tooltip text={t`Back to your account’s setting`} keys="⌫">
      <AriaButton className="undo" aria-label={t`${label}: back to your account’s setting`} onPress={onPress}>
        <Undo2 size={13} />
      </AriaButton>
    </Tooltip>
  )
}
