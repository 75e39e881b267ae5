import { CircleX } from 'lucide-react'
import { useId, type ReactNode, type Ref } from 'react'
import { classes } from './class-names.ts'

export interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** The label is read but not shown. */
  readonly hideLabel?: boolean
  readonly note?: ReactNode
  /** What is wrong and what to do; the field is then marked. */
  readonly error?: string | undefined
  readonly placeholder?: string
  readonly icon?: ReactNode
  /** Controls inside the field, at its end. */
  readonly trailing?: ReactNode
  readonly type?: 'text' | 'password' | 'url' | 'search'
  readonly size?: 'm' | 'l'
  readonly isDisabled?: boolean
  readonly isReadOnly?: boolean
  readonly autoFocus?: boolean
  readonly mono?: boolean
  /** Lines of a larger text; without it one line. */
  readonly lines?: number
  readonly onEnter?: () => void
  readonly onBlur?: () => void
  readonly inputRef?: Ref<HTMLInputElement>
}

/** A field with its label, a note or an error below. */
export function TextField(props: TextFieldProps) {
  const { label, error, note, size = 'l', isDisabled = false } = props
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} className={classes(props.hideLabel && 'hidden-text')}>
        {label}
      </label>
      <span
        className={classes(
          'inp',
          size === 'l' && 'l',
          error !== undefined && 'bad',
          isDisabled && 'off',
          props.lines !== undefined && 'tall',
        )}
      >
        {props.icon}
        <Entry props={props} id={id} isDescribed={error !== undefined || note !== undefined} />
        {error !== undefined && <CircleX className="red" size={15} aria-hidden="true" />}
        {props.trailing}
      </span>
      {error !== undefined ? (
        <span className="field-error" id={`${id}-about`}>
          {error}
        </span>
      ) : (
        note !== undefined && (
          <span className="field-note" id={`${id}-about`}>
            {note}
          </span>
        )
      )}
    </div>
  )
}

interface EntryProps {
  readonly props: TextFieldProps
  readonly id: string
  readonly isDescribed: boolean
}

function Entry({ props, id, isDescribed }: EntryProps) {
  const shared = {
    id,
    className: classes(props.mono && 'mono'),
    value: props.value,
    placeholder: props.placeholder,
    disabled: props.isDisabled,
    readOnly: props.isReadOnly,
    autoFocus: props.autoFocus,
    spellCheck: false,
    autoComplete: 'off',
    'aria-invalid': props.error !== undefined,
    'aria-describedby': isDescribed ? `${id}-about` : undefined,
    onBlur: props.onBlur,
  }
  if (props.lines !== undefined) {
    return (
      <textarea {...shared} rows={props.lines} onChange={(event) => props.onChange(event.target.value)} />
    )
  }
  return (
    <input
      {...shared}
      ref={props.inputRef}
      type={props.type ?? 'text'}
      onChange={(event) => props.onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') props.onEnter?.()
      }}
    />
  )
}
