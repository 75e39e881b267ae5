/** The beginning of the local calendar day of a moment; both in milliseconds since the epoch. */
export function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0)
}
