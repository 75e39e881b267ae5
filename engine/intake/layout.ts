import { splitAddresses, unwrapAddress } from './address.ts'
import { chooseColumns, countCell, formulaAddress, isKnownTitle, nameRank, newColumn } from './columns.ts'
import type { ColumnSample } from './columns.ts'
import { displayText } from './display-text.ts'
import { hasPictureExtension } from './file-kinds.ts'
import type { Line } from './lines.ts'
import { RecordGrouper } from './records.ts'
import type { Delimiter, TableRow } from './records.ts'
import { say } from '../../shared/language/say.ts'

/** How a text list is to be read. */
export type Layout =
  | {
      readonly kind: 'lines'
      /** Lines up to and with this number are a title above the addresses; 0 for none. */
      readonly headerLine: number
    }
  | {
      readonly kind: 'table'
      readonly delimiter: Delimiter
      readonly headerLine: number
      /** The usual number of fields in a row. */
      readonly width: number
      readonly addressColumns: readonly number[]
      readonly nameColumn: number | undefined
      /** Titles of columns that hold addresses as well and are not read. */
      readonly otherTitles: readonly string[]
      readonly addressTitle: string
    }

/**
 * Decides from a file's first lines whether it is a table and where its addresses stand. The content decides; the
 * extension only settles what can be read both ways, since an address may itself hold commas and semicolons.
 */
export function detectLayout(sample: readonly Line[], extension: string): Layout {
  const isTableByName = extension === 'csv' || extension === 'tsv' || extension === 'tab'
  let best: { layout: Layout; score: number } | undefined
  for (const delimiter of ['\t', ';', ',', '|'] as const) {
    const found = asTable(sample, delimiter, isTableByName)
    if (found && (!best || found.score > best.score)) best = found
  }
  if (best) return best.layout
  const first = sample.find((line) => isContent(line.text))
  return { kind: 'lines', headerLine: first && isKnownTitle(unwrapAddress(first.text)) ? first.number : 0 }
}

/** Whether a line is neither empty nor a comment. */
export function isContent(text: string): boolean {
  return /\S/.test(text) && !/^\s*#/.test(text)
}

function asTable(sample: readonly Line[], delimiter: Delimiter, isTableByName: boolean) {
  const rows = sampleRows(sample, delimiter)
  if (rows.length === 0) return undefined
  const width = commonWidth(rows)
  const agreeing = rows.filter((row) => row.fields.length === width).length
  if (width < 2 || agreeing < rows.length * 0.6) return undefined
  const headerAt = findHeader(rows, width)
  const columns = sampleColumns(rows.slice(headerAt + 1), rows[headerAt], width)
  let { chosen, others } = chooseColumns(columns)
  if (chosen.length === 0) {
    // The sample's rows have no address yet; a title says where they would be.
    if (headerAt < 0) return undefined
    chosen = columns
      .map((_, index) => index)
      .filter((index) => /url|image|src|link|bild|foto|photo/i.test(columns[index]!.title))
    chosen = chosen.slice(0, 1)
    others = []
    if (chosen.length === 0) return undefined
  }
  const first = chosen[0]!
  const sure = headerAt >= 0 || delimiter === '\t' || rows.some((row) => row.line.text.startsWith('"'))
  if (!sure && !delimiterIsPlausible(rows, first, isTableByName)) return undefined
  const layout: Layout = {
    kind: 'table',
    delimiter,
    width,
    headerLine: headerAt < 0 ? 0 : rows[headerAt]!.line.number,
    addressColumns: chosen,
    nameColumn: chooseNameColumn(columns, chosen, headerAt >= 0),
    addressTitle: columns[first]!.title,
    otherTitles: others.map((index) => columns[index]!.title || `column ${index + 1}`),
  }
  return { layout, score: (columns[first]!.addresses + 1) * (agreeing / rows.length) }
}

function sampleRows(sample: readonly Line[], delimiter: Delimiter): TableRow[] {
  const grouper = new RecordGrouper(delimiter)
  return [...grouper.push(sample), ...grouper.end()].filter(
    (row) => !row.unclosed && !row.line.tooLong && isContent(row.line.text),
  )
}

function commonWidth(rows: readonly TableRow[]): number {
  const counts = new Map<number, number>()
  for (const row of rows) counts.set(row.fields.length, (counts.get(row.fields.length) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]![0]
}

const holdsAddress = (cell: string) =>
  /^[\s"'<]*(?:https?:\/\/|www\.)/i.test(cell) || formulaAddress(cell) !== undefined

/** The index of the row of titles, -1 for none: of the full rows before the first address, one with known titles. */
function findHeader(rows: readonly TableRow[], width: number): number {
  const found = rows.findIndex((row) => row.fields.some(holdsAddress))
  const firstAddress = found < 0 ? rows.length : found
  for (let index = 0; index < Math.min(firstAddress, 20); index++) {
    const fields = rows[index]!.fields
    if (fields.length === width && fields.some(isKnownTitle)) return index
  }
  const before = rows[firstAddress - 1]
  if (firstAddress !== 1 || !before || before.fields.length !== width) return -1
  const isTitle = (cell: string) => /^\s*[\p{L}][\p{L}\p{N} _.\-#:()]{0,63}$/u.test(cell)
  return before.fields.every(isTitle) && !before.fields.some(hasPictureExtension) ? 0 : -1
}

function sampleColumns(
  rows: readonly TableRow[],
  header: TableRow | undefined,
  width: number,
): ColumnSample[] {
  const columns = Array.from({ length: width }, (_, index) => newColumn(header?.fields[index]?.trim() ?? ''))
  for (const row of rows) {
    for (const [index, cell] of row.fields.entries()) {
      const column = columns[index]
      if (column) countCell(column, cell)
    }
  }
  return columns
}

/** Without a title row the delimiter may be part of the addresses ("…/w_300,h_300/ring.jpg"). */
function delimiterIsPlausible(rows: readonly TableRow[], column: number, isTableByName: boolean): boolean {
  let split = 0
  let whole = 0
  let addresses = 0
  for (const row of rows) {
    const cell = row.fields[column] ?? ''
    if (!holdsAddress(cell)) continue
    addresses++
    const bare = unwrapAddress(cell)
    if (/[.](?:\w{2,5})$/.test(bare) && hasPictureExtension(bare)) split++
    if (splitAddresses(row.line.text).length > 1) whole++
    else if (column === 0 && hasPictureExtension(row.line.text.trim())) whole++
  }
  if (split >= addresses * 0.6 && addresses > 0) return true
  return isTableByName ? whole < addresses * 0.6 : column > 0
}

function chooseNameColumn(columns: readonly ColumnSample[], taken: readonly number[], titled: boolean) {
  if (!titled) return columns.length === 2 && taken.length === 1 ? 1 - taken[0]! : undefined
  let best: number | undefined
  let bestRank = Infinity
  for (const [index, column] of columns.entries()) {
    const rank = nameRank(column.title)
    if (rank === undefined || taken.includes(index) || column.addresses > 0 || rank >= bestRank) continue
    best = index
    bestRank = rank
  }
  return best
}

/** The sentence on address columns that were not read, where there are any. */
export function otherColumnsNote(file: string, read: string, others: readonly string[]): string | undefined {
  if (others.length === 0) return undefined
  const quoted = (title: string) => `“${displayText(title, 40)}”`
  const list = others.slice(0, 5).map(quoted).join(', ')
  const from = quoted(read || 'column 1')
  return others.length === 1
    ? say`${file}: the addresses were taken from ${from}; ${list} also holds addresses and was not read.`
    : say`${file}: the addresses were taken from ${from}; ${list} also hold addresses and were not read.`
}
