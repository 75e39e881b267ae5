import type { BatchRecord, QueueRecord } from '../../shared/contract/records.ts'
import { stopWords } from '../../shared/language/stop-words.ts'
import { clockTime, duration, figure, plural } from '../app/format.ts'
import { activeStates, countOf } from './filters.ts'
import { t } from '../../shared/language/text.ts'

/** How the open batch stands: one state that drives the button, the words and the banner. */
export interface RunState {
  readonly look:
    | 'ready'
    | 'running'
    | 'pausing'
    | 'paused'
    | 'offline'
    | 'out-of-credits'
    | 'key-rejected'
    | 'stopped'
    | 'held'
    | 'finished'
    | 'elsewhere'
  readonly title: string
  /** The title as it stands within a line, where it says why a batch does not go on. */
  readonly inLine?: string
  /** One line under it; `now` is for what counts down. */
  readonly line: (now: number) => string
  /** What the main button does. */
  readonly main: 'start' | 'pause' | 'resume' | 'replace-key' | 'release' | 'open' | 'switch' | 'none'
}

function fixed(line: string) {
  return () => line
}

/** "Trying again in 20 s", counted down from the engine's own time. */
function countdown(words: (left: string) => string, at: number | null, otherwise: string) {
  return (now: number) => (at === null ? otherwise : words(duration(Math.max(0, at - now))))
}

function doneOf(batch: BatchRecord): string {
  return t`${figure(batch.counts.delivered + batch.counts.skipped)} of ${figure(batch.total)} done`
}

/** What pausing leaves at the service. */
function atService(batch: BatchRecord): string {
  const active = countOf(batch.counts, activeStates)
  return active === 0
    ? t`Nothing is being sent`
    : plural(active, 'image at the service will still finish', 'images at the service will still finish')
}

export function runStateOf(batch: BatchRecord, queue: QueueRecord | undefined): RunState {
  const isElsewhere =
    queue !== undefined && batch.connectionId !== null && batch.connectionId !== queue.connectionId
  if (batch.state === 'finished') return finished(batch)
  if (isElsewhere) {
    return {
      look: 'elsewhere',
      title: t`On another connection`,
      line: fixed(t`${doneOf(batch)} · goes on when that connection is active`),
      main: 'switch',
    }
  }
  switch (batch.state) {
    case 'ready':
      return {
        look: 'ready',
        title: t`Ready`,
        line: fixed(t`Nothing has been sent or charged`),
        main: 'start',
      }
    case 'paused':
      return {
        look: 'paused',
        title: t`Paused`,
        inLine: t`paused`,
        line: fixed(atService(batch)),
        main: 'resume',
      }
    case 'pausing': {
      const active = countOf(batch.counts, activeStates)
      return {
        look: 'pausing',
        title: t`Pausing`,
        inLine: t`pausing`,
        line: fixed(t`${figure(active)} still at the service`),
        main: 'resume',
      }
    }
    case 'interrupted':
      return {
        look: 'paused',
        title: t`Interrupted`,
        inLine: t`interrupted`,
        line: fixed(t`Nothing is lost. Resume goes on where it stopped`),
        main: 'resume',
      }
    case 'stopped':
      return {
        look: 'stopped',
        title: t`Stopped`,
        inLine: t`stopped`,
        line: fixed(batch.stopReason === null ? doneOf(batch) : stopWords(batch.stopReason)),
        main: 'resume',
      }
    case 'running':
      return running(batch, queue)
  }
}

function finished(batch: BatchRecord): RunState {
  const { held } = batch.counts
  if (held > 0) {
    return {
      look: 'held',
      title: t`Looks right?`,
      line: fixed(t`${doneOf(batch)} · ${figure(held)} held until you say go`),
      main: 'release',
    }
  }
  const done = figure(batch.counts.delivered + batch.counts.skipped)
  const total = figure(batch.total)
  return {
    look: 'finished',
    title: t`Finished`,
    line: fixed(
      batch.finished === null
        ? t`${done} of ${total}`
        : t`${done} of ${total}, finished ${clockTime(batch.finished)}`,
    ),
    main: 'open',
  }
}

function running(batch: BatchRecord, queue: QueueRecord | undefined): RunState {
  const active = countOf(batch.counts, activeStates)
  switch (queue?.state) {
    case 'paused':
      return {
        look: 'paused',
        title: t`Everything is paused`,
        inLine: t`everything is paused`,
        line: fixed(atService(batch)),
        main: 'resume',
      }
    case 'offline':
      return {
        look: 'offline',
        title: t`Offline`,
        inLine: t`offline`,
        line: countdown((left) => t`Trying again in ${left}`, queue.nextTry, t`Trying again`),
        main: 'pause',
      }
    case 'out-of-credits': {
      const next = countdown((left) => t`next check in ${left}`, queue.nextTry, t`checking the balance`)
      return {
        look: 'out-of-credits',
        title: t`Out of credits`,
        inLine: t`out of credits`,
        line: (now) => `${doneOf(batch)} · ${next(now)}`,
        main: 'pause',
      }
    }
    case 'key-rejected':
      return {
        look: 'key-rejected',
        title: t`Key rejected`,
        inLine: t`key rejected`,
        line: fixed(t`Nothing is sent until the key is replaced`),
        main: 'replace-key',
      }
    case 'running':
    case undefined:
      return {
        look: 'running',
        title: t`Running`,
        line: fixed(t`${doneOf(batch)} · ${figure(active)} active`),
        main: 'pause',
      }
  }
}
