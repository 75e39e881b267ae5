import Papa from 'papaparse'
import type { Batch } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { reportImages, type ReportImage, type ReportSetting } from './batch-report.ts'

/** A cell that a spreadsheet would take for a formula begins with one of these, also behind white space. */
const formula = /^[\s]*[=+\-@]|^[\t\r\n]/

/**
 * Rows as CSV (RFC 4180, lines end with CR LF). What would be a formula in a spreadsheet gets an apostrophe in front: names
 * and addresses are other people's words (docs/reliability.md, T22).
 */
export function csvRows(rows: readonly (readonly (string | number | null)[])[]): string {
  if (rows.length === 0) return ''
  return `${Papa.unparse(rows as unknown[][], { newline: '\r\n', escapeFormulae: formula })}\r\n`
}

// Heads, states, marks and settings are English whatever language is spoken: a table is read by scripts as well.
const titles = [
  'image',
  'title',
  'folder',
  'source',
  'state',
  'mark',
  'preset',
  'app',
  'settings',
  'run',
  'credits',
  'seconds',
  'outputs',
  'error',
]

/** A batch as CSV, a row an image. It begins with a byte order mark, without which spreadsheets misread accents. */
export async function* batchCsv(store: Store, batch: Batch): AsyncGenerator<string> {
  yield `\uFEFF${csvRows([titles])}`
  for await (const images of reportImages(store, batch)) yield csvRows(images.map(rowOf))
}

const markWords: Readonly<Record<string, string>> = {
  'keep-1': 'Keep 1',
  'keep-2': 'Keep 2',
  reject: 'Reject',
}

/** "Background solid". */
function settingWords({ title, value }: ReportSetting): string {
  return `${title} ${value === true ? 'on' : value === false ? 'off' : value}`
}

function rowOf(image: ReportImage) {
  return [
    image.position,
    image.title,
    image.folder,
    image.source,
    image.state,
    markWords[image.mark ?? ''] ?? '',
    image.preset,
    image.app,
    image.settings.map(settingWords).join('; '),
    image.runId,
    image.credits,
    image.seconds,
    image.outputs.map(({ path }) => path).join('; '),
    image.error,
  ]
}
