import { Link2, Unlink2 } from 'lucide-react'
import { useState } from 'react'
import { ToggleButton } from 'react-aria-components'
import { settingTitle } from '../../shared/setting-words.ts'
import type { NumberRange } from './number-entry.ts'
import { NumberField } from './NumberField.tsx'
import { Tooltip } from './Tooltip.tsx'
import { t } from '../../shared/language/text.ts'

export const padSides = ['top', 'right', 'bottom', 'left'] as const
export type PadSide = (typeof padSides)[number]

export interface PadBoxProps {
  /** Percent of the item's longer side; undefined is the account's default. */
  readonly values: Readonly<Record<PadSide, number | undefined>>
  /** Sides whose values differ between the images, with what is shown for them ("10–20"). */
  readonly mixed?: Partial<Readonly<Record<PadSide, string>>>
  readonly onChange: (side: PadSide, value: number | undefined) => void
  readonly isLinked: boolean
  readonly onLinkedChange: (linked: boolean) => void
  readonly range: NumberRange
  readonly restAt: number
  readonly isDisabled?: boolean
}

/** Four pads around a drawing of the item in its frame. Whoever uses it moves all four while they are linked. */
export function PadBox(props: PadBoxProps) {
  const { values, mixed = {}, isLinked, isDisabled = false } = props
  const [word, setWord] = useState<string>()
  const field = (side: PadSide) => (
    <NumberField
      label={settingTitle(`framing_pad_${side}`)}
      value={mixed[side] === undefined ? values[side] : undefined}
      onChange={(value) => props.onChange(side, value)}
      range={props.range}
      startAt={props.restAt}
      unit="%"
      placeholder={mixed[side] ?? t`Account`}
      isMixed={mixed[side] !== undefined}
      isDisabled={isDisabled}
      onWord={setWord}
    />
  )
  return (
    <div role="group" aria-label={t`Framing pads`}>
      <div className="padbox">
        {field('left')}
        <div className="pad-mid">
          {field('top')}
          <div className="pad-frame">
            <div className="pad-item" />
            <Tooltip text={isLinked ? t`All four move together` : t`Each side by itself`}>
              <ToggleButton
                className="pad-link"
                aria-label={t`Link the four sides`}
                isSelected={isLinked}
                onChange={props.onLinkedChange}
                isDisabled={isDisabled}
              >
                <span>{isLinked ? <Link2 size={13} /> : <Unlink2 size={13} />}</span>
              </ToggleButton>
            </Tooltip>
          </div>
          {field('bottom')}
        </div>
        {field('right')}
      </div>
      {word !== undefined && (
        <p className="word" role="status">
          {word}
        </p>
      )}
    </div>
  )
}
