import type { ComparedRecord } from '../../shared/contract/compare-records.ts'
import type { ImageWindow } from '../app/image-window.ts'
import type { Mode, Picture } from './arrangement.ts'

/** What several presets made of one picture, side by side. Pure. */

/** Panes beside each other at the most; of more presets those around the chosen one are shown. */
const mostPanes = 4
/** Rows that are looked at on the way to the next picture; a batch has eight presets at the most. */
const mostRows = 16

export type Made = NonNullable<Picture['made']>

/** The image of the preset that a person has chosen among those of one picture; the first one where it has none of it. */
export function chosenOf(record: ComparedRecord | undefined, preset: string | undefined): Made | undefined {
  const all = (record?.pictures ?? []).flatMap(({ made }) => made ?? [])
  return all.find((made) => made.preset === preset) ?? all[0]
}

/** The preset beside the chosen one, round and round. */
export function presetBeside(
  record: ComparedRecord,
  preset: string | undefined,
  by: 1 | -1,
): Made | undefined {
  const all = record.pictures.flatMap(({ made }) => made ?? [])
  const at = all.findIndex(({ image }) => image === chosenOf(record, preset)?.image)
  return all[(at + by + all.length) % all.length]
}

/** Those that stand in the panes: a few around the chosen one, and of two that are laid on each other it is the first. */
export function inPanes(
  shown: readonly Picture[],
  mode: Mode,
  preset: string | undefined,
): readonly Picture[] {
  const made = shown.filter((picture) => picture.made !== undefined)
  if (made.length < 2) return shown
  const at = Math.max(
    0,
    made.findIndex((picture) => picture.made?.preset === preset),
  )
  if (mode !== 'side') return [made[at]!, made[(at + 1) % made.length]!]
  const from = Math.max(0, Math.min(at - 1, made.length - mostPanes))
  const others = shown.filter((picture) => picture.made === undefined)
  return [...made.slice(from, from + mostPanes), ...others]
}

/** Where the next picture begins (1), or the one before ends (-1): rows of the same picture are passed over. */
export function pictureBeside(window: Pick<ImageWindow, 'rowAt'>, index: number, by: 1 | -1): number {
  const here = window.rowAt(index)?.picture ?? null
  for (let rows = 1; rows <= mostRows; rows += 1) {
    const next = index + rows * by
    const picture = window.rowAt(next)?.picture ?? null
    if (picture === null || picture !== here) return next
  }
  return index + by
}
