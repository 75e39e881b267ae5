import { useState } from 'react'
import { NumberField } from '../ui/NumberField.tsx'
import { Segmented, TriState } from '../ui/Segmented.tsx'
import { Select } from '../ui/Select.tsx'
import { UndoButton } from '../ui/SliderRow.tsx'
import { TextField } from '../ui/TextField.tsx'
import { parameterFields, readJson, readParameters, type ParameterField } from './parameter-fields.ts'
import { t } from '../../shared/language/text.ts'

type Values = Readonly<Record<string, unknown>>

export interface ParametersFormProps {
  /** What the catalogue says of the app's parameters, as it came. */
  readonly parameters: unknown
  readonly values: Values
  /** Undefined values take a parameter away: then it is not sent. */
  readonly onChange: (change: Values) => void
  readonly isDisabled?: boolean
}

interface FieldProps {
  readonly field: ParameterField
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly isDisabled: boolean
}

/** Most choices that fit side by side; more go into a list. */
const sideBySide = 3

function ChoiceField({ field, value, onChange, isDisabled }: FieldProps) {
  const chosen = typeof value === 'string' ? value : undefined
  if (field.choices.length <= sideBySide && field.choices.join('').length < 24) {
    return (
      <Segmented
        label={field.title}
        options={[
          { value: '', label: t`Default`, isDefault: true },
          ...field.choices.map((choice) => ({ value: choice, label: choice })),
        ]}
        value={chosen ?? ''}
        onChange={(next) => onChange(next === '' ? undefined : next)}
        onReset={() => onChange(undefined)}
        isDisabled={isDisabled}
        full
      />
    )
  }
  return (
    <Select
      label={field.title}
      hideLabel
      value={chosen}
      placeholder={t`Default`}
      options={field.choices.map((choice) => ({ id: choice, label: choice }))}
      onChange={onChange}
      isDisabled={isDisabled}
    />
  )
}

/** A value typed as JSON, taken over when the field is left and it can be read. */
function JsonField({ field, value, onChange, isDisabled }: FieldProps) {
  const [draft, setDraft] = useState<string>()
  const entry = draft === undefined || draft.trim() === '' ? undefined : readJson(draft)
  return (
    <TextField
      label={field.title}
      hideLabel
      mono
      size="m"
      value={draft ?? (value === undefined ? '' : JSON.stringify(value))}
      onChange={setDraft}
      placeholder={t`JSON`}
      isDisabled={isDisabled}
      error={entry?.ok === false ? entry.problem : undefined}
      onBlur={() => {
        if (draft === undefined || entry?.ok === false) return
        onChange(entry?.value)
        setDraft(undefined)
      }}
    />
  )
}

function FieldControl(props: FieldProps) {
  const { field, value, onChange, isDisabled } = props
  switch (field.kind) {
    case 'switch':
      return (
        <TriState
          label={field.title}
          value={typeof value === 'boolean' ? value : undefined}
          onChange={onChange}
          isDisabled={isDisabled}
          unsetLabel={t`Default`}
        />
      )
    case 'number':
      return (
        <NumberField
          label={field.title}
          value={typeof value === 'number' ? value : undefined}
          onChange={onChange}
          range={{ min: field.min, max: field.max, step: field.step, decimals: field.step >= 1 ? 0 : 1 }}
          startAt={Number(field.defaultText ?? 0) || 0}
          placeholder={t`Default`}
          isDisabled={isDisabled}
        />
      )
    case 'choice':
      return <ChoiceField {...props} />
    case 'text':
      return (
        <TextField
          label={field.title}
          hideLabel
          size="m"
          value={typeof value === 'string' ? value : ''}
          onChange={(typed) => onChange(typed === '' ? undefined : typed)}
          placeholder={field.defaultText ?? t`Default`}
          isDisabled={isDisabled}
        />
      )
    case 'json':
      return <JsonField {...props} />
  }
}

function FieldSection({ props }: { readonly props: FieldProps }) {
  const { field, value, onChange, isDisabled } = props
  const isInline = field.kind === 'switch' || field.kind === 'number'
  const control = <FieldControl {...props} />
  return (
    <div className="sect">
      {value !== undefined && <i className="ov" />}
      <div className="hd">
        <span
          className={value === undefined ? 'lb reset f2' : 'lb reset'}
          onDoubleClick={() => onChange(undefined)}
        >
          {field.title}
        </span>
        {field.isRequired && value === undefined && <span className="t11 amb">{t`needed`}</span>}
        <span className="sp" />
        {isInline && control}
        {value !== undefined && !isDisabled && !isInline && (
          <UndoButton label={field.title} onPress={() => onChange(undefined)} />
        )}
      </div>
      {!isInline && <div className="param">{control}</div>}
      {field.help !== undefined && <p className="na-why">{field.help}</p>}
    </div>
  )
}

/** What no field stands for, as one JSON object. */
function OtherParameters({
  values,
  known,
  onChange,
  isDisabled,
}: {
  readonly values: Values
  readonly known: ReadonlySet<string>
  readonly onChange: (change: Values) => void
  readonly isDisabled: boolean
}) {
  const [draft, setDraft] = useState<string>()
  const others = Object.fromEntries(Object.entries(values).filter(([key]) => !known.has(key)))
  const shown = Object.keys(others).length === 0 ? '' : JSON.stringify(others, null, 2)
  const entry = draft === undefined ? undefined : readParameters(draft)
  return (
    <div className="sect">
      {shown !== '' && <i className="ov" />}
      <TextField
        label={known.size === 0 ? t`Parameters (JSON)` : t`Other parameters (JSON)`}
        mono
        lines={known.size === 0 ? 8 : 4}
        value={draft ?? shown}
        onChange={setDraft}
        placeholder={'{ "name": "value" }'}
        isDisabled={isDisabled}
        note={t`Sent to the app as written. What is left out is not sent.`}
        error={entry?.ok === false ? entry.problem : undefined}
        onBlur={() => {
          if (entry?.ok !== true) return
          const gone = Object.fromEntries(Object.keys(others).map((key) => [key, undefined]))
          onChange({ ...gone, ...entry.value })
          setDraft(undefined)
        }}
      />
    </div>
  )
}

/** The form of an app that is no retoucher: a field for each parameter that is understood, JSON for the rest. */
export function ParametersForm({ parameters, values, onChange, isDisabled = false }: ParametersFormProps) {
  const fields = parameterFields(parameters)
  return (
    <>
      {fields.map((field) => (
        <FieldSection
          key={field.key}
          props={{
            field,
            value: values[field.key],
            onChange: (value) => onChange({ [field.key]: value }),
            isDisabled,
          }}
        />
      ))}
      <OtherParameters
        values={values}
        known={new Set(fields.map((field) => field.key))}
        onChange={onChange}
        isDisabled={isDisabled}
      />
    </>
  )
}
