/** One line of the table that `npm run bench` prints. */
export interface Row {
  readonly what: string
  readonly goal: string
  /** As measured, in words. */
  readonly here: string
  /** What a user would otherwise do, on the same work in the same run. */
  readonly rivals: string
  /** What nothing can beat: round trips, the ideal order, the disk's own flush. */
  readonly floor: string
  /** Undefined where it was not measured. */
  readonly met: boolean | undefined
}

const columns = ['what', 'goal', 'this program', 'rivals', 'floor', 'met'] as const

/** The rows as a table in Markdown, as it stands in `docs/performance.md`. */
export function markdown(rows: readonly Row[]): string {
  const lines = rows.map((row) => [row.what, row.goal, row.here, row.rivals, row.floor, wordOf(row.met)])
  return [columns, columns.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function wordOf(met: boolean | undefined): string {
  if (met === undefined) return 'not measured'
  return met ? 'yes' : '**no**'
}

/** What a section hands to the program that started it: the last line that it prints. */
export function handOver(rows: readonly Row[]) {
  process.stdout.write(`${JSON.stringify(rows)}\n`)
}

export function fixed(value: number, digits = 2): string {
  return value.toFixed(digits)
}

/** Several figures in one cell. */
export function joined(values: readonly number[], digits = 2): string {
  return values.map((value) => fixed(value, digits)).join(', ')
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!
}
