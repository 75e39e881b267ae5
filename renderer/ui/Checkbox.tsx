import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from 'react-aria-components'
import { classes } from './class-names.ts'

export interface CheckboxProps extends Pick<
  AriaCheckboxProps,
  | 'isSelected'
  | 'isIndeterminate'
  | 'isDisabled'
  | 'onChange'
  | 'aria-label'
  | 'aria-describedby'
  | 'autoFocus'
> {
  readonly children?: ReactNode
}

/** The box alone, for rows and menu entries that are themselves what is ticked. */
export function CheckMark({ state }: { readonly state: 'on' | 'off' | 'mixed' }) {
  const Glyph = state === 'mixed' ? Minus : Check
  return (
    <span className={classes('cb', state === 'on' && 'on', state === 'mixed' && 'mix')} aria-hidden="true">
      {state !== 'off' && <Glyph size={11} strokeWidth={3.2} />}
    </span>
  )
}

/** A box to tick; `isIndeterminate` where only some of what it stands for is ticked. */
export function Checkbox({ children, ...rest }: CheckboxProps) {
  return (
    <AriaCheckbox {...rest} className="check">
      {({ isSelected, isIndeterminate }) => (
        <>
          <CheckMark state={isIndeterminate ? 'mixed' : isSelected ? 'on' : 'off'} />
          {children}
        </>
      )}
    </AriaCheckbox>
  )
}
