import { useState } from 'react'
import { settingTitle } from '../../shared/setting-words.ts'
import type { RetoucherSettings, SettingKey } from '../../shared/settings.ts'
import { classes } from '../ui/class-names.ts'
import { ColorField } from '../ui/ColorField.tsx'
import { formatNumber } from '../ui/number-entry.ts'
import { PadBox, padSides, type PadSide } from '../ui/PadBox.tsx'
import { accountOption, Segmented, TriState } from '../ui/Segmented.tsx'
import { SliderRow } from '../ui/SliderRow.tsx'
import { backgroundExtra, debandingExtra, extraWords } from './extra-price.ts'
import { numberRule, rangeOf } from './number-rules.ts'
import { keyState, whyIgnored, type MixedSettings, type RecipeChange } from './recipe.ts'
import { Section } from './Section.tsx'
import { t } from '../../shared/language/text.ts'

export interface RetoucherSectionsProps {
  readonly settings: RetoucherSettings
  readonly mixed: MixedSettings
  readonly onChange: (change: RecipeChange) => void
  /** Background colours used before, "#RRGGBB", the latest first. */
  readonly recentColors: readonly string[]
  readonly onColorPicked: (color: string) => void
  readonly isDisabled: boolean
}

const modes = [
  accountOption,
  { value: 'off', label: t`Off`, within: t`off` },
  { value: 'solid', label: t`Solid`, within: t`solid` },
  { value: 'transparent', label: t`Transparent`, within: t`transparent` },
] as const
const quickColors = [
  { value: '#FFFFFF', name: t`White` },
  { value: '#F5F5F5', name: t`Pale grey` },
  { value: '#D9D9D9', name: t`Light grey` },
  { value: '#1E1E1E', name: t`Near black` },
]
const shadowKeys = ['shadow_intensity', 'shadow_size', 'shadow_softness', 'shadow_distance'] as const

/** Sets one key, or leaves it to the account. */
function change(key: SettingKey, value: string | number | boolean | undefined): RecipeChange {
  return value === undefined ? { unset: [key] } : { set: { [key]: value } }
}

function Background({ settings, mixed, onChange, isDisabled, ...props }: RetoucherSectionsProps) {
  const set = (value: string) => onChange(change('bg_mode', value === 'account' ? undefined : value))
  const reset = () => onChange({ unset: ['bg_mode'] })
  const different = mixed
    .get('bg_mode')
    ?.map((value) => (value ?? 'account') as (typeof modes)[number]['value'])
  const why = whyIgnored('bg_color', settings, mixed)
  return (
    <Section
      title={t`Background`}
      state={keyState('bg_mode', settings, mixed)}
      price={extraWords(backgroundExtra(settings, mixed))}
      onReset={reset}
    >
      <div className="under-head">
        <Segmented
          label={t`Background`}
          options={modes}
          value={different === undefined ? (settings.bg_mode ?? 'account') : undefined}
          mixed={different}
          onChange={set}
          onReset={reset}
          isDisabled={isDisabled}
          full
        />
      </div>
      {(why === undefined || settings.bg_color !== undefined) && (
        <div className={classes('fieldrow', why !== undefined && 'na-dim')}>
          <span
            className={classes('color-label reset', settings.bg_color === undefined && 'f3')}
            onDoubleClick={() => onChange({ unset: ['bg_color'] })}
          >
            {t`Colour`}
          </span>
          <ColorField
            label={t`Background colour`}
            value={settings.bg_color}
            placeholder={mixed.has('bg_color') ? t`Mixed` : t`Account`}
            onChange={(value) => onChange(change('bg_color', value))}
            quick={quickColors}
            recent={props.recentColors}
            onPicked={props.onColorPicked}
            isDisabled={isDisabled || why !== undefined}
          />
        </div>
      )}
      {why !== undefined && settings.bg_color !== undefined && <p className="na-why">{why}</p>}
    </Section>
  )
}

function ShadowSlider({
  settings,
  mixed,
  onChange,
  isDisabled,
  of,
}: RetoucherSectionsProps & {
  readonly of: (typeof shadowKeys)[number]
}) {
  const rule = numberRule(of)
  const different = mixed.get(of)
  const numbers = different?.filter((value) => typeof value === 'number') ?? []
  return (
    <SliderRow
      label={settingTitle(of)}
      value={settings[of]}
      mixed={
        different === undefined
          ? undefined
          : {
              min: Math.min(...numbers),
              max: Math.max(...numbers),
              includesUnset: different.includes(undefined),
            }
      }
      onChange={(value) => onChange(change(of, value))}
      range={rangeOf(rule)}
      restAt={rule.default}
      detent={rule.unit === 'factor' ? 1 : undefined}
      isDisabled={isDisabled}
    />
  )
}

function Shadow(props: RetoucherSectionsProps) {
  const { settings, mixed, onChange, isDisabled } = props
  const why = whyIgnored('bg_shadow', settings, mixed)
  const whySliders = whyIgnored('shadow_intensity', settings, mixed)
  const reset = () => onChange({ unset: ['bg_shadow'] })
  return (
    <Section
      title={t`Contact shadow`}
      state={keyState('bg_shadow', settings, mixed)}
      why={why}
      onReset={reset}
      control={
        <TriState
          label={t`Contact shadow`}
          value={settings.bg_shadow}
          mixed={mixed.get('bg_shadow') as readonly (boolean | undefined)[] | undefined}
          onChange={(value) => onChange(change('bg_shadow', value))}
          isDisabled={isDisabled || why !== undefined}
        />
      }
    >
      {why === undefined && whySliders !== undefined && <p className="na-why">{whySliders}</p>}
      <div className={classes('sliders', whySliders !== undefined && 'na-dim')}>
        {shadowKeys.map((key) => (
          <ShadowSlider key={key} {...props} of={key} isDisabled={isDisabled || whySliders !== undefined} />
        ))}
      </div>
    </Section>
  )
}

const padKeys = {
  top: 'framing_pad_top',
  right: 'framing_pad_right',
  bottom: 'framing_pad_bottom',
  left: 'framing_pad_left',
} as const

function bySide<T>(of: (side: PadSide) => T): Readonly<Record<PadSide, T>> {
  return { top: of('top'), right: of('right'), bottom: of('bottom'), left: of('left') }
}

function mixedPads(mixed: MixedSettings): Partial<Record<PadSide, string>> {
  const words = padSides.flatMap((side) => {
    const numbers = mixed.get(padKeys[side])?.filter((value) => typeof value === 'number')
    if (numbers === undefined) return []
    const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
    return [[side, least === most ? t`Mixed` : `${formatNumber(least, 0)}–${formatNumber(most, 0)}`] as const]
  })
  return Object.fromEntries(words)
}

function Framing({ settings, mixed, onChange, isDisabled }: RetoucherSectionsProps) {
  const values = bySide((side) => settings[padKeys[side]])
  const areEqual = padSides.every((side) => values[side] === values.top && !mixed.has(padKeys[side]))
  // Until a person says otherwise, equal pads are linked: different ones would be lost by the first change.
  const [chosenLink, setChosenLink] = useState<boolean>()
  const isLinked = chosenLink ?? areEqual
  const why = whyIgnored('framing_pad_top', settings, mixed)
  const rule = numberRule('framing_pad_top')
  const reset = () => onChange({ unset: ['framing_enabled'] })
  const pad = (side: PadSide, value: number | undefined) => {
    const keys = (isLinked ? padSides : [side]).map((one) => padKeys[one])
    onChange(
      value === undefined ? { unset: keys } : { set: Object.fromEntries(keys.map((key) => [key, value])) },
    )
  }
  return (
    <Section
      title={t`Framing`}
      state={keyState('framing_enabled', settings, mixed)}
      onReset={reset}
      control={
        <TriState
          label={t`Framing`}
          value={settings.framing_enabled}
          mixed={mixed.get('framing_enabled') as readonly (boolean | undefined)[] | undefined}
          onChange={(value) => onChange(change('framing_enabled', value))}
          isDisabled={isDisabled}
        />
      }
    >
      {why !== undefined && <p className="na-why">{why}</p>}
      <div className={classes('pads', why !== undefined && 'na-dim')}>
        <PadBox
          values={values}
          mixed={mixedPads(mixed)}
          onChange={pad}
          isLinked={isLinked}
          onLinkedChange={setChosenLink}
          range={rangeOf(rule)}
          restAt={rule.default}
          isDisabled={isDisabled || why !== undefined}
        />
      </div>
    </Section>
  )
}

function Debanding({ settings, mixed, onChange, isDisabled }: RetoucherSectionsProps) {
  return (
    <Section
      title={t`De-banding`}
      state={keyState('debanding', settings, mixed)}
      price={extraWords(debandingExtra(settings, mixed))}
      onReset={() => onChange({ unset: ['debanding'] })}
      control={
        <TriState
          label={t`De-banding`}
          value={settings.debanding}
          mixed={mixed.get('debanding') as readonly (boolean | undefined)[] | undefined}
          onChange={(value) => onChange(change('debanding', value))}
          isDisabled={isDisabled}
        />
      }
    />
  )
}

/** Every retoucher key of the interface's 4.7, each left to the account, set, or mixed. */
export function RetoucherSections(props: RetoucherSectionsProps) {
  return (
    <>
      <Background {...props} />
      <Shadow {...props} />
      <Framing {...props} />
      <Debanding {...props} />
    </>
  )
}
