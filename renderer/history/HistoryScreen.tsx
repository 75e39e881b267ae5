import { ChevronLeft, ChevronRight, Download, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { RunRecord } from '../../shared/contract/records.ts'
import { figure, plural } from '../app/format.ts'
import { useActiveConnection } from '../app/workspace-context.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/class-names.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { DownloadSheet } from './DownloadSheet.tsx'
import { RunDetails } from './RunDetails.tsx'
import { hasResults } from './run-look.ts'
import { RunTable } from './RunTable.tsx'
import { pageLength, useRuns, type Runs, type RunStatus } from './use-runs.ts'
import { t } from '../../shared/language/text.ts'

const filters: readonly { readonly value: RunStatus | 'all'; readonly label: string }[] = [
  { value: 'all', label: t`All` },
  { value: 'IN_QUEUE', label: t`In queue` },
  { value: 'IN_PROGRESS', label: t`Processing` },
  { value: 'SUCCESS', label: t`Done` },
  { value: 'FAILED', label: t`Failed` },
]

interface PagerProps {
  readonly page: number
  readonly total: number | null
  readonly hasMore: boolean
  readonly onPage: (page: number) => void
}

function Pager({ page, total, hasMore, onPage }: PagerProps) {
  const pages = total === null ? undefined : Math.max(1, Math.ceil(total / pageLength))
  return (
    <div className="row g6">
      <IconButton
        size="s"
        icon={<ChevronLeft size={15} />}
        label={t`Newer runs`}
        isDisabled={page === 1}
        onPress={() => onPage(page - 1)}
        tooltipPlacement="top"
      />
      <span className="t12 f2">
        {pages === undefined ? t`Page ${page}` : t`Page ${page} of ${figure(pages)}`}
      </span>
      <IconButton
        size="s"
        icon={<ChevronRight size={15} />}
        label={t`Older runs`}
        isDisabled={!hasMore}
        onPress={() => onPage(page + 1)}
        tooltipPlacement="top"
      />
    </div>
  )
}

function NoRuns({ status }: { readonly status: RunStatus | null }) {
  return status === null ? (
    <EmptyState title={t`No runs yet`}>
      {t`Every run of the connected account appears here, also those that were started elsewhere.`}
    </EmptyState>
  ) : (
    <EmptyState title={t`No such runs.`}>{t`None of the account’s runs is in this state.`}</EmptyState>
  )
}

function LoadingRuns() {
  return (
    <div className="reading" aria-hidden="true">
      {Array.from({ length: 9 }, (_, index) => (
        <Skeleton key={index} height={30} />
      ))}
    </div>
  )
}

/** The runs that are ticked, over all pages. */
function useTicks() {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const tick = (ids: readonly string[], isOn: boolean) => {
    const next = new Set(ticked)
    for (const id of ids) {
      if (isOn) next.add(id)
      else next.delete(id)
    }
    setTicked(next)
  }
  return { ticked, tick, clear: () => setTicked(new Set()) }
}

interface RunListProps {
  readonly runs: Runs
  readonly status: RunStatus | null
  readonly ticks: ReturnType<typeof useTicks>
  readonly open: RunRecord | undefined
  readonly onOpen: (run: RunRecord | undefined) => void
}

function RunList({ runs, status, ticks, open, onOpen }: RunListProps) {
  const { page, trouble } = runs
  if (trouble !== undefined) {
    return (
      <EmptyState
        title={t`The runs cannot be shown`}
        actions={<Button onPress={runs.reload}>{t`Try again`}</Button>}
      >
        {trouble}
      </EmptyState>
    )
  }
  if (!page) return <LoadingRuns />
  if (page.runs.length === 0) return <NoRuns status={status} />
  const withResults = page.runs.filter(hasResults).map((run) => run.runId)
  return (
    <RunTable
      runs={page.runs}
      ticked={ticks.ticked}
      open={open?.runId}
      onTick={(id, isOn) => ticks.tick([id], isOn)}
      onTickAll={(isOn) => ticks.tick(withResults, isOn)}
      onOpen={(run) => onOpen(open?.runId === run.runId ? undefined : run)}
    />
  )
}

interface HistoryFiltersProps {
  readonly status: RunStatus | null
  readonly onStatus: (status: RunStatus | null) => void
  readonly count: number
  readonly onDownload: () => void
}

function HistoryFilters({ status, onStatus, count, onDownload }: HistoryFiltersProps) {
  return (
    <div className="filters" data-region="filters">
      <Segmented
        label={t`State`}
        size="l"
        value={status ?? 'all'}
        options={filters}
        onChange={(value) => onStatus(value === 'all' ? null : value)}
      />
      <span className="sp" />
      <Button icon={<Download size={14} />} isDisabled={count === 0} onPress={onDownload}>
        {count === 0 ? t`Download` : t`Download ${plural(count, 'run')}`}
      </Button>
    </div>
  )
}

/** The service's own runs, newest first: details, and their results fetched again. */
export function HistoryScreen() {
  const connection = useActiveConnection()
  const [page, setPage] = useState(1)
  const [status, setStatus] = useState<RunStatus | null>(null)
  const [open, setOpen] = useState<RunRecord>()
  const [isDownloading, setDownloading] = useState(false)
  const ticks = useTicks()
  const runs = useRuns(page, status)
  const total = runs.page?.total ?? null
  return (
    <>
      <main className="main" aria-label={t`History`}>
        <header className="head" data-region="header">
          <h1>{t`History`}</h1>
          {connection && <bdi className="f3 ell">{connection.name}</bdi>}
          <span className="sp" />
          <IconButton icon={<RefreshCw size={15} />} label={t`Look again`} onPress={runs.reload} />
        </header>
        <HistoryFilters
          status={status}
          onStatus={(next) => {
            setStatus(next)
            setPage(1)
          }}
          count={ticks.ticked.size}
          onDownload={() => setDownloading(true)}
        />
        <div className={classes('history-list', runs.isLoading && runs.page && 'old')} data-region="runs">
          <RunList runs={runs} status={status} ticks={ticks} open={open} onOpen={setOpen} />
        </div>
        <footer className="status" data-region="status">
          <span>{total === null ? '' : plural(total, 'run')}</span>
          <span className="sp" />
          <Pager page={page} total={total} hasMore={runs.page?.hasMore ?? false} onPage={setPage} />
        </footer>
      </main>
      {open && <RunDetails key={open.runId} listed={open} onClose={() => setOpen(undefined)} />}
      {isDownloading && (
        <DownloadSheet
          runIds={[...ticks.ticked]}
          onClose={() => {
            setDownloading(false)
            ticks.clear()
          }}
        />
      )}
    </>
  )
}
