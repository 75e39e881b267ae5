import { useId, type ReactNode } from 'react'
import { classes } from './class-names.ts'

export interface BannerProps {
  /** `amber`: money or a decision; `red`: failed or rejected; `neutral`: the rest. */
  readonly tone: 'amber' | 'red' | 'neutral'
  /** A glyph of 18. */
  readonly icon: ReactNode
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

const iconTone = { amber: 'amb', red: 'red', neutral: 'f2' } as const

/** A line over the whole width: what happened, what stays safe, one or two buttons. One at a time. */
export function Banner({ tone, icon, title, children, actions }: BannerProps) {
  const id = useId()
  return (
    <section className={classes('banner', tone !== 'amber' && tone)} aria-labelledby={id}>
      <span className={iconTone[tone]}>{icon}</span>
      <div className="grow">
        <p className="banner-title" id={id}>
          {title}
        </p>
        {children !== undefined && <div className="t11">{children}</div>}
      </div>
      {actions}
    </section>
  )
}
