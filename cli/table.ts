import { plainText } from '../shared/plain-text.ts'

/** Rows as text in columns; every cell is made fit for a terminal. Numbers are set to the right. */
export function table(titles: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const cells = [titles, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' ? String(cell) : plainText(cell, 80))),
  )
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  const toRight = titles.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'),
  )
  return cells.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column]!
        return toRight[column] ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd(),
  )
}

/** `1 image`, `1,234 images`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`
}
