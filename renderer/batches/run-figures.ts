import type { BatchRecord, QueueRecord } from '../../shared/contract/records.ts'
import { clockTime, duration, figure, plural, range, timeLeft, times } from '../app/format.ts'
import { activeStates, countOf } from './filters.ts'
import type { RunState } from './run-state.ts'
import { t } from '../../shared/language/text.ts'

export interface RunFigure {
  readonly figure: string
  readonly words: string
}

export interface FiguresQuestion {
  readonly batch: BatchRecord
  readonly queue: QueueRecord | undefined
  readonly look: RunState['look']
  /** Below 1100 the cost line is folded away with the inspector, so that the price moves here. */
  readonly isNarrow: boolean
  /** Milliseconds left, steadied; null while it is not known. */
  readonly eta: number | null
}

function charged(batch: BatchRecord, words = t`charged so far`): RunFigure {
  return { figure: t`${figure(batch.charged)} cr`, words }
}

type Unit = 'left' | 'waiting' | 'images'

function countWords(count: number, unit: Unit): string {
  switch (unit) {
    case 'left':
      return t`${figure(count)} left`
    case 'waiting':
      return t`${figure(count)} waiting`
    case 'images':
      return plural(count, 'image')
  }
}

/** "83 left", "× 6 = 498 cr". */
function left(batch: BatchRecord, unit: Unit): RunFigure {
  const count = batch.counts.waiting + batch.counts.held
  const price = batch.pricePerImage
  return {
    figure: countWords(count, unit),
    words:
      price === null ? t`base price not known yet` : t`× ${range(price)} = ${range(times(price, count))} cr`,
  }
}

function after(queue: QueueRecord | undefined): readonly RunFigure[] {
  const { balance, committed } = queue ?? {}
  if (!balance || !committed) return []
  const least = balance.total - committed.max
  return [
    {
      figure: figure(Math.max(0, least)),
      words: least < 0 ? t`balance after, ${figure(-least)} short` : t`balance after`,
    },
  ]
}

/** What matters most right now, at most three. */
export function runFigures({ batch, queue, look, isNarrow, eta }: FiguresQuestion): readonly RunFigure[] {
  switch (look) {
    case 'ready':
      return [left(batch, 'images'), ...after(queue)]
    case 'finished':
    case 'held':
      return [
        { figure: plural(batch.counts.delivered, 'image'), words: t`delivered` },
        ...(batch.median === null ? [] : [{ figure: duration(batch.median), words: t`median` }]),
        charged(batch, t`charged in all`),
      ]
    case 'out-of-credits':
      return [left(batch, 'waiting'), ...short(batch, queue), charged(batch)]
    case 'running':
      if (isNarrow) return [left(batch, 'left'), ...after(queue), charged(batch)]
      return [...pace(batch, eta), charged(batch)]
    case 'pausing':
    case 'paused':
    case 'offline':
    case 'key-rejected':
    case 'stopped':
    case 'elsewhere':
      return [left(batch, 'left'), ...after(queue), charged(batch)]
  }
}

function short(batch: BatchRecord, queue: QueueRecord | undefined): readonly RunFigure[] {
  const need = batch.pricePerImage && times(batch.pricePerImage, batch.counts.waiting)
  if (!need || !queue?.balance) return []
  const missing = need.max - queue.balance.total
  return missing > 0 ? [{ figure: t`${figure(missing)} short`, words: t`of ${figure(need.max)}` }] : []
}

function pace(batch: BatchRecord, eta: number | null): readonly RunFigure[] {
  const { perMinute, median } = batch
  const work = batch.counts.waiting + countOf(batch.counts, activeStates)
  const time: RunFigure =
    eta === null
      ? { figure: work === 0 ? '–' : t`Working out`, words: t`the time left` }
      : { figure: timeLeft(eta), words: t`left · ready ${clockTime(Date.now() + eta)}` }
  const rate =
    perMinute === null
      ? []
      : [
          {
            figure: t`${figure(Math.round(perMinute * 10) / 10)} / min`,
            words: median === null ? t`finished` : t`median ${duration(median)}`,
          },
        ]
  return [time, ...rate]
}
