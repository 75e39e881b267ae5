import { ArrowUpRight, FlaskConical, FolderX, KeyRound, RefreshCw, Wallet, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { BatchRecord, QueueRecord } from '../../shared/contract/records.ts'
import { figure, range, times } from '../app/format.ts'
import { useActiveConnection, useLayout, useQueue, useWorkspace } from '../app/workspace-context.ts'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { ReplaceKeyButton } from './RunBar.tsx'
import { bannerOf, type BannerKind } from './banner.ts'
import { said } from '../../shared/language/said.ts'
import { t } from '../../shared/language/text.ts'

/** Milliseconds offline before it is worth a banner. */
const patience = 10_000

/** Whether the queue has been offline for longer than a moment. */
function useIsLongOffline(queue: QueueRecord | undefined): boolean {
  const isOffline = queue?.state === 'offline'
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isOffline) return setLong(false)
    const timer = setTimeout(() => setLong(true), patience)
    return () => clearTimeout(timer)
  }, [isOffline])
  return isLong
}

/** What waits for credits, what it needs and what there is, as far as either is known. */
function outOfCreditsWords(waiting: number, need: string | undefined, have: string | undefined): string {
  const isOne = waiting === 1
  const count = figure(waiting)
  if (need !== undefined && have !== undefined) {
    return isOne
      ? t`Out of credits. 1 image is waiting and needs ${need}; you have ${have}.`
      : t`Out of credits. ${count} images are waiting and need ${need}; you have ${have}.`
  }
  if (need !== undefined) {
    return isOne
      ? t`Out of credits. 1 image is waiting and needs ${need}.`
      : t`Out of credits. ${count} images are waiting and need ${need}.`
  }
  if (have !== undefined) {
    return isOne
      ? t`Out of credits. 1 image is waiting; you have ${have}.`
      : t`Out of credits. ${count} images are waiting; you have ${have}.`
  }
  return isOne ? t`Out of credits. 1 image is waiting.` : t`Out of credits. ${count} images are waiting.`
}

function OutOfCredits({
  batch,
  queue,
}: {
  readonly batch: BatchRecord
  readonly queue: QueueRecord | undefined
}) {
  const workspace = useWorkspace()
  const waiting = batch.counts.waiting
  const need = batch.pricePerImage ? range(times(batch.pricePerImage, waiting)) : undefined
  const have = queue?.balance ? figure(queue.balance.total) : undefined
  return (
    <Banner
      tone="amber"
      icon={<Wallet size={18} />}
      title={outOfCreditsWords(waiting, need, have)}
      actions={
        <>
          <Button
            icon={<RefreshCw size={14} />}
            onPress={() => void workspace.attempt(() => workspace.api.queue.checkBalance({}))}
          >
            {t`Check balance`}
          </Button>
          {workspace.isDesktop && (
            <Button
              variant="primary"
              icon={<ArrowUpRight size={14} />}
              onPress={() => void workspace.attempt(() => workspace.api.shell.openService({}))}
            >
              {t`Add credits`}
            </Button>
          )}
        </>
      }
    >
      {t`Nothing is lost. The queue continues by itself when the balance allows.`}
    </Banner>
  )
}

interface QueueProps {
  readonly queue: QueueRecord | undefined
}

function KeyRejected({ queue }: QueueProps) {
  return (
    <Banner
      tone="red"
      icon={<KeyRound size={18} />}
      title={t`The service rejected the key.`}
      actions={<ReplaceKeyButton />}
    >
      {queue?.message === '' || !queue
        ? t`Nothing is sent until it is replaced. Nothing is lost.`
        : queue.message}
    </Banner>
  )
}

function NoOutputFolder({ batch }: { readonly batch: BatchRecord }) {
  const workspace = useWorkspace()
  return (
    <Banner
      tone="amber"
      icon={<FolderX size={18} />}
      title={t`The output folder cannot be used.`}
      actions={
        <Button
          onPress={() => workspace.open({ kind: 'out-dir', batch: batch.id })}
        >{t`Choose folder`}</Button>
      }
    >
      {said(batch.outDirTrouble ?? '')} {t`Finished results are kept and written later.`}
    </Banner>
  )
}

function Offline({ queue }: QueueProps) {
  const workspace = useWorkspace()
  const runs = queue?.inFlight ?? 0
  return (
    <Banner
      tone="neutral"
      icon={<WifiOff size={18} />}
      title={
        runs === 0
          ? t`Offline.`
          : runs === 1
            ? t`Offline. 1 run continues at the service.`
            : t`Offline. ${figure(runs)} runs continue at the service.`
      }
      actions={
        <Button onPress={() => void workspace.attempt(() => workspace.api.queue.checkBalance({}))}>
          {t`Try now`}
        </Button>
      }
    >
      {t`Results download when the connection is back.`}
    </Banner>
  )
}

function Practice() {
  const workspace = useWorkspace()
  return (
    <Banner
      tone="neutral"
      icon={<FlaskConical size={18} />}
      title={t`Practice service. Play credits, stand-in results.`}
      actions={
        <>
          <Button variant="ghost" onPress={() => workspace.layout.setState({ practiceHidden: true })}>
            {t`Hide`}
          </Button>
          <Button onPress={() => workspace.open({ kind: 'connect' })}>{t`Connect`}</Button>
        </>
      }
    >
      {t`Connect an account for real retouching.`}
    </Banner>
  )
}

interface KindProps extends QueueProps {
  readonly kind: BannerKind
  readonly batch: BatchRecord
}

function KindOfBanner({ kind, batch, queue }: KindProps) {
  switch (kind) {
    case 'key-rejected':
      return <KeyRejected queue={queue} />
    case 'out-of-credits':
      return <OutOfCredits batch={batch} queue={queue} />
    case 'out-dir':
      return <NoOutputFolder batch={batch} />
    case 'offline':
      return <Offline queue={queue} />
    case 'following':
      return (
        <Banner
          tone="neutral"
          icon={<RefreshCw size={18} />}
          title={t`Another Vitrine works on these batches.`}
        >
          {t`This window shows how it goes; the other one sends.`}
        </Banner>
      )
    case 'practice':
      return <Practice />
  }
}

/** The one banner of the moment, most severe first; none where all is well. */
export function BatchBanner({ batch }: { readonly batch: BatchRecord }) {
  const queue = useQueue()
  const connection = useActiveConnection()
  const isLongOffline = useIsLongOffline(queue)
  const isPracticeHidden = useLayout((layout) => layout.practiceHidden)
  const kind = bannerOf({ batch, queue, connection, isLongOffline, isPracticeHidden })
  return kind === undefined ? null : <KindOfBanner kind={kind} batch={batch} queue={queue} />
}
