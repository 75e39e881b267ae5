import { lazy, Suspense, useState } from 'react'
import { Button as AriaButton, DialogTrigger, Popover } from 'react-aria-components'
import { classes } from './class-names.ts'
import { hexOf } from './hex-color.ts'
import { SwatchButton } from './SwatchButton.tsx'
import { t } from '../../shared/language/text.ts'

// Seldom opened, and a good part of the page: read when it is.
const ColorPick = lazy(() => import('./ColorPick.tsx').then((file) => ({ default: file.ColorPick })))

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

/** The code that a person is typing; taken over by Enter or by leaving the field. */
function useCode({ value, onChange, onPicked }: ColorFieldProps) {
  const [draft, setDraft] = useState<string>()
  const typed = draft === undefined ? undefined : hexOf(draft)
  const isWrong = draft !== undefined && draft.trim() !== '' && typed === undefined
  const commit = () => {
    if (draft === undefined || isWrong) return
    setDraft(undefined)
    if (typed !== value) onChange(typed)
    if (typed !== undefined) onPicked?.(typed)
  }
  return { draft, setDraft, isWrong, commit }
}

/** A colour by its code, by quick swatches or by a picker. */
export function ColorField(props: ColorFieldProps) {
  const { label, value, onChange, quick, placeholder, isDisabled = false } = props
  const { draft, setDraft, isWrong, commit } = useCode(props)
  return (
    <>
      <span className={classes('inp', 'color-code', isWrong && 'bad', isDisabled && 'off')}>
        <DialogTrigger
          onOpenChange={(open) => {
            if (!open && value !== undefined) props.onPicked?.(value)
          }}
        >
          <AriaButton className="sw-open" aria-label={t`${label}: open the picker`} isDisabled={isDisabled}>
            <span
              className={classes('sw', value === undefined && 'none')}
              style={value === undefined ? {} : { background: value }}
            />
          </AriaButton>
          <Popover className="pop" offset={8} placement="bottom start">
            <Suspense fallback={<div className="color-pop color-wait" />}>
              <ColorPick label={label} value={value} onChange={onChange} recent={props.recent ?? []} />
            </Suspense>
          </Popover>
        </DialogTrigger>
        <input
          className="mono"
          aria-label={t`${label}, code`}
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
