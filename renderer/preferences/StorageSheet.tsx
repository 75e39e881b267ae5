import { KeyRound, Server } from 'lucide-react'
import { useState } from 'react'
import { Fault } from '../../shared/rpc/fault.ts'
import type { Storage } from '../../shared/own-files.ts'
import type { Workspace } from '../app/workspace.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { useProtection } from '../connection/key-check.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextField } from '../ui/TextField.tsx'
import { t } from '../../shared/language/text.ts'

interface StorageSheetProps {
  readonly storage: Storage | null
  readonly onClose: () => void
}

/** What is typed and ticked. */
interface Form {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly prefix: string
  readonly pathStyle: boolean
  readonly keep: boolean
  readonly format: 'none' | 'jpeg' | 'png'
  readonly longestSide: string
  readonly accessKey: string
  readonly secretKey: string
  readonly unprotected: boolean
}

const exampleEndpoint = 'https://s3.eu-central-1.amazonaws.com'

function formOf(storage: Storage | null): Form {
  return {
    endpoint: storage?.endpoint ?? '',
    region: storage?.region ?? 'auto',
    bucket: storage?.bucket ?? '',
    prefix: storage?.prefix ?? '',
    pathStyle: storage?.pathStyle ?? true,
    keep: storage?.keep ?? false,
    format: storage?.conversion?.format ?? 'none',
    longestSide: storage?.conversion?.longestSide == null ? '' : String(storage.conversion.longestSide),
    accessKey: '',
    secretKey: '',
    unprotected: false,
  }
}

function sideProblem({ format, longestSide }: Form): string | undefined {
  if (format === 'none' || longestSide.trim() === '') return undefined
  const pixels = Number(longestSide)
  return Number.isInteger(pixels) && pixels >= 256 && pixels <= 30_000
    ? undefined
    : t`Type a whole number from 256 to 30,000 pixels, or nothing.`
}

function storageOf(form: Form): Storage {
  const { endpoint, region, bucket, prefix, pathStyle, keep, format, longestSide } = form
  const side = longestSide.trim() === '' ? null : Number(longestSide)
  return {
    endpoint: endpoint.trim(),
    region: region.trim() || 'auto',
    bucket: bucket.trim(),
    prefix: prefix.trim(),
    pathStyle,
    keep,
    conversion: format === 'none' ? null : { format, longestSide: side },
  }
}

interface FieldsProps {
  readonly form: Form
  readonly onChange: (change: Partial<Form>) => void
}

function Place({ form, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label={t`Endpoint`}
        type="url"
        autoFocus
        placeholder={exampleEndpoint}
        value={form.endpoint}
        // AWS wants the bucket in the host, the others have it in the path.
        onChange={(endpoint) => onChange({ endpoint, pathStyle: !/\.amazonaws\.com/i.test(endpoint) })}
        icon={<Server size={15} className="f3" aria-hidden="true" />}
      />
      <div className="own-pair">
        <TextField label={t`Bucket`} value={form.bucket} onChange={(bucket) => onChange({ bucket })} />
        <TextField label={t`Region`} value={form.region} onChange={(region) => onChange({ region })} />
      </div>
      <TextField
        label={t`Prefix`}
        placeholder={t`None`}
        note={t`Before the names of all objects, such as retouch/.`}
        value={form.prefix}
        onChange={(prefix) => onChange({ prefix })}
      />
      <div className="own-ticks">
        <Checkbox isSelected={form.pathStyle} onChange={(pathStyle) => onChange({ pathStyle })}>
          {t`The bucket stands in the path of addresses`}
        </Checkbox>
        <Checkbox isSelected={form.keep} onChange={(keep) => onChange({ keep })}>
          {t`Leave uploads there when their runs are done`}
        </Checkbox>
      </div>
    </>
  )
}

function Keys({ form, isNew, onChange }: FieldsProps & { readonly isNew: boolean }) {
  const protection = useProtection()
  const placeholder = isNew ? '' : t`As it is`
  const icon = <KeyRound size={15} className="f3" aria-hidden="true" />
  return (
    <>
      <div className="own-pair">
        <TextField
          label={t`Access key`}
          mono
          icon={icon}
          placeholder={placeholder}
          value={form.accessKey}
          onChange={(accessKey) => onChange({ accessKey: accessKey.trim() })}
        />
        <TextField
          label={t`Secret key`}
          type="password"
          mono
          icon={icon}
          placeholder={placeholder}
          value={form.secretKey}
          onChange={(secretKey) => onChange({ secretKey: secretKey.trim() })}
        />
      </div>
      {protection?.available === true && (
        <p className="t12 f3">{t`Kept in the system keychain, never in a file or log.`}</p>
      )}
      {protection?.available === false && <p className="t12 amb">{protection.sentence}</p>}
      {protection?.choice === true && (
        <Checkbox isSelected={form.unprotected} onChange={(unprotected) => onChange({ unprotected })}>
          {t`Keep them unprotected on this computer all the same`}
        </Checkbox>
      )}
    </>
  )
}

function Converting({ form, onChange }: FieldsProps) {
  return (
    <div className="own-pair">
      <div className="field">
        <span className="field-label">{t`Before uploading`}</span>
        <Segmented
          label={t`Before uploading`}
          size="l"
          value={form.format}
          onChange={(format) => onChange({ format })}
          options={[
            { value: 'none', label: t`As it is` },
            { value: 'jpeg', label: 'JPEG' },
            { value: 'png', label: 'PNG' },
          ]}
        />
      </div>
      <TextField
        label={t`Longest side, pixels`}
        placeholder={t`As it is`}
        isDisabled={form.format === 'none'}
        value={form.format === 'none' ? '' : form.longestSide}
        error={sideProblem(form)}
        onChange={(longestSide) => onChange({ longestSide })}
      />
    </div>
  )
}

/** Whether all is typed that is needed, and fits. */
function isWhole(form: Form, isNew: boolean): boolean {
  const { endpoint, bucket, accessKey, secretKey } = form
  const hasKeys = accessKey !== '' && secretKey !== ''
  const areKeysLeft = !isNew && accessKey === '' && secretKey === ''
  return (
    endpoint.trim() !== '' &&
    bucket.trim() !== '' &&
    (hasKeys || areKeysLeft) &&
    sideProblem(form) === undefined
  )
}

type State = 'open' | 'checking' | { readonly problem: string }

/** Keeps a storage once it was seen to work; undefined where it is kept. */
async function save(workspace: Workspace, form: Form): Promise<State | undefined> {
  const { accessKey, secretKey, unprotected } = form
  try {
    const keys = accessKey === '' ? null : { accessKey, secretKey }
    const { kept } = await workspace.api.ownFiles.setStorage({ storage: storageOf(form), keys, unprotected })
    workspace.say(
      kept ? t`The storage works` : t`The storage works. Its keys are known until the program ends`,
    )
    return undefined
  } catch (error) {
    return { problem: error instanceof Fault ? error.message : t`That did not work. Try again.` }
  }
}

/** A storage and its keys: it is tried before it is kept. */
export function StorageSheet({ storage, onClose }: StorageSheetProps) {
  const workspace = useWorkspace()
  const [form, setForm] = useState(() => formOf(storage))
  const [state, setState] = useState<State>('open')
  const isNew = storage === null
  const take = async () => {
    setState('checking')
    const trouble = await save(workspace, form)
    if (trouble) setState(trouble)
    else onClose()
  }
  const onChange = (change: Partial<Form>) => {
    setForm((before) => ({ ...before, ...change }))
    setState('open')
  }
  return (
    <Sheet
      title={t`A storage for own files`}
      isOpen
      width={560}
      onClose={onClose}
      footer={
        <>
          <p className="own-problem t12" aria-live="polite">
            {typeof state === 'object' && state.problem}
          </p>
          <span className="sp" />
          <Button variant="ghost" onPress={onClose}>
            {t`Cancel`}
          </Button>
          <Button
            variant="primary"
            size="l"
            isDisabled={!isWhole(form, isNew) || state === 'checking'}
            onPress={() => void take()}
          >
            {state === 'checking' ? t`Checking` : t`Check and set up`}
          </Button>
        </>
      }
    >
      <div className="own-form">
        <Place form={form} onChange={onChange} />
        <Keys form={form} isNew={isNew} onChange={onChange} />
        <Converting form={form} onChange={onChange} />
      </div>
    </Sheet>
  )
}
