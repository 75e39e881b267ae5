import { thumbnailPath } from '../../shared/contract/pictures.ts'
import type { RunRecord } from '../../shared/contract/records.ts'
import { dayTime, figure } from '../app/format.ts'
import { Picture } from '../batches/Picture.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { classes } from '../ui/class-names.ts'
import { StateLabel } from '../ui/StateLabel.tsx'
import { Tag } from '../ui/Tag.tsx'
import { hasResults, runLook } from './run-look.ts'
import { t } from '../../shared/language/text.ts'

/** A result that lies here; those of other runs would have to be fetched, fifty for a page. */
function pictureOf(run: RunRecord): string | undefined {
  if (!run.image || run.isVideo || !hasResults(run)) return undefined
  return thumbnailPath(run.image.id, 'primary', 128, new Date(run.created).getTime() || 0)
}

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
          aria-label={t`Select ${run.runId}`}
          isSelected={isTicked}
          isDisabled={!hasResults(run)}
          onChange={onTick}
        />
      </span>
      <span role="gridcell" className="tpic">
        <Picture src={pictureOf(run)} fallback={run.isVideo ? t`Video` : '–'} />
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
      <span role="gridcell">{run.image ? null : <Tag tone="line">{t`elsewhere`}</Tag>}</span>
    </div>
  )
}

export interface RunTableProps {
  readonly runs: readonly RunRecord[]
  readonly ticked: ReadonlySet<string>
  readonly open: string | undefined
  readonly onTick: (runId: string, isOn: boolean) => void
  readonly onTickAll: (isOn: boolean) => void
  readonly onOpen: (run: RunRecord) => void
}

/** Runs as a table; those with results can be ticked, and each can be opened. */
export function RunTable({ runs, ticked, open, onTick, onTickAll, onOpen }: RunTableProps) {
  const possible = runs.filter(hasResults)
  const count = possible.filter((run) => ticked.has(run.runId)).length
  return (
    <div className="run-table" role="grid" aria-label={t`Runs`} aria-rowcount={runs.length + 1}>
      <div className="run-row th" role="row">
        <span role="columnheader">
          <Checkbox
            aria-label={t`Select all with results`}
            isSelected={possible.length > 0 && count === possible.length}
            isIndeterminate={count > 0 && count < possible.length}
            isDisabled={possible.length === 0}
            onChange={onTickAll}
          />
        </span>
        <span role="columnheader">
          <span className="hidden-text">{t`Picture`}</span>
        </span>
        <span role="columnheader">{t`Run`}</span>
        <span role="columnheader">{t`State`}</span>
        <span role="columnheader">{t`App`}</span>
        <span role="columnheader" className="r">
          {t`Credits`}
        </span>
        <span role="columnheader" className="r">
          {t`Created`}
        </span>
        <span role="columnheader">
          <span className="hidden-text">{t`Started`}</span>
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
