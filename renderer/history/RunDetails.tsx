import { Columns2, Copy, Download, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { runThumbnailPath } from '../../shared/contract/pictures.ts'
import type { RunRecord } from '../../shared/contract/records.ts'
import { dayTime, plural } from '../app/format.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { copyText } from '../batches/image-commands.ts'
import { Picture } from '../batches/Picture.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { StateLabel } from '../ui/StateLabel.tsx'
import { DownloadSheet } from './DownloadSheet.tsx'
import { hasResults, runLook } from './run-look.ts'
import { t } from '../../shared/language/text.ts'

function Facts({ run }: { readonly run: RunRecord }) {
  const workspace = useWorkspace()
  const rows: readonly (readonly [string, string])[] = [
    [t`App`, run.appTitle ?? run.appId],
    [t`Created`, dayTime(run.created)],
    ...(run.completed === null ? [] : [[t`Completed`, dayTime(run.completed)] as const]),
    [t`Charged`, run.credits === null ? t`Not yet` : plural(run.credits, 'credit')],
    ...run.outputs.map((output) => [output.label, output.format ?? t`file`] as const),
  ]
  return (
    <dl className="facts">
      <div>
        <dt>{t`Run`}</dt>
        <dd>
          <bdi className="mono ell select-text" title={run.runId}>
            {run.runId}
          </bdi>
          <IconButton
            size="s"
            icon={<Copy size={13} />}
            label={t`Copy run id`}
            onPress={() => void copyText(workspace, run.runId, t`Run id`)}
          />
        </dd>
      </div>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>
            <bdi className="ell" title={value}>
              {value}
            </bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The whole record of a run: the list leaves out why it failed, when it was done, and what it made. */
function useWhole(listed: RunRecord): RunRecord {
  const { api } = useWorkspace()
  const [whole, setWhole] = useState<RunRecord>()
  useEffect(() => {
    const ends = new AbortController()
    api.runs.show({ runId: listed.runId }, { signal: ends.signal }).then(setWhole, () => undefined)
    return () => ends.abort()
  }, [api, listed])
  return whole?.runId === listed.runId ? whole : listed
}

interface RunActionsProps {
  readonly run: RunRecord
  readonly onDownload: () => void
}

function RunActions({ run, onDownload }: RunActionsProps) {
  const workspace = useWorkspace()
  const { image } = run
  return (
    <div className="row g6 wrap">
      <Button
        size="s"
        icon={<Columns2 size={13} />}
        isDisabled={!hasResults(run)}
        onPress={() => workspace.open({ kind: 'compare', of: { run: run.runId } })}
      >
        {t`Compare`}
      </Button>
      <Button size="s" icon={<Download size={13} />} isDisabled={!hasResults(run)} onPress={onDownload}>
        {t`Download`}
      </Button>
      {image && (
        <Button size="s" onPress={() => workspace.go({ kind: 'batch', batch: image.batch })}>
          {t`Open its batch`}
        </Button>
      )}
    </div>
  )
}

export interface RunDetailsProps {
  /** As the list has it. */
  readonly listed: RunRecord
  readonly onClose: () => void
}

/** What the service says of one run, with its results fetched again on demand. */
export function RunDetails({ listed, onClose }: RunDetailsProps) {
  const run = useWhole(listed)
  const [isDownloading, setDownloading] = useState(false)
  const { look, words } = runLook(run.status)
  return (
    <aside className="insp" aria-label={t`Run`} data-region="inspector">
      <div className="insp-top">
        <span className="m insp-title">{t`Run`}</span>
        <span className="sp" />
        <IconButton icon={<X size={16} />} label={t`Close`} onPress={onClose} />
      </div>
      <div className="insp-body">
        <div className="prev">
          <Picture
            src={hasResults(run) && !run.isVideo ? runThumbnailPath(run.runId, 512) : undefined}
            fallback={run.isVideo ? t`Video` : t`No result`}
          />
        </div>
        <section className="sect happened">
          <StateLabel look={look} size={15}>
            {words}
          </StateLabel>
          {run.error !== null && (
            <pre className="raw select-text" dir="auto">
              {run.error}
            </pre>
          )}
          <RunActions run={run} onDownload={() => setDownloading(true)} />
        </section>
        <section className="sect">
          <Facts run={run} />
        </section>
      </div>
      {isDownloading && <DownloadSheet runIds={[run.runId]} onClose={() => setDownloading(false)} />}
    </aside>
  )
}
