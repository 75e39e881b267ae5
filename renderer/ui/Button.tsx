import type { ReactNode, RefAttributes } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import { classes } from './class-names.ts'
import { Kbd } from './Kbd.tsx'
import { Tooltip } from './Tooltip.tsx'

type Pressable = Pick<
  AriaButtonProps,
  | 'onPress'
  | 'isDisabled'
  | 'autoFocus'
  | 'type'
  | 'slot'
  | 'aria-label'
  | 'aria-describedby'
  | 'aria-expanded'
  | 'aria-haspopup'
  | 'aria-controls'
  | 'excludeFromTabOrder'
> &
  RefAttributes<HTMLButtonElement>

export interface ButtonProps extends Pressable {
  readonly children: ReactNode
  /** `primary` (one in a view) acts in the accent; `ghost` has no face; `line` is a ghost with an outline. */
  readonly variant?: 'primary' | 'default' | 'ghost' | 'line'
  /** Heights of 24, 28 and 32. */
  readonly size?: 's' | 'm' | 'l'
  readonly tone?: 'red'
  readonly icon?: ReactNode
  /** What a press costs, "1,272 cr". A control that spends shows its price; it is part of the button's name. */
  readonly price?: string | undefined
  readonly keys?: string | undefined
}

const variantClass = { primary: 'pri', default: '', ghost: 'gh', line: 'gh line' } as const
const sizeClass = { s: 's', m: '', l: 'l' } as const

/** A button: a verb, perhaps with its price and its key. */
export function Button(props: ButtonProps) {
  const { children, variant = 'default', size = 'm', tone, icon, price, keys, ...rest } = props
  return (
    <AriaButton {...rest} className={classes('btn', sizeClass[size], variantClass[variant], tone)}>
      {icon}
      {children}
      {price !== undefined && <span className="cost-on">{price}</span>}
      {keys !== undefined && <Kbd>{keys}</Kbd>}
    </AriaButton>
  )
}

export interface IconButtonProps extends Omit<Pressable, 'aria-label'> {
  readonly icon: ReactNode
  /** Its name, also shown as tooltip. */
  readonly label: string
  readonly keys?: string | undefined
  readonly size?: 's' | 'm'
  /** Whether what it switches is on; leave it out where the button switches nothing. */
  readonly pressed?: boolean | undefined
  readonly tooltipPlacement?: 'top' | 'bottom' | 'left' | 'right'
}

/** A square button of 28 (or 24) that shows a glyph alone, named by its label and a tooltip. */
export function IconButton(props: IconButtonProps) {
  const { icon, label, keys, size = 'm', pressed, tooltipPlacement = 'bottom', ...rest } = props
  return (
    <Tooltip text={label} keys={keys} placement={tooltipPlacement}>
      <AriaButton
        {...rest}
        {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
        aria-label={label}
        className={classes('ib', size === 's' && 's', pressed === true && 'on')}
      >
        {icon}
      </AriaButton>
    </Tooltip>
  )
}
