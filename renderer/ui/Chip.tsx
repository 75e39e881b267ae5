import { figure } from '../../shared/language/text.ts'
import type { ReactNode } from 'react'
import { ToggleButton } from 'react-aria-components'
import { classes } from './class-names.ts'

export interface ChipProps {
  readonly label: string
  readonly count: number
  readonly icon?: ReactNode
  readonly isSelected: boolean
  readonly onChange: (selected: boolean) => void
}

/** A filter with its count, which is part of its name: "Failed, 3". */
export function Chip({ label, count, icon, isSelected, onChange }: ChipProps) {
  return (
    <ToggleButton
      className={classes('chip', icon === undefined && 'plain')}
      aria-label={`${label}, ${figure(count)}`}
      isSelected={isSelected}
      onChange={onChange}
    >
      {icon}
      {label} <b>{figure(count)}</b>
    </ToggleButton>
  )
}
