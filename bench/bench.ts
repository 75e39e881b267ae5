import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { markdown, type Row } from './table.ts'

/**
 * `npm run bench`: this program beside what a user would otherwise do, on the same work in the same run, as one table.
 * Each section is a process of its own, so that none has another's memory; `npm run bench -- store queue` takes
 * some of them, `-- --out FILE` writes the table to a file too. docs/performance.md says how each row is measured.
 */
const sections = {
  queue: 'queue-rows.ts',
  sockets: 'socket-check.ts',
  downloads: 'download-rows.ts',
  store: 'store-rows.ts',
  practice: 'practice-rows.ts',
  interface: 'interface.ts',
}

async function rowsOf(name: keyof typeof sections): Promise<Row[]> {
  const program = fileURLToPath(new URL(sections[name], import.meta.url))
  const from = performance.now()
  process.stderr.write(`${name}\n`)
  const section = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const chunks: Buffer[] = []
  section.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [code] = (await once(section, 'close')) as [number | null]
  process.stderr.write(`  ${((performance.now() - from) / 1000).toFixed(0)} s\n`)
  if (code !== 0) throw new Error(`The section "${name}" ended with status ${code}.`)
  return JSON.parse(Buffer.concat(chunks).toString().trim().split('\n').at(-1)!) as Row[]
}

const words = process.argv.slice(2)
const at = words.indexOf('--out')
const out = at === -1 ? undefined : words.splice(at, 2)[1]
const unknown = words.filter((word) => !(word in sections))
if (unknown.length > 0 || (at !== -1 && out === undefined)) {
  process.stderr.write(`Sections are ${Object.keys(sections).join(', ')}; --out takes a file.\n`)
  process.exit(2)
}
const rows: Row[] = []
const failed: string[] = []
for (const name of Object.keys(sections) as (keyof typeof sections)[]) {
  if (words.length > 0 && !words.includes(name)) continue
  try {
    rows.push(...(await rowsOf(name)))
  } catch (error) {
    failed.push(name)
    process.stderr.write(`${(error as Error).message}\n`)
  }
}
const table = `${markdown(rows)}\n\nNode ${process.version}, ${availableParallelism()} cores.\n`
process.stdout.write(table)
if (out !== undefined) await writeFile(out, table)
process.exitCode = failed.length > 0 ? 1 : 0
