import type { BatchRecord } from '../../shared/contract/records.ts'
import type { Workspace } from '../app/workspace.ts'
import { t } from '../../shared/language/text.ts'

export function startBatch(workspace: Workspace, batch: BatchRecord) {
  return workspace.attempt(async () => {
    // Whoever starts a batch wants it sent, also where everything was paused before.
    if (workspace.mirrors.queue.getState().value?.state === 'paused') await workspace.api.queue.resume({})
    if (batch.state !== 'running') await workspace.api.batches.start({ batch: batch.id })
  })
}

export function pauseBatch(workspace: Workspace, batch: BatchRecord) {
  return workspace.attempt(() => workspace.api.batches.pause({ batch: batch.id }))
}

export function releaseBatch(workspace: Workspace, batch: BatchRecord) {
  return workspace.attempt(() => workspace.api.batches.release({ batch: batch.id }))
}

/** Moves a batch one place in the queue; it can be taken back. */
export function moveBatch(workspace: Workspace, batch: string, by: -1 | 1) {
  const { order } = workspace.mirrors.batches.getState().value
  const at = order.indexOf(batch)
  const to = at + by
  if (at < 0 || to < 0 || to >= order.length) return
  const was = order[at + 1] ?? null
  const before = by < 0 ? (order[to] ?? null) : (order[to + 1] ?? null)
  return workspace.attempt(async () => {
    await workspace.api.batches.move({ batch, before })
    workspace.say(by < 0 ? t`Moved up in the queue` : t`Moved down in the queue`, async () => {
      await workspace.api.batches.move({ batch, before: was })
    })
  })
}

/** Writes a report into the batch's output folder. The sources of a contact sheet are fetched first, which takes a while. */
export function writeReport(workspace: Workspace, batch: BatchRecord, kind: 'contact-sheet' | 'pdf' | 'csv') {
  return workspace.attempt(async () => {
    if (kind !== 'csv') workspace.say(t`The contact sheet is being made`)
    const { file } = await workspace.api.reports.write({ batch: batch.id, kind })
    workspace.say(t`“${file}” is in the output folder`)
  })
}

/** Opens the sheet that asks, with the price. */
export function askRetryFailed(workspace: Workspace, batch: BatchRecord) {
  if (batch.counts.failed === 0) return
  workspace.open({
    kind: 'retry',
    target: { query: { batch: batch.id, states: ['failed'] } },
    title:
      batch.counts.failed === 1 ? t`Retry 1 failed image` : t`Retry ${batch.counts.failed} failed images`,
  })
}

export function askRetrySelected(workspace: Workspace) {
  const { target, count } = workspace.selection
  if (!target) return
  workspace.open({
    kind: 'retry',
    target,
    title: count === 1 ? t`Run 1 image again` : t`Run ${count} images again`,
  })
}
