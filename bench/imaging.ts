import { measurePiece, piecesOf } from '../practice-service/imaging/testing/measure.ts'

/**
 * Prints how well matte, framing and de-banding do on the sample shoot (or `PICTURES TRUTH`, folders of other rendered
 * pieces), against exact mattes and clean pictures. Run with `node bench/imaging.ts`.
 *
 * `band` and `after` are the RMS difference from the clean picture on the whole item, before and after de-banding, in
 * levels of lightly smoothed luma; `noise` is what of it JPEG alone makes (the clean picture saved like the shoot). A
 * piece has banding where `band` is more than twice `noise`; the mean ratio at the end is over those pieces.
 */
const columns = [
  'IoU',
  'box px',
  'box %',
  'frame %',
  'sure',
  'band',
  'noise',
  'after',
  'ratio',
  'banded',
  'retouched',
  'clean',
  'steps',
  'edges',
  'matte ms',
  'deband ms',
]
const [pictures, truth] = process.argv.slice(2)
const pieces = pictures && truth ? piecesOf(pictures, truth) : piecesOf()
const rows: number[][] = []
/** After over before, of the pieces that have banding (more than twice the JPEG noise). */
const ratios: number[] = []
process.stdout.write(`${'piece'.padEnd(30)}${columns.map((column) => column.padStart(10)).join('')}\n`)

/** Digits behind the point, per column. */
function digits(column: number): number {
  if (column === 0) return 4
  if (column === 1 || column > 13) return 0
  return column === 13 ? 3 : 2
}

function line(name: string, row: readonly number[]): void {
  const cells = row.map((value, i) => value.toFixed(digits(i)).padStart(10))
  process.stdout.write(`${name.padEnd(30)}${cells.join('')}\n`)
}

for (const piece of pieces) {
  const m = await measurePiece(piece)
  const ratio = m.bandingAfter / m.bandingBefore
  const shares = [100 * m.boxShare, 100 * m.frameShare]
  const banding = [
    m.bandingBefore,
    m.noise,
    m.bandingAfter,
    ratio,
    m.banded,
    m.retouched,
    m.cleanChange,
    m.steps,
    m.edges,
  ]
  const row = [m.iou, m.boxError, ...shares, m.confidence, ...banding, m.matteMs, m.debandMs]
  rows.push(row)
  if (m.hasBanding) ratios.push(ratio)
  line(piece.name, row)
}
const columnsOfValues = columns.map((_, i) => rows.map((row) => row[i]!))
line(
  'mean',
  columnsOfValues.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length),
)
line(
  'lowest',
  columnsOfValues.map((values) => Math.min(...values)),
)
line(
  'highest',
  columnsOfValues.map((values) => Math.max(...values)),
)
const mean = ratios.reduce((sum, value) => sum + value, 0) / ratios.length
process.stdout.write(`mean ratio of the ${ratios.length} pieces that have banding: ${mean.toFixed(3)}\n`)
