import { useState } from 'react'
import {
  Button as AriaButton,
  ColorArea,
  ColorPicker,
  ColorSlider,
  ColorThumb,
  Dialog,
  DialogTrigger,
  Popover,
  SliderTrack,
  parseColor,
} from 'react-aria-components'
import { classes } from './class-names.ts'
import { hexOf } from './hex-color.ts'

export interface ColorFieldProps {
  readonly label: string
  /** "#RRGGBB"; undefined where nothing is set. */
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
  /** Shown where nothing is set: "Account", "Mixed". */
  readonly placeholder: string
  /** Colours to press, "#RRGGBB"; four fit beside the field. */
  readonly quick: readonly { readonly value: string; readonly name: string }[]
  /** Colours used before, the latest first; shown in the picker. */
  readonly recent?: readonly string[]
  /** The picker was closed: the colour may be remembered. */
  readonly onPicked?: (value: string) => void
  readonly isDisabled?: boolean
}

interface SwatchButtonProps {
  readonly value: string
  readonly name: string
  readonly isOn: boolean
  readonly isDisabled: boolean
  readonly onPress: () => void
}

function SwatchButton({ value, name, isOn, isDisabled, onPress }: SwatchButtonProps) {
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

function Picker({ value, onChange, recent = [], label }: ColorFieldProps) {
  return (
    <Dialog className="color-pop" aria-label={`${label}: pick`}>
      <ColorPicker
        value={parseColor(value ?? '#FFFFFF')}
        onChange={(color) => onChange(color.toString('hex').toUpperCase())}
      >
        <ColorArea className="color-area" colorSpace="hsb" xChannel="saturation" yChannel="brightness">
          <ColorThumb className="color-thumb" />
        </ColorArea>
        <ColorSlider colorSpace="hsb" channel="hue" aria-label="Hue">
          <SliderTrack className="color-bar">
            <ColorThumb className="color-thumb" />
          </SliderTrack>
        </ColorSlider>
      </ColorPicker>
      {recent.length > 0 && (
        <div className="swatches" role="group" aria-label="Recent colours">
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

/** A colour by its code, by quick swatches or by a picker. */
export function ColorField(props: ColorFieldProps) {
  const { label, value, onChange, quick, placeholder, isDisabled = false } = props
  const [draft, setDraft] = useState<string>()
  const typed = draft === undefined ? undefined : hexOf(draft)
  const isWrong = draft !== undefined && draft.trim() !== '' && typed === undefined
  const commit = () => {
    if (draft === undefined || isWrong) return
    setDraft(undefined)
    if (typed !== value) onChange(typed)
    if (typed !== undefined) props.onPicked?.(typed)
  }
  return (
    <>
      <span className={classes('inp', 'color-code', isWrong && 'bad', isDisabled && 'off')}>
        <DialogTrigger
          onOpenChange={(open) => {
            if (!open && value !== undefined) props.onPicked?.(value)
          }}
        >
          <AriaButton className="sw-open" aria-label={`${label}: open the picker`} isDisabled={isDisabled}>
            <span
              className={classes('sw', value === undefined && 'none')}
              style={value === undefined ? {} : { background: value }}
            />
          </AriaButton>
          <Popover className="pop" offset={8} placement="bottom start">
            <Picker {...props} />
          </Popover>
        </DialogTrigger>
        <input
          className="mono"
          aria-label={`${label}, code`}
          aria-invalid={isWrong}
          disabled={isDisabled}
          placeholder={placeholder}
          spellCheck={false}
          value={draft ?? value ?? ''}
          onChange={(event) => setDraft(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit()
            if (event.key === 'Escape') setDraft(undefined)
          }}
        />
      </span>
      <span className="sp" />
      {quick.map((one) => (
        <SwatchButton
          key={one.value}
          {...one}
          isOn={one.value === value?.toUpperCase()}
          isDisabled={isDisabled}
          onPress={() => onChange(one.value)}
        />
      ))}
    </>
  )
}
