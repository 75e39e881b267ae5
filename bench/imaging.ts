import { measurePiece, piecesOf } from '../practice-service/imaging/testing/measure.ts'

/**
 * Prints how well matte, framing and de-banding do on the sample shoot (or `PICTURES TRUTH`, folders of other rendered
 * pieces), against exact mattes and clean pictures. Run with `node bench/imaging.ts`.
 */
const columns = [
  'IoU',
  'box px',
  'box %',
  'frame %',
  'sure',
  'band',
  'after',
  'ratio',
  'steps',
  'edges',
  'matte ms',
  'deband ms',
]
const [pictures, truth] = process.argv.slice(2)
const pieces = pictures && truth ? piecesOf(pictures, truth) : piecesOf()
const rows: number[][] = []
process.stdout.write(`${'piece'.padEnd(30)}${columns.map((column) => column.padStart(10)).join('')}\n`)

function line(name: string, row: readonly number[]): void {
  const cells = row.map((value, i) =>
    value.toFixed(i === 0 ? 4 : i === 1 || i > 9 ? 0 : i === 9 ? 3 : 2).padStart(10),
  )
  process.stdout.write(`${name.padEnd(30)}${cells.join('')}\n`)
}

for (const piece of pieces) {
  const m = await measurePiece(piece)
  const ratio = m.bandingAfter / m.bandingBefore
  const shares = [100 * m.boxShare, 100 * m.frameShare]
  const banding = [m.bandingBefore, m.bandingAfter, ratio, m.steps, m.edges]
  const row = [m.iou, m.boxError, ...shares, m.confidence, ...banding, m.matteMs, m.debandMs]
  rows.push(row)
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
