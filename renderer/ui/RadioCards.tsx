import type { ReactNode } from 'react'
import { Radio, RadioGroup } from 'react-aria-components'
import { classes } from './class-names.ts'

export interface RadioCard<T extends string> {
  readonly value: T
  readonly title: string
  readonly note?: ReactNode
}

export interface RadioCardsProps<T extends string> {
  readonly label: string
  readonly cards: readonly RadioCard<T>[]
  readonly value: T | undefined
  readonly onChange: (value: T) => void
  readonly isDisabled?: boolean
}

/** A choice between a few ways to go on, each with a line that says what it means. */
export function RadioCards<T extends string>(props: RadioCardsProps<T>) {
  return (
    <RadioGroup
      className="cards"
      aria-label={props.label}
      orientation="horizontal"
      value={props.value ?? null}
      onChange={(value) => props.onChange(value as T)}
      isDisabled={props.isDisabled ?? false}
    >
      {props.cards.map((card) => (
        <Radio key={card.value} value={card.value} className="card-o">
          {({ isSelected }) => (
            <>
              <span className={classes('rad', isSelected && 'on')} />
              <span>
                {card.title}
                {card.note !== undefined && <span className="card-note">{card.note}</span>}
              </span>
            </>
          )}
        </Radio>
      ))}
    </RadioGroup>
  )
}
