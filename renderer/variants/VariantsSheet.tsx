import { useEffect, useRef, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import type { RetoucherSettings } from '../../shared/settings.ts'
import { PreviewPainter } from '../settings/preview/preview-painter.ts'
import type { PreviewFeed } from '../settings/preview/preview-feed.ts'
import type { PreviewPicture } from '../settings/preview/preview-picture.ts'
import type { RecipeChange } from '../settings/recipe.ts'
import { classes } from '../ui/class-names.ts'
import { formatNumber } from '../ui/number-entry.ts'
import { NumberField } from '../ui/NumberField.tsx'
import { Select } from '../ui/Select.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { currentValue, stepRange, steppable, stepValues, variantOf, type Steps } from './variants.ts'
import { t } from '../../shared/language/text.ts'

export interface VariantsSheetProps {
  readonly title: string
  readonly picture: PreviewPicture
  readonly feed: PreviewFeed
  readonly onChange: (change: RecipeChange) => void
  readonly onClose: () => void
}

const margin = { x: 8, y: 8 }

/** One variant, drawn once. */
function VariantPicture({
  picture,
  settings,
}: {
  readonly picture: PreviewPicture
  readonly settings: RetoucherSettings
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const key = JSON.stringify(settings)
  useEffect(() => {
    if (!canvas.current) return
    const painter = new PreviewPainter(canvas.current)
    painter.show({ picture, margin, settings: JSON.parse(key) as RetoucherSettings })
    return () => painter.end()
  }, [picture, key])
  return <canvas ref={canvas} aria-hidden="true" />
}

const startSteps = (of: Steps['of']): Steps => {
  const { min, max } = stepRange(of)
  // Pads beyond half the item's side are seldom wanted.
  return { of, from: min, to: of === 'pads' ? 40 : max }
}

/** One setting stepped over a range on one picture; pressing a picture takes its value. */
export function VariantsSheet({ title, picture, feed, onChange, onClose }: VariantsSheetProps) {
  const { settings } = feed
  const keys = steppable(settings)
  const [steps, setSteps] = useState<Steps | undefined>(keys[0] && startSteps(keys[0]))
  return (
    <Sheet
      title={t`Variants`}
      subtitle={<bdi>{title}</bdi>}
      isOpen
      onClose={onClose}
      width={900}
      isDismissable
    >
      {steps ? (
        <>
          <StepChoice keys={keys} steps={steps} onChange={setSteps} />
          <VariantGrid
            steps={steps}
            picture={picture}
            settings={settings}
            onTake={(set) => {
              onChange({ set })
              onClose()
            }}
          />
        </>
      ) : (
        <p className="f2">
          {t`Turn on framing, or a solid background with its shadow, to see steps of their settings.`}
        </p>
      )}
    </Sheet>
  )
}

const ends = ['from', 'to'] as const

function StepChoice({
  keys,
  steps,
  onChange,
}: {
  readonly keys: readonly Steps['of'][]
  readonly steps: Steps
  readonly onChange: (steps: Steps) => void
}) {
  const range = stepRange(steps.of)
  return (
    <div className="variant-choice">
      <Select
        label={t`Setting`}
        hideLabel
        options={keys.map((id) => ({ id, label: stepRange(id).title }))}
        value={steps.of}
        onChange={(id) => {
          const key = keys.find((one) => one === id)
          if (key) onChange(startSteps(key))
        }}
      />
      {ends.map((end) => (
        <label key={end} className="row g6">
          <span className="f3">{end === 'from' ? t`from` : t`to`}</span>
          <NumberField
            label={end === 'from' ? t`${range.title} from` : t`${range.title} to`}
            value={steps[end]}
            onChange={(value) => {
              if (value !== undefined) onChange({ ...steps, [end]: value })
            }}
            range={range}
            startAt={steps[end]}
            unit={range.isPercent ? '%' : undefined}
          />
        </label>
      ))}
    </div>
  )
}

function VariantGrid(props: {
  readonly steps: Steps
  readonly picture: PreviewPicture
  readonly settings: RetoucherSettings
  readonly onTake: (set: RetoucherSettings) => void
}) {
  const { steps, picture, settings, onTake } = props
  const { title, decimals, isPercent } = stepRange(steps.of)
  const now = currentValue(steps.of, settings)
  return (
    <div className="variant-grid" role="group" aria-label={t`Steps of ${title}`}>
      {stepValues(steps).map((value) => {
        const shown = `${formatNumber(value, decimals)}${isPercent ? ' %' : ''}`
        const set = variantOf(steps.of, value)
        return (
          <AriaButton
            key={value}
            className={classes('variant', value === now && 'on')}
            aria-label={value === now ? t`${title} ${shown}, as it is` : `${title} ${shown}`}
            onPress={() => onTake(set)}
          >
            <VariantPicture picture={picture} settings={{ ...settings, ...set }} />
            <span className="variant-value">{shown}</span>
          </AriaButton>
        )
      })}
    </div>
  )
}
