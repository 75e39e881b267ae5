import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { figure, plural } from './format.ts'
import { useWorkspace } from './workspace-context.ts'
import { said } from '../../shared/language/said.ts'
import { t } from '../../shared/language/text.ts'

/** Milliseconds between two summaries at the same quarter. */
const quiet = 30_000

/** "106 of 212 done, 2 failed" at every quarter, or every 30 s at most. */
function useSummary(): string {
  const workspace = useWorkspace()
  const screen = useStore(workspace.view, (view) => view.screen)
  const batch = useStore(workspace.mirrors.batches, ({ value }) =>
    screen.kind === 'batch' ? value.byId.get(screen.batch) : undefined,
  )
  const [words, setWords] = useState('')
  const said = useRef({ batch: '', quarter: -1, at: 0, done: -1 })
  useEffect(() => {
    if (!batch || batch.total === 0) return
    const done = batch.counts.delivered + batch.counts.skipped
    const quarter = Math.floor((done / batch.total) * 4)
    const last = said.current
    const now = Date.now()
    if (last.batch !== batch.id) {
      said.current = { batch: batch.id, quarter, at: now, done }
      return
    }
    if (done === last.done || (quarter === last.quarter && now - last.at < quiet)) return
    said.current = { batch: batch.id, quarter, at: now, done }
    const { failed, review } = batch.counts
    setWords(
      [
        t`${figure(done)} of ${figure(batch.total)} done`,
        failed > 0 && t`${figure(failed)} failed`,
        review > 0 && plural(review, 'needs review', 'need review'),
      ]
        .filter(Boolean)
        .join(', '),
    )
  }, [batch])
  return words
}

/** What stops the queue: out of credits, a rejected key, an output folder that is gone. */
function useAlarm(): string {
  const workspace = useWorkspace()
  const queue = useStore(workspace.mirrors.queue, ({ value }) => value)
  const folder = useStore(workspace.mirrors.batches, ({ value }) => {
    const one = [...value.byId.values()].find(
      (batch) => batch.outDirTrouble !== null && batch.state === 'running',
    )
    return said(one?.outDirTrouble ?? '')
  })
  if (queue?.state === 'key-rejected')
    return t`The service rejected the key. Nothing is sent until it is replaced.`
  if (queue?.state === 'out-of-credits') return t`Out of credits. Nothing is lost; the queue waits.`
  return folder
}

/** For readers of the screen: one polite region for progress, one assertive region for what stops the queue. */
export function LiveRegions() {
  const workspace = useWorkspace()
  const notice = useStore(workspace.mirrors.notice, ({ value }) => value)
  const summary = useSummary()
  const alarm = useAlarm()
  useEffect(() => {
    if (notice) workspace.toasts.show({ text: notice.message })
  }, [notice, workspace])
  return (
    <>
      <div className="hidden-text" role="status" aria-label={t`Progress`}>
        {summary}
      </div>
      <div className="hidden-text" role="alert">
        {alarm}
      </div>
    </>
  )
}
