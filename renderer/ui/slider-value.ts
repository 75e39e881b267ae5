import { clamp, tidy, type NumberRange } from './number-entry.ts'

/** Where a value lies on its track, from 0 to 1. */
export function fractionOf(value: number, { min, max }: Pick<NumberRange, 'min' | 'max'>): number {
  return max === min ? 0 : (clamp(value, { min, max }) - min) / (max - min)
}

/** How far around the detent a drag still lands on it, in steps: more than half a step, so that it holds; less than one. */
const hold = 0.8

/** Where a drag to `raw` lands: on the grid of steps from 0, in the range, and softly held at `detent`. */
export function dragged(raw: number, range: NumberRange, detent?: number): number {
  if (detent !== undefined && Math.abs(raw - detent) <= hold * range.step) return detent
  return clamp(tidy(Math.round(raw / range.step) * range.step), range)
}
