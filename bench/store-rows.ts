import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Conf from 'conf'
import { Store } from '../engine/store/store.ts'
import { fixed, handOver, median, quantile, type Row } from './table.ts'

// The store's rows, against a store of one JSON file (`conf`, the core of electron-store), each in turns with ours.
const images = 100_000
const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'))
const file = join(folder, 'queue.db')
const now = () => performance.now()

function say(text: string) {
  process.stderr.write(`  ${text}\n`)
}

/** A list of addresses is read, checked and put into the queue by a process of its own, as `vitrine run` does. */
async function intake(): Promise<Row> {
  const list = join(folder, 'shoot.txt')
  const addresses = Array.from({ length: images }, (_, n) => `https://pictures.example/shoot/${n}.jpg`)
  await writeFile(list, addresses.join('\n'))
  const program = fileURLToPath(new URL('intake.ts', import.meta.url))
  const taker = await promisify(execFile)(process.execPath, [program, file, list])
  const [count, seconds = NaN, memory = NaN] = taker.stdout.split(' ').map(Number)
  if (count !== images) throw new Error(`${count} images are there.`)
  say('intake')
  return {
    what: '100,000 images: intake to ready; memory of the process',
    goal: '10 s; 300 MB',
    here: `${fixed(seconds)} s; ${fixed(memory, 0)} MB at the most`,
    rivals: '',
    floor: '',
    met: seconds <= 10 && memory <= 300,
  }
}

interface JsonStore {
  readonly jobs: Record<string, { state: string; source: string; runId: string | null; changed: number }>
}

/** Changes of state one at a time, flushed each, ours and the JSON store's in turns. */
async function changes(): Promise<Row[]> {
  const store = new Store(file)
  const jobs = Object.fromEntries(
    Array.from({ length: images }, (_, n) => [
      `i${n}`,
      { state: 'waiting', source: `https://pictures.example/shoot/${n}.jpg`, runId: null, changed: 0 },
    ]),
  )
  const conf = new Conf<JsonStore>({ cwd: folder, configName: 'jobs', defaults: { jobs: {} } })
  conf.store = { jobs }
  const ours: number[] = []
  const theirs: number[] = []
  const rounds = 5
  const each = 400
  for (let round = 0; round < rounds; round += 1) {
    for (let n = 0; n < each; n += 1) {
      const id = round * each + n + 1
      const from = now()
      store.images.move(id, 'waiting', 'submitting')
      ours.push(now() - from)
    }
    const from = now()
    conf.set(`jobs.i${round * 1000}.state`, 'submitting')
    theirs.push(now() - from)
  }
  say('changes')
  const { size } = await stat(join(folder, 'jobs.json'))
  const ratio = median(theirs) / median(ours)
  const row = {
    what: 'one state change at 100,000 images, flushed, against a JSON store',
    goal: '5,000 times faster',
    here: `${fixed(ratio, 0)} times: ${fixed(1000 * median(ours), 0)} µs (p95 ${fixed(1000 * quantile(ours, 0.95), 0)} µs)`,
    rivals: `conf: ${fixed(median(theirs), 0)} ms, ${fixed(size / 1e6, 0)} MB a change`,
    floor: 'one flush',
    met: ratio >= 5000,
  }
  const rows = [row, pagesOf(store, conf)]
  store.close()
  return rows
}

function pagesOf(store: Store, conf: Conf<JsonStore>): Row {
  const pages: number[] = []
  const counts: number[] = []
  for (let n = 0; n < 500; n += 1) {
    const from = now()
    const rows = store.lists.window(1, (n * 7919) % (images - 200), 200)
    pages.push(now() - from)
    if (rows.length !== 200) throw new Error('A page is short.')
    const counted = now()
    store.batches.counts(1)
    counts.push(now() - counted)
  }
  const jsonPages: number[] = []
  for (let n = 0; n < 3; n += 1) {
    const from = now()
    Object.values(conf.get('jobs')).slice(n * 200, n * 200 + 200)
    jsonPages.push(now() - from)
  }
  return {
    what: 'page of 200 rows anywhere; counts by state',
    goal: '1 ms; 0.1 ms',
    here: `${fixed(median(pages))} ms; ${fixed(median(counts), 4)} ms`,
    rivals: `conf: ${fixed(median(jsonPages), 0)} ms`,
    floor: '',
    met: median(pages) <= 1 && median(counts) <= 0.1,
  }
}

/** A process that changes states without end is killed; another opens what it left. */
async function restart(): Promise<Row> {
  const program = fileURLToPath(new URL('first-screen.ts', import.meta.url))
  const times: number[] = []
  const engine: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const writer = spawn(process.execPath, [program, 'write', file], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(writer.stdout, 'data')
    writer.kill('SIGKILL')
    await once(writer, 'exit')
    const from = now()
    const reader = spawn(process.execPath, [program, 'read', file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = (await once(reader.stdout, 'data')) as [Buffer]
    times.push(now() - from)
    await once(reader, 'exit')
    const [rows, taken = NaN] = said.toString().split(' ').map(Number)
    if (rows !== 200) throw new Error('The first screen is short.')
    engine.push(taken)
  }
  const bare: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const from = now()
    await once(spawn(process.execPath, ['-e', '']), 'exit')
    bare.push(now() - from)
  }
  say('restart')
  return {
    what: 'restart of a killed store of 100,000 until the data of the first screen is there',
    goal: '250 ms of the engine',
    here: `${fixed(median(engine), 0)} ms (${fixed(median(times), 0)} ms with the start of the process and the loading of the code)`,
    rivals: '',
    floor: `${fixed(median(bare), 0)} ms: a process that does nothing`,
    met: median(engine) <= 250,
  }
}

try {
  const first = await intake()
  handOver([...(await changes()), await restart(), first])
} finally {
  await rm(folder, { recursive: true, force: true })
}
