import { useEffect, useState, type ReactNode } from 'react'
import { Switch } from 'react-aria-components'
import { TextField } from '../ui/TextField.tsx'

export interface RowProps {
  readonly title: string
  readonly note?: ReactNode
  readonly children: ReactNode
}

/** One setting: what it is called, what it does, and its control. */
export function Row({ title, note, children }: RowProps) {
  return (
    <div className="pref-row">
      <div className="pref-words">
        <span className="m">{title}</span>
        {note !== undefined && <span className="t12 f3">{note}</span>}
      </div>
      <div className="pref-control">{children}</div>
    </div>
  )
}

export interface SwitchRowProps {
  readonly title: string
  readonly note?: ReactNode
  readonly value: boolean
  readonly onChange: (value: boolean) => void
}

/** A setting that is on or off. */
export function SwitchRow({ title, note, value, onChange }: SwitchRowProps) {
  return (
    <Switch className="pref-row switch-row" isSelected={value} onChange={onChange}>
      <span className="pref-words">
        <span className="m">{title}</span>
        {note !== undefined && <span className="t12 f3">{note}</span>}
      </span>
      <span className="switch" aria-hidden="true">
        <i />
      </span>
    </Switch>
  )
}

export interface CommittedFieldProps {
  readonly label: string
  readonly value: string
  readonly note?: ReactNode
  readonly placeholder?: string
  readonly mono?: boolean
  readonly trailing?: ReactNode
  /** Why a value cannot be taken; undefined where it can. */
  readonly problem?: (value: string) => string | undefined
  /** What was typed, once it is entered or left. */
  readonly onCommit: (value: string) => void
}

/** A field that is kept when it is left or Enter is pressed, not at every letter. */
export function CommittedField(props: CommittedFieldProps) {
  const { value, onCommit } = props
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const problem = props.problem?.(typed.trim())
  const commit = () => {
    if (typed.trim() !== value && problem === undefined) onCommit(typed.trim())
  }
  return (
    <TextField
      label={props.label}
      value={typed}
      onChange={setTyped}
      onEnter={commit}
      onBlur={commit}
      error={problem}
      mono={props.mono ?? false}
      {...(props.note === undefined ? {} : { note: props.note })}
      {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
      {...(props.trailing === undefined ? {} : { trailing: props.trailing })}
    />
  )
}
