import {
  ColorArea,
  ColorPicker,
  ColorSlider,
  ColorThumb,
  Dialog,
  SliderTrack,
  parseColor,
} from 'react-aria-components'
import { SwatchButton } from './SwatchButton.tsx'
import { t } from '../../shared/language/text.ts'

export interface ColorPickProps {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string) => void
  /** Colours used before, the latest first. */
  readonly recent: readonly string[]
}

/** The picker of a colour: saturation and brightness, hue, colours used before. */
export function ColorPick({ value, onChange, recent, label }: ColorPickProps) {
  return (
    <Dialog className="color-pop" aria-label={t`${label}: pick`}>
      <ColorPicker
        value={parseColor(value ?? '#FFFFFF')}
        onChange={(color) => onChange(color.toString('hex').toUpperCase())}
      >
        <ColorArea className="color-area" colorSpace="hsb" xChannel="saturation" yChannel="brightness">
          <ColorThumb className="color-thumb" />
        </ColorArea>
        <ColorSlider colorSpace="hsb" channel="hue" aria-label={t`Hue`}>
          <SliderTrack className="color-bar">
            <ColorThumb className="color-thumb" />
          </SliderTrack>
        </ColorSlider>
      </ColorPicker>
      {recent.length > 0 && (
        <div className="swatches" role="group" aria-label={t`Recent colours`}>
          {recent.map((one) => (
            <SwatchButton
              key={one}
              value={one}
              name={one}
              isOn={one === value}
              isDisabled={false}
              onPress={() => onChange(one)}
            />
          ))}
        </div>
      )}
    </Dialog>
  )
}
