import { Play, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { plural, range } from '../app/format.ts'
import { useMedia } from '../app/use-media.ts'
import { useActiveConnection, useKeys, useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/class-names.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { DraftSettings } from './DraftSettings.tsx'
import { foundTitle, priceWords } from './found-words.ts'
import { FoundColumn } from './FoundColumn.tsx'
import type { Intake, IntakeState } from './intake.ts'
import { OutputColumn } from './OutputColumn.tsx'
import { said } from '../../shared/language/said.ts'
import { t } from '../../shared/language/text.ts'

interface PartProps {
  readonly intake: Intake
  readonly state: IntakeState
}

/** Below this width of the window two columns become two steps. */
const narrow = '(max-width: 1027px)'

function titleOf({ phase, found, progress }: IntakeState): string {
  if (phase === 'reading')
    return progress.images > 0 ? t`${plural(progress.images, 'image')} so far` : t`Looking through`
  if (phase === 'failed' || !found) return t`This could not be read`
  return foundTitle(found)
}

function subtitleOf({ phase, progress }: IntakeState): string {
  if (phase === 'reading') {
    const files = progress.files > 0 ? t`${plural(progress.files, 'file')} so far` : t`Just begun`
    return progress.current === '' ? files : `${files} · ${progress.current}`
  }
  return t`Nothing is sent until you press Start.`
}

function Reading() {
  return (
    <div className="reading" aria-hidden="true">
      {[92, 84, 70, 88, 60].map((width) => (
        <Skeleton key={width} height={16} width={`${width}%`} />
      ))}
    </div>
  )
}

interface ColumnsProps extends PartProps {
  readonly step: 'found' | 'output' | 'both'
}

function Columns({ intake, state, step }: ColumnsProps) {
  const [isEditing, setEditing] = useState(false)
  const { found, choice, estimate } = state
  if (state.phase === 'reading') return <Reading />
  if (state.phase === 'failed' || !found || !choice) {
    return <EmptyState title={t`Nothing was sent`}>{state.trouble}</EmptyState>
  }
  const columns = { found, choice, estimate, onChoose: intake.choose.bind(intake) }
  if (found.images === 0) {
    return (
      <div className="intake-columns">
        <div className="grow">
          {found.nothing !== null && <p className="found-nothing">{said(found.nothing)}</p>}
          <FoundColumn {...columns} />
        </div>
      </div>
    )
  }
  return (
    <div className={classes('intake-columns', step !== 'both' && 'one')}>
      {isEditing ? (
        <DraftSettings {...columns} onDone={() => setEditing(false)} />
      ) : (
        step !== 'output' && <FoundColumn {...columns} />
      )}
      {(step !== 'found' || isEditing) && !(isEditing && step !== 'both') && (
        <OutputColumn {...columns} onEditSettings={() => setEditing(true)} />
      )}
    </div>
  )
}

function Price({ state }: { readonly state: IntakeState }) {
  const connection = useActiveConnection()
  const { estimate, isEstimating, trouble } = state
  if (trouble !== undefined) return <p className="red t12 grow">{trouble}</p>
  if (!estimate) return <p className="f3 grow">{isEstimating ? t`Working out the price` : ''}</p>
  const words = priceWords(estimate, connection?.kind === 'practice')
  return (
    <div className={classes('grow', 'price-words', isEstimating && 'old')} aria-live="polite">
      <p className="ell">
        <b>{words.line}</b>
        {words.detail !== undefined && <span className="f3 t12"> {words.detail}</span>}
      </p>
      {words.after && (
        <p
          className={classes(
            't12',
            words.after.tone === 'plain' ? 'f2' : words.after.tone === 'red' ? 'red' : 'amb',
            'row',
            'g6',
          )}
        >
          {words.after.tone !== 'plain' && <TriangleAlert size={13} aria-hidden="true" />}
          {words.after.text}
        </p>
      )}
    </div>
  )
}

interface FootProps extends PartProps {
  readonly step: 'found' | 'output' | 'both'
  readonly onStep: (step: 'found' | 'output') => void
  readonly onBegin: (start: boolean) => void
  readonly onClose: () => void
}

/** What Start costs, on its face. */
function startPrice(estimate: IntakeState['estimate']): string | undefined {
  return estimate?.cost == null ? undefined : t`${range(estimate.cost)} cr`
}

function mayBegin({ estimate, isEstimating, phase }: IntakeState): boolean {
  if (!estimate || isEstimating || phase !== 'found') return false
  if (estimate.outDirTrouble !== null || estimate.templateTrouble !== null) return false
  return estimate.toSubmit + estimate.held + estimate.skipped + estimate.elsewhere > 0
}

function BeginButtons({ state, onBegin }: Pick<FootProps, 'state' | 'onBegin'>) {
  const keys = useKeys()
  const isPossible = mayBegin(state)
  return (
    <>
      <Button size="l" isDisabled={!isPossible} onPress={() => onBegin(false)}>
        {t`Add without starting`}
      </Button>
      <Button
        key={isPossible ? 'ready' : 'not yet'}
        autoFocus
        variant="primary"
        size="l"
        icon={<Play size={15} />}
        keys={keys('mod+enter')}
        isDisabled={!isPossible}
        price={startPrice(state.estimate)}
        onPress={() => onBegin(true)}
      >
        {t`Start`}
      </Button>
    </>
  )
}

function Foot({ intake, state, step, onStep, onBegin, onClose }: FootProps) {
  const { phase, found } = state
  if (phase === 'reading') {
    return (
      <>
        <span className="sp" />
        <Button variant="ghost" onPress={onClose}>
          {t`Cancel`}
        </Button>
        <Button onPress={() => intake.stop()}>{t`Stop and keep what was found`}</Button>
      </>
    )
  }
  if (phase === 'failed' || !found || found.images === 0) {
    return (
      <>
        <span className="sp" />
        <Button autoFocus onPress={onClose}>
          {t`Close`}
        </Button>
      </>
    )
  }
  return (
    <>
      <Price state={state} />
      <Button variant="ghost" onPress={step === 'output' ? () => onStep('found') : onClose}>
        {step === 'output' ? t`Back` : t`Cancel`}
      </Button>
      {step === 'found' ? (
        <Button variant="primary" size="l" onPress={() => onStep('output')}>
          {t`Output and price`}
        </Button>
      ) : (
        <BeginButtons state={state} onBegin={onBegin} />
      )}
    </>
  )
}

function OpenSheet({ intake }: { readonly intake: Intake }) {
  const workspace = useWorkspace()
  const state = useStore(intake.state)
  const isNarrow = useMedia(narrow)
  const [narrowStep, setNarrowStep] = useState<'found' | 'output'>('found')
  const step = isNarrow ? narrowStep : 'both'
  const close = () => {
    intake.discard()
    workspace.intake.setState({ current: undefined })
    workspace.closeOverlay()
  }
  const begin = async (start: boolean) => {
    const batch = await intake.begin(start)
    if (batch === undefined) return
    workspace.intake.setState({ current: undefined })
    workspace.go({ kind: 'batch', batch })
  }
  return (
    <div
      onKeyDown={(event) => {
        const mod = workspace.platform === 'mac' ? event.metaKey : event.ctrlKey
        if (event.key !== 'Enter' || !mod || step === 'found') return
        event.preventDefault()
        void begin(true)
      }}
    >
      <Sheet
        title={titleOf(state)}
        subtitle={<span aria-live="polite">{subtitleOf(state)}</span>}
        isOpen
        bare
        width={1040}
        onClose={close}
        footer={
          <Foot
            intake={intake}
            state={state}
            step={step}
            onStep={setNarrowStep}
            onBegin={(start) => void begin(start)}
            onClose={close}
          />
        }
      >
        <Columns intake={intake} state={state} step={step} />
      </Sheet>
    </div>
  )
}

/** What was found in a drop, what it will be, and what it costs. Nothing is sent before Start. */
export function IntakeSheet() {
  const current = useStore(useWorkspace().intake, (state) => state.current)
  return current ? <OpenSheet intake={current} /> : null
}
