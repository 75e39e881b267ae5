import { CircleCheck, Eye, EyeOff, Globe, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { TextField } from '../ui/TextField.tsx'
import { balanceWords, type KeyEntry, type KeyState, type Protection } from './key-check.ts'
import { rich } from '../ui/rich.tsx'
import { t } from '../../shared/language/text.ts'

export interface KeyFieldsProps {
  readonly entry: KeyEntry
  readonly state: KeyState
  readonly onChange: (entry: KeyEntry) => void
  readonly onEnter: () => void
  /** The address stays as it is: only the key is replaced. */
  readonly isAddressFixed?: boolean
  /** How a key is kept here; shown where the key can be kept next. */
  readonly protection: Protection | undefined
  readonly unprotected: boolean
  readonly onUnprotected: (unprotected: boolean) => void
  readonly autoFocus?: boolean
}

const exampleAddress = 'https://…/api/v1'

/** Where the key will be kept, in words; a choice where the system has no protection for it. */
function Keeping({
  protection,
  unprotected,
  onUnprotected,
}: Pick<KeyFieldsProps, 'protection' | 'unprotected' | 'onUnprotected'>) {
  if (!protection) return null
  if (protection.available)
    return <p className="t12 f3">{t`Kept in the system keychain, never in a file or log.`}</p>
  return (
    <div className="col g6">
      <p className="t12 amb">
        {protection.sentence ??
          t`This system has no key store: the key is kept for this run of the program only.`}
      </p>
      {protection.choice && (
        <Checkbox isSelected={unprotected} onChange={onUnprotected}>
          {t`Keep it unprotected on this computer all the same`}
        </Checkbox>
      )}
    </div>
  )
}

/** What the service said, or where a key is to be had. */
function Answer({ state }: { readonly state: KeyState }) {
  return (
    <div aria-live="polite">
      {state.kind === 'accepted' && (
        <p className="accepted">
          <CircleCheck size={16} className="acc" aria-hidden="true" />
          <span>{rich`Connected. ${<b>{balanceWords(state.balance)}</b>}`}</span>
        </p>
      )}
      {(state.kind === 'untried' || state.kind === 'checking') && (
        <p className="t12 f3">{t`In the web app: Integrations, then Authentication.`}</p>
      )}
    </div>
  )
}

/** Address and key, with what the service said of them. */
export function KeyFields(props: KeyFieldsProps) {
  const { entry, state, onChange, onEnter } = props
  const [isShown, setShown] = useState(false)
  const refusal = state.kind === 'refused' ? state : undefined
  const addressError = refusal?.field === 'baseUrl' ? refusal.message : undefined
  return (
    <div className="key-fields">
      {props.isAddressFixed !== true && (
        <TextField
          label={t`Address`}
          type="url"
          value={entry.baseUrl}
          placeholder={exampleAddress}
          icon={<Globe size={15} className="f3" aria-hidden="true" />}
          onChange={(baseUrl) => onChange({ ...entry, baseUrl })}
          onEnter={onEnter}
          error={addressError}
          autoFocus={props.autoFocus ?? false}
        />
      )}
      <TextField
        label={t`API key`}
        type={isShown ? 'text' : 'password'}
        mono
        value={entry.key}
        placeholder={t`Paste your key`}
        icon={<KeyRound size={15} className="f3" aria-hidden="true" />}
        trailing={
          entry.key === '' ? undefined : (
            <IconButton
              size="s"
              icon={isShown ? <EyeOff size={15} /> : <Eye size={15} />}
              label={isShown ? t`Hide the key` : t`Show the key`}
              onPress={() => setShown(!isShown)}
            />
          )
        }
        onChange={(key) => onChange({ ...entry, key: key.trim() })}
        onEnter={onEnter}
        error={refusal && refusal.field !== 'baseUrl' ? refusal.message : undefined}
        autoFocus={props.isAddressFixed === true && (props.autoFocus ?? false)}
      />
      <Answer state={state} />
      {(state.kind === 'accepted' || props.isAddressFixed === true) && (
        <Keeping
          protection={props.protection}
          unprotected={props.unprotected}
          onUnprotected={props.onUnprotected}
        />
      )}
    </div>
  )
}
