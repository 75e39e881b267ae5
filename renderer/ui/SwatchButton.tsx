import { Button as AriaButton } from 'react-aria-components'
import { classes } from './class-names.ts'

export interface SwatchButtonProps {
  readonly value: string
  readonly name: string
  readonly isOn: boolean
  readonly isDisabled: boolean
  readonly onPress: () => void
}

/** A colour to press. */
export function SwatchButton({ value, name, isOn, isDisabled, onPress }: SwatchButtonProps) {
  return (
    <AriaButton
      className={classes('sw-b', isOn && 'on')}
      aria-label={name}
      aria-pressed={isOn}
      onPress={onPress}
      isDisabled={isDisabled}
    >
      <span className="sw" style={{ background: value }} />
    </AriaButton>
  )
}
