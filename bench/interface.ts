import { handOver, type Row } from './table.ts'

// The rows that need a screen. They are measured in a browser, and have their place here until they are.
const rows: readonly Pick<Row, 'what' | 'goal'>[] = [
  {
    what: 'interface with 100,000 rows while 50 images a second change: frame time p95; work per change',
    goal: '16.7 ms; independent of the number of rows',
  },
  { what: 'start to a usable window with 100,000 images / with an empty data folder', goal: '1.2' },
  { what: 'the page, compressed, before the compare view is opened', goal: '250 kB' },
]

handOver(rows.map((row) => ({ ...row, here: '', rivals: '', floor: '', met: undefined })))
