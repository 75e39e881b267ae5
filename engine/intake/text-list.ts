import { looksLikeAddress, splitAddresses, trimSpace, unwrapAddress } from './address.ts'
import type { ListReading } from './collector.ts'
import { formulaAddress } from './columns.ts'
import { detectLayout, isContent, otherColumnsNote } from './layout.ts'
import type { Layout } from './layout.ts'
import type { Line } from './lines.ts'
import { MAX_LINE } from './lines.ts'
import { RecordGrouper } from './records.ts'
import type { TableRow } from './records.ts'
import { say } from '../../shared/language/say.ts'

const tooLong = say`The line is longer than ${(MAX_LINE / 1024).toFixed(0)} KiB; a line holds one address.`

/** Reads a list with an address a line, or a table with a column of addresses. `sample`: the file's first lines. */
export async function readTextList(
  lines: AsyncIterable<Line[]>,
  sample: readonly Line[],
  extension: string,
  into: ListReading,
): Promise<void> {
  const layout = detectLayout(sample, extension)
  if (layout.kind === 'lines') {
    for await (const batch of lines) {
      if (into.stopped) return
      for (const line of batch) if (line.number > layout.headerLine) readLine(line, into)
      into.collector.progress(into.file)
    }
    return
  }
  into.note(otherColumnsNote(into.file, layout.addressTitle, layout.otherTitles))
  const grouper = new RecordGrouper(layout.delimiter)
  for await (const batch of lines) {
    if (into.stopped) return
    for (const row of grouper.push(batch)) readRow(row, layout, into)
    into.collector.progress(into.file)
  }
  for (const row of grouper.end()) readRow(row, layout, into)
}

function readRow(row: TableRow, layout: Layout & { kind: 'table' }, into: ListReading): void {
  const { line, fields } = row
  if (line.number <= layout.headerLine || !isContent(line.text)) return
  if (line.tooLong) {
    into.bad(line.number, line.text, tooLong)
    return
  }
  if (row.unclosed) {
    into.bad(
      line.number,
      line.text,
      say`A quote is opened in this line and never closed; close it or double it.`,
    )
    return
  }
  if (fields.every((field) => field.trim() === '')) return
  const name = layout.nameColumn === undefined ? undefined : fields[layout.nameColumn]
  const found: string[] = []
  for (const column of layout.addressColumns) {
    const cell = fields[column] ?? ''
    if (trimSpace(cell) !== '') found.push(...addressesOf(formulaAddress(cell) ?? cell))
  }
  if (found.length === 0 && fields.length !== layout.width && layout.otherTitles.length === 0) {
    // A row that is wider or narrower than the others may have its address elsewhere; where another column holds
    // addresses of something else, such as product pages, guessing could cost money.
    const elsewhere = fields.filter(looksLikeAddress)
    if (elsewhere.length === 1 && elsewhere[0]) found.push(...addressesOf(elsewhere[0]))
  }
  if (found.length === 0) {
    into.bad(line.number, line.text, say`There is no address in this row.`, { attempt: false })
    return
  }
  takeEach(found, name, line, into)
}

/** A table's cell: quotes were taken off by the table already, so that only a wrapped address is unwrapped. */
function addressesOf(cell: string): string[] {
  const bare = trimSpace(cell)
  return splitAddresses(/^["'<“«]/.test(bare) ? unwrapAddress(bare) : bare)
}

/** One line of a list without columns. */
function readLine(line: Line, into: ListReading): void {
  if (line.tooLong) {
    into.bad(line.number, line.text, tooLong)
    return
  }
  const text = trimSpace(line.text)
  if (text === '' || text.startsWith('#')) return
  const item = text.replace(/^(?:[-*•–]|\d{1,6}[.)])\s+(?=["'<]?https?:\/\/)/i, '')
  const several = splitAddresses(unwrapAddress(item))
  if (several.length > 1) {
    takeEach(several.map(unwrapAddress), undefined, line, into)
    return
  }
  const { address, name } = addressAndName(item)
  into.take(formulaAddress(address) ?? unwrapAddress(address), { line: line.number, name, text: line.text })
}

/**
 * "address, name", "address TAB name" and "address # comment": behind white space an address is over. Any other
 * words behind one are left where they are, so that the line is found to be a bad one.
 */
function addressAndName(item: string): { address: string; name?: string } {
  if (!looksLikeAddress(item)) return { address: item }
  const tab = item.indexOf('\t')
  if (tab > 0)
    return { address: item.slice(0, tab), name: unwrapAddress(item.slice(tab + 1).split('\t')[0] ?? '') }
  const closer = { '"': '"', "'": "'", '<': '>' }[item[0]!]
  const closed = closer === undefined ? 0 : item.indexOf(closer, 1) + 1
  const end = item.slice(closed).search(/\s/)
  if (end < 0) return { address: item }
  const address = item.slice(0, closed + end)
  const rest = item.slice(closed + end).trim()
  if (rest.startsWith('#')) return { address }
  if (/[,;]$/.test(address.slice(-1))) return { address, name: unwrapAddress(rest) }
  return /^[,;]\s/.test(rest) ? { address, name: unwrapAddress(rest.slice(1)) } : { address: item }
}

/** Several pictures of one article share its name, numbered from the second on. */
function takeEach(
  addresses: readonly string[],
  name: string | undefined,
  line: Line,
  into: ListReading,
): void {
  const bare = name?.trim()
  for (const [index, address] of addresses.entries()) {
    into.take(address, {
      line: line.number,
      name: bare && index > 0 ? `${bare}-${index + 1}` : bare,
      text: addresses.length > 1 ? address : line.text,
    })
  }
}
