import { Check, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Button as AriaButton,
  ComboBox as AriaComboBox,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components'
import { classes } from './class-names.ts'
import { t } from '../../shared/language/text.ts'

export interface SelectOption {
  readonly id: string
  readonly label: string
  /** In front of the label: a swatch, a glyph. */
  readonly icon?: ReactNode
  /** After it, quiet. */
  readonly note?: string
}

export interface SelectProps {
  readonly label: string
  readonly options: readonly SelectOption[]
  readonly value: string | undefined
  readonly onChange: (id: string) => void
  readonly placeholder?: string
  /** The label is read but not shown. */
  readonly hideLabel?: boolean
  readonly size?: 'm' | 'l'
  /** Beside the chosen one: a tag. */
  readonly badge?: ReactNode
  readonly isDisabled?: boolean
}

function Options({ options }: { readonly options: readonly SelectOption[] }) {
  return (
    <ListBox className="menu">
      {options.map((option) => (
        <ListBoxItem key={option.id} id={option.id} textValue={option.label} className="menu-o">
          {({ isSelected }) => (
            <>
              {option.icon}
              <span className="ell grow">{option.label}</span>
              {option.note !== undefined && <span className="f3">{option.note}</span>}
              {isSelected && <Check size={13} strokeWidth={2.4} />}
            </>
          )}
        </ListBoxItem>
      ))}
    </ListBox>
  )
}

/** One of several, chosen from a list; for two to four short ones there is Segmented. */
export function Select(props: SelectProps) {
  const { label, options, value, onChange, size = 'm', placeholder = t`Choose` } = props
  const chosen = options.find((option) => option.id === value)
  return (
    <AriaSelect
      className="field grow"
      value={value ?? null}
      onChange={(key) => {
        if (key !== null) onChange(String(key))
      }}
      isDisabled={props.isDisabled ?? false}
    >
      <Label className={props.hideLabel ? 'hidden-text' : 'field-label'}>{label}</Label>
      <AriaButton className={classes('inp', size === 'l' && 'l')}>
        <SelectValue className="select-value">
          {chosen?.icon}
          <span className={classes('ell', 'm', chosen === undefined && 'f2')}>
            {chosen?.label ?? placeholder}
          </span>
          {props.badge}
        </SelectValue>
        <span className="sp" />
        <ChevronDown size={14} className="f3" aria-hidden="true" />
      </AriaButton>
      <Popover className="pop" offset={4}>
        <Options options={options} />
      </Popover>
    </AriaSelect>
  )
}

export interface ComboBoxProps {
  readonly label: string
  readonly options: readonly SelectOption[]
  readonly value: string
  /** Every change of the text, typed or chosen. */
  readonly onChange: (text: string) => void
  readonly hideLabel?: boolean
  readonly size?: 'm' | 'l'
  readonly placeholder?: string
  readonly isDisabled?: boolean
}

/** A field that proposes; what is typed need not be among the proposals. */
export function ComboBox(props: ComboBoxProps) {
  const { label, options, value, onChange, size = 'l', placeholder = '' } = props
  return (
    <AriaComboBox
      className="field grow"
      allowsCustomValue
      inputValue={value}
      onInputChange={onChange}
      menuTrigger="focus"
      isDisabled={props.isDisabled ?? false}
    >
      <Label className={props.hideLabel ? 'hidden-text' : 'field-label'}>{label}</Label>
      <span className={classes('inp', size === 'l' && 'l')}>
        <Input placeholder={placeholder} spellCheck={false} />
        <AriaButton className="undo" aria-label={t`Show proposals`}>
          <ChevronDown size={14} />
        </AriaButton>
      </span>
      <Popover className="pop" offset={4}>
        <Options options={options} />
      </Popover>
    </AriaComboBox>
  )
}
