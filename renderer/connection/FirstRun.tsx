import { Check, FlaskConical, PlugZap, ShieldCheck } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/class-names.ts'
import { Showcase } from '../ui/Showcase.tsx'
import { answered, failed, nameFor, useKeyCheck, type KeyEntry, type KeyState } from './key-check.ts'
import { KeyFields } from './KeyFields.tsx'
import { t } from '../../shared/language/text.ts'

interface WayProps {
  readonly isOn: boolean
  readonly onChoose: () => void
  readonly icon: ReactNode
  readonly title: string
  readonly note: string
  readonly points: readonly string[]
  readonly children?: ReactNode
}

/** One of the two ways, a radio button as large as a card. What is inside a card can be used without choosing it first. */
function Way({ isOn, onChoose, icon, title, note, points, children }: WayProps) {
  const id = useId()
  return (
    <div className={classes('way', isOn && 'on')} onFocus={onChoose}>
      <label className="way-head" htmlFor={id}>
        <span className="way-icon">{icon}</span>
        <span className="grow">
          <b>{title}</b>
          <span className="t12 f3">{note}</span>
        </span>
        <input type="radio" id={id} name="way" className="rad-input" checked={isOn} onChange={onChoose} />
      </label>
      <ul className="points">
        {points.map((point) => (
          <li key={point}>
            <Check size={14} aria-hidden="true" />
            {point}
          </li>
        ))}
      </ul>
      {children}
    </div>
  )
}

type WayName = 'practice' | 'account'

/** What the button at the foot does next. */
function nextWords(way: WayName, state: KeyState, isChecking: boolean): string {
  if (way === 'practice') return t`Start practising`
  if (isChecking) return t`Checking`
  if (state.kind === 'accepted') return t`Continue`
  return state.kind === 'refused' ? t`Check again` : t`Check key`
}

/** What is chosen and typed, and what becomes of it. */
function useFirstRun() {
  const workspace = useWorkspace()
  const [way, setWay] = useState<WayName>('practice')
  const [entry, setEntry] = useState<KeyEntry>({ baseUrl: '', key: '' })
  const [unprotected, setUnprotected] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const { state, setState, protection, check, reset } = useKeyCheck()
  const isEmpty = entry.baseUrl.trim() === '' || entry.key === ''
  const isChecking = state.kind === 'checking' || isBusy
  const practise = async () => {
    setBusy(true)
    await workspace.attempt(() => workspace.api.connections.usePractice({}))
    setBusy(false)
  }
  const connect = async () => {
    if (isEmpty) return
    if (state.kind !== 'accepted') return void (await check(entry))
    setBusy(true)
    const { baseUrl } = state
    const added = await workspace.api.connections
      .add({ name: nameFor(baseUrl), baseUrl, key: entry.key, unprotected })
      .then(answered, failed)
    setBusy(false)
    setState(added)
  }
  const type = (next: KeyEntry) => {
    setEntry(next)
    reset()
  }
  return {
    way,
    setWay,
    state,
    go: () => void (way === 'practice' ? practise() : connect()),
    words: nextWords(way, state, isChecking),
    isPossible: !isChecking && (way === 'practice' || !isEmpty),
    fields: { entry, state, onChange: type, protection, unprotected, onUnprotected: setUnprotected },
  }
}

function Ways({ form }: { readonly form: ReturnType<typeof useFirstRun> }) {
  const { way, setWay, state } = form
  const isUntouched = state.kind === 'untried' && way === 'practice'
  return (
    <div className="ways" role="radiogroup" aria-label={t`Where the retouching happens`}>
      <Way
        isOn={way === 'practice'}
        onChoose={() => setWay('practice')}
        icon={<FlaskConical size={18} aria-hidden="true" />}
        title={t`Practice service`}
        note={t`No account needed`}
        points={[
          t`Runs on this computer; no picture leaves it`,
          t`Same queue, same states, play credits`,
          t`Results are stand-ins, marked “practice”`,
        ]}
      />
      <Way
        isOn={way === 'account'}
        onChoose={() => setWay('account')}
        icon={<PlugZap size={18} aria-hidden="true" />}
        title={t`Connect your account`}
        note={t`Real retouching, real credits`}
        points={isUntouched ? [t`You see the price before every batch`] : []}
      >
        <KeyFields {...form.fields} onEnter={form.go} />
      </Way>
    </div>
  )
}

/** Where nothing is connected yet: practise without an account, or connect one. */
export function FirstRun() {
  const form = useFirstRun()
  return (
    <main className="first-run" data-region="first-run">
      <div className="first-run-column">
        <Showcase />
        <h1>{t`Where should the retouching happen?`}</h1>
        <p className="f2">{t`You can switch at any time. Batches remember which one they ran on.`}</p>
        <Ways form={form} />
        <div className="row g8 first-run-foot">
          <ShieldCheck size={15} className="f3" aria-hidden="true" />
          <span className="t12 f3">{t`Your originals are never changed or deleted.`}</span>
          <span className="sp" />
          <Button variant="primary" size="l" keys="↵" isDisabled={!form.isPossible} onPress={form.go}>
            {form.words}
          </Button>
        </div>
      </div>
    </main>
  )
}
