import { useId, type ReactNode } from 'react'
import { classes } from '../ui/class-names.ts'
import { Tag } from '../ui/Tag.tsx'
import type { KeyState } from './recipe.ts'
import { t } from '../../shared/language/text.ts'

export interface SectionProps {
  readonly title: string
  readonly state: KeyState
  /** "+3 cr": what the choice adds to each image. */
  readonly price?: string | undefined
  /** The control beside the title; `describedBy` is the id of the reason, where there is one. */
  readonly control?: ReactNode
  /** Why nothing here counts; then it is dimmed. */
  readonly why?: string | undefined
  /** A double click on the title: back to the account's default. */
  readonly onReset?: (() => void) | undefined
  readonly children?: ReactNode
}

/** One setting with what belongs to it, and the bar that says whether it is sent. */
export function Section({ title, state, price, control, why, onReset, children }: SectionProps) {
  const id = useId()
  const isSent = state !== 'account' && why === undefined
  return (
    <div className={classes('sect', why !== undefined && 'na')} role="group" aria-labelledby={id}>
      {isSent && <i className={classes('ov', state === 'mixed' && 'mixd')} />}
      <div className="hd">
        <span
          className={classes(
            'lb',
            onReset !== undefined && 'reset',
            why !== undefined ? 'f3' : !isSent && 'f2',
          )}
          id={id}
          onDoubleClick={onReset}
        >
          {title}
        </span>
        {state === 'mixed' && control === undefined && <Tag>{t`Mixed`}</Tag>}
        {price === undefined ? (
          <span className="sp" />
        ) : (
          <span className={classes('price', !isSent && 'f3')}>{price}</span>
        )}
        {why === undefined ? control : <span className="na-dim">{control}</span>}
      </div>
      {why !== undefined && <p className="na-why">{why}</p>}
      {children}
    </div>
  )
}
