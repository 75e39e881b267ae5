import { ChevronLeft, ChevronRight, Download, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { runThumbnailPath } from '../../shared/contract/pictures.ts'
import type { RunRecord } from '../../shared/contract/records.ts'
import { dayTime, figure, plural } from '../app/format.ts'
import { useActiveConnection } from '../app/workspace-context.ts'
import { Picture } from '../batches/Picture.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { classes } from '../ui/class-names.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { StateLabel } from '../ui/StateLabel.tsx'
import { Tag } from '../ui/Tag.tsx'
import { DownloadSheet } from './DownloadSheet.tsx'
import { RunDetails } from './RunDetails.tsx'
import { runLook } from './run-look.ts'
import { pageLength, useRuns, type RunStatus } from './use-runs.ts'

const filters: readonly { readonly value: RunStatus | 'all'; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'IN_QUEUE', label: 'In queue' },
  { value: 'IN_PROGRESS', label: 'Processing' },
  { value: 'SUCCESS', label: 'Done' },
  { value: 'FAILED', label: 'Failed' },
]

interface RunRowProps {
  readonly run: RunRecord
  readonly isTicked: boolean
  readonly isOpen: boolean
  readonly onTick: (isOn: boolean) => void
  readonly onOpen: () => void
}

function RunRow({ run, isTicked, isOpen, onTick, onOpen }: RunRowProps) {
  const { look, words } = runLook(run.status)
  return (
    <div className={classes('run-row', isOpen && 'sel')} role="row" aria-selected={isOpen}>
      <span role="gridcell">
        <Checkbox
          aria-label={`Select ${run.runId}`}
          isSelected={isTicked}
          isDisabled={run.outputs.length === 0}
          onChange={onTick}
        />
      </span>
      <span role="gridcell" className="tpic">
        <Picture
          src={run.outputs.length > 0 && !run.isVideo ? runThumbnailPath(run.runId, 128) : undefined}
          fallback={run.isVideo ? 'Video' : '–'}
        />
      </span>
      <span role="gridcell" className="tname">
        <button type="button" className="run-open" aria-expanded={isOpen} onClick={onOpen}>
          <bdi className="ell">{run.image?.title ?? run.runId}</bdi>
        </button>
        <bdi className="ell f3 t11">{run.image ? run.runId : (run.appTitle ?? run.appId)}</bdi>
      </span>
      <span role="gridcell">
        <StateLabel look={look}>{words}</StateLabel>
      </span>
      <span role="gridcell" className="ell f2">
        <bdi>{run.appTitle ?? run.appId}</bdi>
      </span>
      <span role="gridcell" className="r">
        {run.credits === null ? <span className="f3">–</span> : figure(run.credits)}
      </span>
      <span role="gridcell" className="r f2 nw">
        {dayTime(run.created)}
      </span>
      <span role="gridcell">{run.image ? null : <Tag tone="line">elsewhere</Tag>}</span>
    </div>
  )
}

interface RunTableProps {
  readonly runs: readonly RunRecord[]
  readonly ticked: ReadonlySet<string>
  readonly open: string | undefined
  readonly onTick: (runId: string, isOn: boolean) => void
  readonly onTickAll: (isOn: boolean) => void
  readonly onOpen: (run: RunRecord) => void
}

function RunTable({ runs, ticked, open, onTick, onTickAll, onOpen }: RunTableProps) {
  const possible = runs.filter((run) => run.outputs.length > 0)
  const count = possible.filter((run) => ticked.has(run.runId)).length
  return (
    <div className="run-table" role="grid" aria-label="Runs" aria-rowcount={runs.length + 1}>
      <div className="run-row th" role="row">
        <span role="columnheader">
          <Checkbox
            aria-label="Select all with results"
            isSelected={possible.length > 0 && count === possible.length}
            isIndeterminate={count > 0 && count < possible.length}
            isDisabled={possible.length === 0}
            onChange={onTickAll}
          />
        </span>
        <span role="columnheader">
          <span className="hidden-text">Picture</span>
        </span>
        <span role="columnheader">Run</span>
        <span role="columnheader">State</span>
        <span role="columnheader">App</span>
        <span role="columnheader" className="r">
          Credits
        </span>
        <span role="columnheader" className="r">
          Created
        </span>
        <span role="columnheader">
          <span className="hidden-text">Started</span>
        </span>
      </div>
      {runs.map((run) => (
        <RunRow
          key={run.runId}
          run={run}
          isTicked={ticked.has(run.runId)}
          isOpen={open === run.runId}
          onTick={(isOn) => onTick(run.runId, isOn)}
          onOpen={() => onOpen(run)}
        />
      ))}
    </div>
  )
}

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
        label="Newer runs"
        isDisabled={page === 1}
        onPress={() => onPage(page - 1)}
        tooltipPlacement="top"
      />
      <span className="t12 f2">
        {pages === undefined ? `Page ${page}` : `Page ${page} of ${figure(pages)}`}
      </span>
      <IconButton
        size="s"
        icon={<ChevronRight size={15} />}
        label="Older runs"
        isDisabled={!hasMore}
        onPress={() => onPage(page + 1)}
        tooltipPlacement="top"
      />
    </div>
  )
}

function NoRuns({ status }: { readonly status: RunStatus | null }) {
  return status === null ? (
    <EmptyState title="No runs yet">
      Every run of the connected account appears here, also those that were started elsewhere.
    </EmptyState>
  ) : (
    <EmptyState title="No such runs.">None of the account’s runs is in this state.</EmptyState>
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

/** The service's own runs, newest first: details, and their results fetched again. */
export function HistoryScreen() {
  const connection = useActiveConnection()
  const [page, setPage] = useState(1)
  const [status, setStatus] = useState<RunStatus | null>(null)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<RunRecord>()
  const [isDownloading, setDownloading] = useState(false)
  const runs = useRuns(page, status)
  const shown = runs.page?.runs ?? []
  const tick = (ids: readonly string[], isOn: boolean) => {
    const next = new Set(ticked)
    for (const id of ids) {
      if (isOn) next.add(id)
      else next.delete(id)
    }
    setTicked(next)
  }
  return (
    <>
      <main className="main" aria-label="History">
        <header className="head" data-region="header">
          <h1>History</h1>
          {connection && <bdi className="f3 ell">{connection.name}</bdi>}
          <span className="sp" />
          <IconButton icon={<RefreshCw size={15} />} label="Look again" onPress={runs.reload} />
        </header>
        <div className="filters" data-region="filters">
          <Segmented
            label="State"
            size="l"
            value={status ?? 'all'}
            options={filters}
            onChange={(value) => {
              setStatus(value === 'all' ? null : value)
              setPage(1)
            }}
          />
          <span className="sp" />
          <Button
            icon={<Download size={14} />}
            isDisabled={ticked.size === 0}
            onPress={() => setDownloading(true)}
          >
            {ticked.size === 0 ? 'Download' : `Download ${plural(ticked.size, 'run')}`}
          </Button>
        </div>
        <div className={classes('history-list', runs.isLoading && runs.page && 'old')} data-region="runs">
          {runs.trouble !== undefined ? (
            <EmptyState
              title="The runs cannot be shown"
              actions={<Button onPress={runs.reload}>Try again</Button>}
            >
              {runs.trouble}
            </EmptyState>
          ) : !runs.page ? (
            <LoadingRuns />
          ) : shown.length === 0 ? (
            <NoRuns status={status} />
          ) : (
            <RunTable
              runs={shown}
              ticked={ticked}
              open={open?.runId}
              onTick={(id, isOn) => tick([id], isOn)}
              onTickAll={(isOn) =>
                tick(
                  shown.filter((run) => run.outputs.length > 0).map((run) => run.runId),
                  isOn,
                )
              }
              onOpen={(run) => setOpen(open?.runId === run.runId ? undefined : run)}
            />
          )}
        </div>
        <footer className="status" data-region="status">
          <span>{runs.page?.total == null ? '' : plural(runs.page.total, 'run')}</span>
          <span className="sp" />
          <Pager
            page={page}
            total={runs.page?.total ?? null}
            hasMore={runs.page?.hasMore ?? false}
            onPage={setPage}
          />
        </footer>
      </main>
      {open && <RunDetails run={open} onClose={() => setOpen(undefined)} />}
      {isDownloading && (
        <DownloadSheet
          runIds={[...ticked]}
          onClose={() => {
            setDownloading(false)
            setTicked(new Set())
          }}
        />
      )}
    </>
  )
}
