import type { ImageState } from '../../shared/states.ts'
import type { Batch } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { ReportImage } from './batch-report.ts'
import { t } from '../../shared/language/text.ts'

/** What a contact sheet says in words, the same on a page and on paper. Nothing is escaped yet. */

/** More than this, and no program opens the sheet with pleasure. */
export const mostPictures = 3000

const stateWords: Readonly<Record<ImageState, string>> = {
  held: 'Held',
  waiting: 'Waiting',
  submitting: 'Submitting',
  running: 'Processing',
  downloading: 'Downloading',
  delivered: 'Done',
  skipped: t`Already done`,
  failed: 'Failed',
  review: t`Needs review`,
  cancelled: 'Cancelled',
}

/** The line below a sheet's title. @param now milliseconds since the epoch */
export function batchFacts(store: Store, batch: Batch, now: number): string[] {
  const counts = store.batches.counts(batch.seq)
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0)
  return [
    counted(total, 'image'),
    t`${counts.delivered + counts.skipped} done`,
    ...(counts.failed > 0 ? [t`${counts.failed} failed`] : []),
    ...(counts.review > 0 ? [t`${counts.review} need review`] : []),
    t`${counted(batch.charged, 'credit')} charged`,
    `batch ${batch.id}`,
    new Date(now).toISOString().slice(0, 10),
  ]
}

export function nameLine({ folder, title }: ReportImage): string {
  return folder === '' ? title : `${folder}/${title}`
}

/** How it ended, its mark, and what it cost. */
export function outcomeLine({ state, mark, credits }: ReportImage): string {
  return joined([stateWords[state], mark, credits === null ? '' : counted(credits, 'credit')])
}

export function settingsLine({ preset, app, settings }: ReportImage): string {
  return joined([preset, app, ...settings])
}

const joined = (words: readonly string[]) => words.filter((word) => word !== '').join(' · ')
const counted = (n: number, what: string) => (n === 1 ? `1 ${what}` : t`${n} ${what}s`)
