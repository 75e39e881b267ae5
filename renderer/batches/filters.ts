import type { CountsRecord, ImageQuery } from '../../shared/contract/records.ts'
import type { ImageState } from '../../shared/states.ts'
import { t } from '../../shared/language/text.ts'

/** The four in-flight states share one chip; `running` covers what is in queue and what is processed. */
export const activeStates: readonly ImageState[] = ['submitting', 'running', 'downloading']

export interface FilterChip {
  readonly id: string
  readonly label: string
  /** What is said where it has no images. */
  readonly none: string
  /** Empty for all. */
  readonly states: readonly ImageState[]
  readonly count: number
}

const chips: readonly Omit<FilterChip, 'count'>[] = [
  { id: 'all', label: t`All`, none: t`No images in this batch`, states: [] },
  { id: 'waiting', label: t`Waiting`, none: t`No waiting images.`, states: ['waiting'] },
  { id: 'held', label: t`Held`, none: t`No held images.`, states: ['held'] },
  { id: 'active', label: t`Active`, none: t`No active images.`, states: activeStates },
  { id: 'done', label: t`Done`, none: t`No done images.`, states: ['delivered'] },
  { id: 'failed', label: t`Failed`, none: t`No failed images.`, states: ['failed'] },
  { id: 'review', label: t`Needs review`, none: t`No image needs review.`, states: ['review'] },
  { id: 'cancelled', label: t`Cancelled`, none: t`No cancelled images.`, states: ['cancelled'] },
  { id: 'skipped', label: t`Skipped`, none: t`No skipped images.`, states: ['skipped'] },
]

export function countOf(counts: CountsRecord, states: readonly ImageState[]): number {
  return states.reduce((sum, state) => sum + counts[state], 0)
}

function totalOf(counts: CountsRecord): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** The chips of a batch: those with nothing in them are left out, except All and Waiting. */
export function chipsOf(counts: CountsRecord): readonly FilterChip[] {
  return chips
    .map((chip) => ({
      ...chip,
      count: chip.states.length === 0 ? totalOf(counts) : countOf(counts, chip.states),
    }))
    .filter((chip) => chip.count > 0 || chip.id === 'all' || chip.id === 'waiting')
}

/** Whether the filter is the one of a chip (a choice among the active states belongs to Active). */
export function isChipOn(chip: FilterChip, states: readonly ImageState[]): boolean {
  if (chip.states.length === 0 || states.length === 0) return chip.states.length === states.length
  return states.every((state) => chip.states.includes(state))
}

/** Orders of the pictures, with their names. */
export const sortNames: readonly (readonly [NonNullable<ImageQuery['sort']>, string])[] = [
  ['queue', t`Queue order`],
  ['title', t`Name`],
  ['state', t`State`],
  ['credits', t`Credits`],
  ['time', t`Time`],
]
