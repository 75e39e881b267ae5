import type { BatchRecord } from '../shared/contract/records.ts'
import type { Standing } from './engine-mirror.ts'
import { stopWords } from '../shared/language/stop-words.ts'
import { figure, plural, t } from '../shared/language/text.ts'

/** What the program's icon and the system are told of the work. Pure: decided from how things stand alone. */

/** Progress on the dock or taskbar; null where there is none to show. */
export interface IconProgress {
  /** 0 to 1: settled images among those of the batches at work. */
  readonly fraction: number
  readonly mode: 'normal' | 'paused' | 'error'
}

const atWork = (batch: BatchRecord) => batch.state === 'running' || batch.state === 'pausing'
const settled = ({ counts }: BatchRecord) =>
  counts.delivered + counts.skipped + counts.failed + counts.review + counts.cancelled

export function iconProgress({ batches, queue }: Standing): IconProgress | null {
  const working = [...(batches?.values() ?? [])].filter(atWork)
  const total = sum(working, (batch) => batch.total - batch.counts.held)
  if (total <= 0) return null
  const mode = queue?.state === 'key-rejected' ? 'error' : queue?.state === 'running' ? 'normal' : 'paused'
  return { fraction: Math.min(1, sum(working, settled) / total), mode }
}

/** True while the machine must not fall asleep: something is sent, worked on or fetched, or will be without a person. */
export function keepsAwake({ batches, queue }: Standing): boolean {
  if (!queue) return false
  if (queue.inFlight > 0) return true
  return (
    queue.state === 'running' && [...(batches?.values() ?? [])].some((batch) => batch.state === 'running')
  )
}

export interface Notice {
  readonly title: string
  readonly body: string
  /** The batch that a click leads to. */
  readonly batch: string | null
}

/** What has happened between two standings that a person who is elsewhere wants to know. */
export function noticesBetween(before: Standing, now: Standing): Notice[] {
  const { preferences } = now
  const notices: Notice[] = []
  for (const batch of now.batches?.values() ?? []) {
    const earlier = before.batches?.get(batch.id)
    if (!earlier || earlier.state === batch.state) continue
    if (batch.state === 'finished' && preferences?.notifyFinished) notices.push(finished(batch))
    if (batch.state === 'stopped' && preferences?.notifyStopped) {
      notices.push({
        title: t`${batch.name} has stopped`,
        body: stopWords(batch.stopReason),
        batch: batch.id,
      })
    }
  }
  const stop = preferences?.notifyStopped ? queueStop(before, now) : undefined
  return stop ? [...notices, stop] : notices
}

function finished({ id, name, counts, total, charged }: BatchRecord): Notice {
  const done = counts.delivered + counts.skipped
  const parts = [
    t`${figure(done)} of ${figure(total)} done`,
    ...(counts.failed > 0 ? [t`${figure(counts.failed)} failed`] : []),
    ...(counts.review === 1 ? [t`1 needs review`] : []),
    ...(counts.review > 1 ? [t`${figure(counts.review)} need review`] : []),
  ]
  return {
    title: t`${name} is finished`,
    body: t`${parts.join(', ')}. ${figure(charged)} credits charged.`,
    batch: id,
  }
}

function queueStop(before: Standing, now: Standing): Notice | undefined {
  const [was, is] = [before.queue, now.queue]
  if (!was || !is || was.state === is.state || was.connectionId !== is.connectionId) return undefined
  const waiting = sum([...(now.batches?.values() ?? [])].filter(atWork), (batch) => batch.counts.waiting)
  if (is.state === 'out-of-credits') {
    const title =
      waiting === 0
        ? t`Out of credits`
        : waiting === 1
          ? t`Out of credits: 1 image is waiting`
          : t`Out of credits: ${figure(waiting)} images are waiting`
    return {
      title,
      body: t`Nothing is lost. The queue continues by itself when the balance allows.`,
      batch: null,
    }
  }
  if (is.state === 'key-rejected') {
    return {
      title: t`The service rejected the key`,
      body: t`Nothing is sent until the key is replaced.`,
      batch: null,
    }
  }
  return undefined
}

/** What is asked before the program ends in the middle of work; undefined where it may simply end. */
export function quitQuestion({ batches, queue }: Standing): { message: string; detail: string } | undefined {
  const flying = queue?.inFlight ?? 0
  if (flying > 0) {
    return flying === 1
      ? { message: t`1 run is at the service.`, detail: t`It finishes there; Vitrine fetches it next time.` }
      : {
          message: t`${figure(flying)} runs are at the service.`,
          detail: t`They finish there; Vitrine fetches them next time.`,
        }
  }
  const running = [...(batches?.values() ?? [])].filter((batch) => batch.state === 'running')
  const waiting = sum(running, ({ counts }) => counts.waiting + counts.submitting + counts.downloading)
  if (waiting === 0) return undefined
  return {
    message: plural(waiting, 'image is waiting.', 'images are waiting.'),
    detail: t`Nothing is lost; Vitrine goes on with them next time.`,
  }
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
