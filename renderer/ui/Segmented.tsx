import type { KeyboardEvent, ReactNode } from 'react'
import { Radio, RadioGroup } from 'react-aria-components'
import { classes } from './class-names.ts'
import { t } from '../../shared/language/text.ts'

export interface SegmentedOption<T extends string> {
  readonly value: T
  readonly label: ReactNode
  /** Its name where the label is a glyph. */
  readonly name?: string
  /** Its name within a sentence; its value where that is a name. */
  readonly within?: string
  /** True for the account's default: chosen, it is outlined instead of filled, since nothing is sent. */
  readonly isDefault?: boolean
  /** What it means, for who rests on it with the pointer. */
  readonly hint?: string
}

/** The first of every choice that can be left to the account. */
export const accountOption = {
  value: 'account',
  label: t`Account`,
  within: t`account`,
  isDefault: true,
  hint: t`Nothing is sent: your account’s own setting applies`,
} as const

export interface SegmentedProps<T extends string> {
  readonly label: string
  readonly options: readonly SegmentedOption<T>[]
  /** Undefined: none is chosen (mixed, or the choice is made in `trailing`). */
  readonly value: T | undefined
  readonly onChange: (value: T) => void
  /** Values that some of the images have, striped; then `value` is undefined. */
  readonly mixed?: readonly T[] | undefined
  readonly isDisabled?: boolean | undefined
  readonly full?: boolean
  readonly size?: 'm' | 'l'
  readonly icons?: boolean
  /** A further control in the same box, such as a menu button. */
  readonly trailing?: ReactNode
  /** ⌫ on a segment: back to the account's default. */
  readonly onReset?: (() => void) | undefined
  readonly describedBy?: string | undefined
}

/** Two to four options of one choice; a radio group with arrow keys. */
export function Segmented<T extends string>(props: SegmentedProps<T>) {
  const { label, options, value, onChange, mixed, onReset } = props
  const reset = (event: KeyboardEvent) => {
    if (onReset === undefined || (event.key !== 'Backspace' && event.key !== 'Delete')) return
    event.preventDefault()
    event.stopPropagation()
    onReset()
  }
  const some = mixed?.map((one) => wordOf(options, one))
  return (
    <div
      className={classes('seg', props.full && 'full', props.size === 'l' && 'l', props.icons && 'icons')}
      onKeyDownCapture={reset}
    >
      <RadioGroup
        className="seg-options"
        orientation="horizontal"
        aria-label={some === undefined ? label : t`${label}, mixed: ${some.join(', ')}`}
        value={value ?? null}
        onChange={(next) => onChange(next as T)}
        isDisabled={props.isDisabled ?? false}
        {...(props.describedBy === undefined ? {} : { 'aria-describedby': props.describedBy })}
      >
        {options.map((option) => (
          <Radio
            key={option.value}
            value={option.value}
            className={classes(
              'seg-o',
              option.isDefault && 'def',
              value === undefined && mixed?.includes(option.value) && 'half',
            )}
            {...(option.name === undefined ? {} : { 'aria-label': option.name })}
          >
            <span
              {...(typeof option.label === 'string' ? { 'data-text': option.label } : {})}
              {...(option.hint === undefined ? {} : { title: option.hint })}
            >
              {option.label}
            </span>
          </Radio>
        ))}
      </RadioGroup>
      {props.trailing}
    </div>
  )
}

function wordOf<T extends string>(options: readonly SegmentedOption<T>[], value: T): string {
  const option = options.find((one) => one.value === value)
  return option?.within ?? option?.name ?? value
}

export type SwitchState = 'account' | 'off' | 'on'

export interface TriStateProps {
  readonly label: string
  readonly value: boolean | undefined
  /** Undefined means the account's default: the key is not sent. */
  readonly onChange: (value: boolean | undefined) => void
  readonly mixed?: readonly (boolean | undefined)[] | undefined
  readonly isDisabled?: boolean | undefined
  readonly describedBy?: string | undefined
  /** The word for leaving it out. */
  readonly unsetLabel?: string
}

const switchOptions: readonly SegmentedOption<SwitchState>[] = [
  { value: 'off', label: t`Off`, within: t`off` },
  { value: 'on', label: t`On`, within: t`on` },
]

/** Account, Off, On: a switch whose third state is that nothing is sent. */
export function TriState(props: TriStateProps) {
  return (
    <Segmented
      label={props.label}
      options={[
        props.unsetLabel === undefined
          ? accountOption
          : { value: 'account', label: props.unsetLabel, isDefault: true },
        ...switchOptions,
      ]}
      value={props.mixed === undefined ? switchState(props.value) : undefined}
      onChange={(state) => props.onChange(state === 'account' ? undefined : state === 'on')}
      mixed={props.mixed?.map(switchState)}
      isDisabled={props.isDisabled}
      describedBy={props.describedBy}
      onReset={() => props.onChange(undefined)}
    />
  )
}

function switchState(value: boolean | undefined): SwitchState {
  if (value === undefined) return 'account'
  return value ? 'on' : 'off'
}
