import { useState, type KeyboardEvent } from 'react'
import { classes } from './class-names.ts'
import { formatNumber, judgeEntry, parseNumber, stepped, type NumberRange } from './number-entry.ts'

export interface NumberFieldProps {
  readonly label: string
  /** Undefined: nothing is set; `placeholder` stands there. */
  readonly value: number | undefined
  /** Undefined when the field was emptied. */
  readonly onChange: (value: number | undefined) => void
  readonly range: NumberRange
  /** Where arrows start while nothing is set. */
  readonly startAt: number
  readonly unit?: '%' | undefined
  readonly placeholder?: string
  /** No outline while nothing is set. */
  readonly bare?: boolean
  readonly isMixed?: boolean
  readonly isDisabled?: boolean
  /** A word about what was typed (moved into the range, no number); undefined takes it back. */
  readonly onWord?: (word: string | undefined) => void
  readonly describedBy?: string | undefined
}

/** What a person is typing; committed by Enter or by leaving, given up by Escape. */
function useDraft(props: NumberFieldProps) {
  const { value, onChange, range, startAt, onWord } = props
  const [draft, setDraft] = useState<string>()
  const [isWrong, setWrong] = useState(false)

  const close = (word?: string) => {
    setDraft(undefined)
    setWrong(false)
    onWord?.(word)
  }
  const commit = () => {
    if (draft === undefined) return
    const entry = judgeEntry(draft, range, props.unit === '%' ? ' %' : '')
    if (entry.kind === 'wrong') {
      setWrong(true)
      onWord?.(entry.word)
      return
    }
    close(entry.kind === 'value' ? entry.word : undefined)
    const next = entry.kind === 'value' ? entry.value : undefined
    if (next !== value || props.isMixed === true) onChange(next)
  }
  const type = (text: string) => {
    setDraft(text)
    setWrong(false)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault()
      const from = (draft === undefined ? undefined : parseNumber(draft)) ?? value ?? startAt
      close()
      onChange(stepped(from, event.key === 'ArrowUp' ? 1 : -1, range, event))
    } else if (event.key === 'Enter') {
      commit()
    } else if (event.key === 'Escape' && draft !== undefined) {
      event.stopPropagation()
      close()
    } else if (event.key === 'Backspace' && (draft ?? 'full') === '') {
      close()
      onChange(undefined)
    }
  }
  return { draft, isWrong, commit, type, press }
}

/** A number with arrows (Shift × 10, Alt ÷ 10); what lies outside is moved into the range, with a word about it. */
export function NumberField(props: NumberFieldProps) {
  const { label, value, range, unit, placeholder = '', isDisabled = false } = props
  const { draft, isWrong, commit, type, press } = useDraft(props)
  const isUnset = value === undefined && draft === undefined
  return (
    <span
      className={classes(
        'num',
        isUnset && props.isMixed !== true && 'def',
        props.isMixed && 'mixed',
        props.bare && 'bare',
        isWrong && 'bad',
        isDisabled && 'off',
      )}
    >
      <input
        type="text"
        inputMode="decimal"
        aria-label={label}
        aria-invalid={isWrong}
        aria-describedby={props.describedBy}
        disabled={isDisabled}
        placeholder={placeholder}
        value={draft ?? (value === undefined ? '' : formatNumber(value, range.decimals))}
        onChange={(event) => type(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={commit}
        onKeyDown={press}
      />
      {unit !== undefined && !isUnset && <i aria-hidden="true">{unit}</i>}
    </span>
  )
}
