import { plural, t } from '../../shared/language/text.ts'

/** Counts of a batch; what is held, skipped or waiting for other reasons is put under the nearest of these. */
export interface MeterCounts {
  readonly done: number
  readonly active: number
  readonly failed: number
  readonly review: number
  readonly cancelled: number
  readonly waiting: number
}

const parts: readonly (readonly [keyof MeterCounts, string, (count: number) => string])[] = [
  ['done', 'm-done', (count) => plural(count, 'done', 'done')],
  ['active', 'm-act', (count) => plural(count, 'active', 'active')],
  ['failed', 'm-fail', (count) => plural(count, 'failed', 'failed')],
  ['review', 'm-rev', (count) => plural(count, 'needs review', 'need review')],
  ['cancelled', 'm-can', (count) => plural(count, 'cancelled', 'cancelled')],
  ['waiting', '', (count) => plural(count, 'waiting', 'waiting')],
]

/** "118 done, 9 active, 3 failed, 2 need review, 1 cancelled, 79 waiting": the meter in words, without what is 0. */
export function meterLabel(counts: MeterCounts): string {
  const words = parts.filter(([key]) => counts[key] > 0).map(([key, , words]) => words(counts[key]))
  return words.length === 0 ? t`No images` : words.join(', ')
}

/** The batch meter: one picture with one name; each part has a pattern of its own and at least 3 px. */
export function Meter({ counts }: { readonly counts: MeterCounts }) {
  const shown = parts.filter(([key]) => counts[key] > 0)
  return (
    <div className="meter" role="img" aria-label={meterLabel(counts)}>
      {shown.map(([key, className]) => (
        <i key={key} className={className} style={{ flex: `${counts[key]} 1 0` }} />
      ))}
      {shown.length === 0 && <i style={{ flex: 1 }} />}
    </div>
  )
}
