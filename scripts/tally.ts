/** How many checks or tests ended in which way. */
export type Tally = {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The sum of two tallies. */
export function sum(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

/** The last line of the test command: `12 passed, 0 failed`, with the skipped ones only where there are any. */
export function closingLine(tally: Tally): string {
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : ''
  return `${tally.passed} passed, ${tally.failed} failed${skipped}`
}
