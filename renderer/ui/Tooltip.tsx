import type { ReactElement, ReactNode } from 'react'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components'
import { Kbd } from './Kbd.tsx'

export interface TooltipProps {
  /** The control it belongs to: a Button of this folder or of React Aria, which takes the description. */
  readonly children: ReactElement
  readonly text: ReactNode
  /** The key that does the same. */
  readonly keys?: string | undefined
  readonly placement?: 'top' | 'bottom' | 'left' | 'right'
}

/** A tooltip: after 500 ms under the pointer, at once on focus by keyboard; Escape closes it. */
export function Tooltip({ children, text, keys, placement = 'bottom' }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <AriaTooltip className="tip" placement={placement} offset={6}>
        <span>{text}</span>
        {keys !== undefined && <Kbd>{keys}</Kbd>}
      </AriaTooltip>
    </TooltipTrigger>
  )
}
