import Papa from 'papaparse'

import type { Line } from './lines.ts'
import { MAX_LINE } from './lines.ts'

export type Delimiter = '\t' | ';' | ',' | '|'

/** One row of a delimited file; it may have gone over several lines. */
export interface TableRow {
  readonly line: Line
  readonly fields: readonly string[]
  /** A quote was opened in this line and not closed within reason: the line is a bad one. */
  readonly unclosed: boolean
}

/** More lines than that are no longer one cell's text but a quote that nobody closed. */
const MAX_LINES_OF_RECORD = 200

/**
 * Puts lines together to the rows of a delimited file. The fields of a row with quotes are parsed by the CSV
 * library; finding a row's end is done here, because lines must keep their numbers, a forgotten quote must not
 * swallow the rest of the file, and memory must stay bounded.
 */
export class RecordGrouper {
  readonly #delimiter: Delimiter
  #open: Line[] = []
  #size = 0

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter
  }

  /** The rows that these lines complete. */
  push(lines: readonly Line[]): TableRow[] {
    const rows: TableRow[] = []
    for (const line of lines) this.#add(line, rows)
    return rows
  }

  /** The rows that are left at the end of the file. */
  end(): TableRow[] {
    const rows: TableRow[] = []
    while (this.#open.length > 0) this.#giveUp(rows)
    return rows
  }

  #add(line: Line, rows: TableRow[]): void {
    const wasOpen = this.#open.length > 0
    // A line that is too long to read ends whatever was open.
    if (line.tooLong) {
      rows.push(...this.end(), { line, fields: [line.text], unclosed: false })
      return
    }
    const open = endsOpen(line.text, this.#delimiter, wasOpen)
    if (!wasOpen && !open) {
      rows.push(this.#row([line]))
      return
    }
    this.#open.push(line)
    this.#size += line.text.length + 1
    if (!open) {
      rows.push(this.#row(this.#open))
      this.#open = []
      this.#size = 0
    } else if (this.#open.length > MAX_LINES_OF_RECORD || this.#size > MAX_LINE) this.#giveUp(rows)
  }

  /** Reports the line that opened the quote and reads what followed afresh. */
  #giveUp(rows: TableRow[]): void {
    const [first, ...rest] = this.#open
    this.#open = []
    this.#size = 0
    if (first) rows.push({ line: first, fields: [first.text], unclosed: true })
    for (const line of rest) this.#add(line, rows)
  }

  #row(lines: readonly Line[]): TableRow {
    const first = lines[0]!
    const text = lines.length === 1 ? first.text : lines.map((line) => line.text).join('\n')
    const line = lines.length === 1 ? first : { ...first, text }
    return { line, fields: splitFields(text, this.#delimiter), unclosed: false }
  }
}

/** The fields of one row. */
function splitFields(text: string, delimiter: Delimiter): readonly string[] {
  if (!text.includes('"')) return text.split(delimiter)
  return Papa.parse<string[]>(text, { delimiter, newline: '\n' }).data[0] ?? []
}

/** Whether a quoted field is still open behind this line. A quote counts only where a field begins. */
function endsOpen(text: string, delimiter: Delimiter, wasOpen: boolean): boolean {
  if (!text.includes('"')) return wasOpen
  let open = wasOpen
  let at = 0
  for (;;) {
    const quote = open ? text.indexOf('"', at) : -1
    if (open && quote < 0) return true
    if (open && text[quote + 1] === '"') at = quote + 2
    else if (!open && text[at] === '"') {
      open = true
      at++
    } else {
      const next = text.indexOf(delimiter, open ? quote + 1 : at)
      if (next < 0) return false
      open = false
      at = next + 1
    }
  }
}
