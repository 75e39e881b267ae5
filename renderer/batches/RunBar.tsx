import { FolderOpen, KeyRound, Pause, Play, RotateCcw } from 'lucide-react'
import { useStore } from 'zustand'
import type { BatchRecord } from '../../shared/contract/records.ts'
import { bytes, figure, priceTag } from '../app/format.ts'
import { breakpoints, useMedia } from '../app/use-media.ts'
import { useKeys, useNow, useQueue, useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { Meter } from '../ui/Meter.tsx'
import { StateGlyph } from '../ui/StateLabel.tsx'
import { askRetryFailed, pauseBatch, releaseBatch, startBatch } from './batch-commands.ts'
import { runGlyph } from './batch-look.tsx'
import { activeStates, countOf } from './filters.ts'
import { revealImage } from './image-commands.ts'
import { runFigures } from './run-figures.ts'
import { runStateOf, type RunState } from './run-state.ts'
import { useSteadyEta } from './use-steady-eta.ts'
import { t } from '../../shared/language/text.ts'

interface MainButtonProps {
  readonly batch: BatchRecord
  readonly state: RunState
}

function StartButton({ batch }: { readonly batch: BatchRecord }) {
  const workspace = useWorkspace()
  const keys = useKeys()
  return (
    <Button
      variant="primary"
      size="l"
      icon={<Play size={15} />}
      price={priceTag(batch.pricePerImage, batch.counts.waiting)}
      keys={keys('mod+enter')}
      isDisabled={batch.counts.waiting === 0}
      onPress={() => void startBatch(workspace, batch)}
    >
      {t`Start`}
    </Button>
  )
}

function ResumeButton({ batch, state }: MainButtonProps) {
  const workspace = useWorkspace()
  return (
    <Button
      variant={state.look === 'pausing' ? 'default' : 'primary'}
      size="l"
      icon={<Play size={15} />}
      onPress={() => void startBatch(workspace, batch)}
    >
      {t`Resume`}
    </Button>
  )
}

function ReleaseButton({ batch }: { readonly batch: BatchRecord }) {
  const workspace = useWorkspace()
  return (
    <Button
      variant="primary"
      size="l"
      icon={<Play size={15} />}
      price={priceTag(batch.pricePerImage, batch.counts.held)}
      onPress={() => void releaseBatch(workspace, batch)}
    >
      {t`Send the other ${figure(batch.counts.held)}`}
    </Button>
  )
}

function MainButton({ batch, state }: MainButtonProps) {
  const workspace = useWorkspace()
  switch (state.main) {
    case 'start':
      return <StartButton batch={batch} />
    case 'pause':
      return (
        <Button size="l" icon={<Pause size={15} />} onPress={() => void pauseBatch(workspace, batch)}>
          {t`Pause`}
        </Button>
      )
    case 'resume':
      return <ResumeButton batch={batch} state={state} />
    case 'release':
      return <ReleaseButton batch={batch} />
    case 'replace-key':
      return <ReplaceKeyButton isMain />
    case 'switch':
      return <SwitchButton batch={batch} />
    case 'open':
      return workspace.isDesktop ? (
        <Button
          size="l"
          icon={<FolderOpen size={15} />}
          onPress={() => void revealImage(workspace, batch.id)}
        >
          {t`Open folder`}
        </Button>
      ) : null
    case 'none':
      return null
  }
}

/** Opens the sheet that takes another key for the active connection. */
export function ReplaceKeyButton({ isMain = false }: { readonly isMain?: boolean }) {
  const workspace = useWorkspace()
  const queue = useQueue()
  return (
    <Button
      variant={isMain ? 'primary' : 'default'}
      size={isMain ? 'l' : 'm'}
      icon={<KeyRound size={15} />}
      onPress={() => {
        if (queue?.connectionId != null)
          workspace.open({ kind: 'replace-key', connection: queue.connectionId })
      }}
    >
      {t`Replace key`}
    </Button>
  )
}

function SwitchButton({ batch }: { readonly batch: BatchRecord }) {
  const workspace = useWorkspace()
  const connection = useStore(workspace.mirrors.connections, ({ value }) =>
    value.find((one) => one.id === batch.connectionId),
  )
  if (!connection) return null
  return (
    <Button
      size="l"
      onPress={() => void workspace.attempt(() => workspace.api.connections.activate({ id: connection.id }))}
    >
      {t`Switch to ${connection.name}`}
    </Button>
  )
}

/** What is being uploaded for a batch, or why it waits; undefined where neither is so. */
function useUploadWords(isWanted: boolean): string | undefined {
  const ownFiles = useStore(useWorkspace().mirrors.ownFiles, ({ value }) => value)
  if (!isWanted || !ownFiles) return undefined
  const { uploading, trouble } = ownFiles
  if (trouble !== null) return trouble
  return uploading ? t`Uploading ${bytes(uploading.done)} of ${bytes(uploading.total)}` : undefined
}

function StateWords({ state, batch }: MainButtonProps) {
  const isCounting = ['offline', 'out-of-credits'].includes(state.look)
  const now = useNow(isCounting)
  const done = batch.counts.delivered + batch.counts.skipped
  const uploads = useUploadWords(state.look === 'running' && batch.counts.waiting > 0)
  const line = uploads ?? state.line(now)
  return (
    <div className="run-state">
      <span className="row g8">
        {state.look === 'running' ? (
          <span className="dot" />
        ) : (
          runGlyph(state.look, batch.total === 0 ? 0 : done / batch.total, 15)
        )}
        <b className="ell">{state.title}</b>
      </span>
      <span className="t11 f3 ell" title={line}>
        {line}
      </span>
    </div>
  )
}

/** Controls, state, three figures and the meter: one state drives them all. */
export function RunBar({ batch }: { readonly batch: BatchRecord }) {
  const workspace = useWorkspace()
  const queue = useQueue()
  const isNarrow = !useMedia(breakpoints.sidebar)
  const eta = useSteadyEta(batch.eta)
  const state = runStateOf(batch, queue)
  const { counts } = batch
  return (
    <section className="run" aria-label={t`Queue`} data-region="run">
      <div className="row g8">
        <MainButton batch={batch} state={state} />
        {counts.failed > 0 && (
          <Button
            size="l"
            icon={<RotateCcw size={15} />}
            price={priceTag(batch.pricePerImage, counts.failed)}
            onPress={() => askRetryFailed(workspace, batch)}
          >
            {t`Retry ${figure(counts.failed)} failed`}
          </Button>
        )}
        {counts.review > 0 && (
          <Button
            size="l"
            icon={
              <span className="amb">
                <StateGlyph look="review" size={15} />
              </span>
            }
            onPress={() => workspace.open({ kind: 'review', batch: batch.id, image: undefined })}
          >
            {t`Decide ${figure(counts.review)}`}
          </Button>
        )}
        <StateWords state={state} batch={batch} />
        <span className="sp" />
        {runFigures({ batch, queue, look: state.look, isNarrow, eta }).map((stat) => (
          <div className="stat" key={stat.words}>
            <b>{stat.figure}</b>
            <span>{stat.words}</span>
          </div>
        ))}
      </div>
      <Meter
        counts={{
          done: counts.delivered + counts.skipped,
          active: countOf(counts, activeStates),
          failed: counts.failed,
          review: counts.review,
          cancelled: counts.cancelled,
          waiting: counts.waiting + counts.held,
        }}
      />
    </section>
  )
}
