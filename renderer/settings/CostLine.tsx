import { Info, TriangleAlert } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import { classes } from '../ui/class-names.ts'
import { Tooltip } from '../ui/Tooltip.tsx'
import type { CostAnswer } from './cost-line.ts'
import { t } from '../../shared/language/text.ts'

export interface CostLineProps {
  readonly answer: CostAnswer
  /** "Rescue 2", "Background 3": what the price is made of, or one sentence. */
  readonly parts: readonly string[]
}

const toneClass = { plain: '', amber: 'amb', red: 'red' } as const
const about = t`The extras are documented. The base price of an app is learned from what its finished runs were charged.`

/** What it costs and what is left, pinned to the foot of the inspector. */
export function CostLine({ answer, parts }: CostLineProps) {
  const { line, after, hint } = answer
  return (
    <div className="cost" role="group" aria-label={t`Cost`}>
      <div className="parts">
        <span className="ell">{parts.join('  +  ')}</span>
        <span className="sp" />
        <Tooltip text={about} placement="top">
          <AriaButton className="undo" aria-label={t`About the price`}>
            <Info size={13} />
          </AriaButton>
        </Tooltip>
      </div>
      <p className={classes('big', after?.tone === 'red' && 'red')}>{line}</p>
      {after !== undefined && (
        <p className={classes('after', toneClass[after.tone])}>
          {after.tone !== 'plain' && <TriangleAlert size={13} aria-hidden="true" />}
          {after.text}
        </p>
      )}
      {hint !== undefined && <p className="after">{hint}</p>}
    </div>
  )
}
