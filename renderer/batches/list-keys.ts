/** Where the keyboard is in a list, and how it is laid out. */
export interface ListPlace {
  /** -1 where it is nowhere yet. */
  readonly index: number
  readonly total: number
  /** 1 in a table. */
  readonly columns: number
  /** Rows that fit in the view. */
  readonly rowsInView: number
}

/** The row that a key leads to; undefined for keys that do not move. Moving up from the first row stays there. */
export function keyIndex(key: string, { index, total, columns, rowsInView }: ListPlace): number | undefined {
  if (total === 0) return undefined
  const from = Math.max(0, index)
  const page = Math.max(1, rowsInView - 1) * columns
  const within = (next: number) => Math.min(total - 1, Math.max(0, next))
  // In a column there is nothing below the last row, even where it is not full.
  const vertical = (by: number) => (from + by < 0 || from + by >= total ? lastInColumn(from, by) : from + by)
  const lastInColumn = (at: number, by: number) => {
    if (by < 0) return at % columns
    const rows = Math.floor((total - 1 - (at % columns)) / columns)
    return (at % columns) + rows * columns
  }
  switch (key) {
    case 'ArrowLeft':
      return columns === 1 ? undefined : within(from - 1)
    case 'ArrowRight':
      return columns === 1 ? undefined : within(index < 0 ? 0 : from + 1)
    case 'ArrowUp':
      return vertical(-columns)
    case 'ArrowDown':
      return index < 0 ? 0 : vertical(columns)
    case 'PageUp':
      return vertical(-page)
    case 'PageDown':
      return vertical(page)
    case 'Home':
      return 0
    case 'End':
      return total - 1
    default:
      return undefined
  }
}
