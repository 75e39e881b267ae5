import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { seeded } from '../engine/queue/testing/random.ts'
import { fixed, handOver, median, type Row } from './table.ts'

// Downloads, against curl on the same host of the same speed, in turns; and what they take in memory.
const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'))
const picture = join(folder, 'picture.jpg')
const atATime = 8
const rounds = 3
const files = 40

/** About 8 MB, as the service's results are. */
async function makePicture(width: number, quality: number) {
  const random = seeded(1)
  const pixels = Buffer.from(Uint8Array.from({ length: width * width * 3 }, () => random() * 256))
  await sharp(pixels, { raw: { width, height: width, channels: 3 } })
    .jpeg({ quality })
    .toFile(picture)
}

interface Host extends AsyncDisposable {
  readonly origin: string
}

async function host(mbit: number): Promise<Host> {
  const program = fileURLToPath(new URL('download-server.ts', import.meta.url))
  const server = spawn(process.execPath, [program, picture, String(mbit)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  return {
    origin: `http://127.0.0.1:${String(line).trim()}`,
    async [Symbol.asyncDispose]() {
      server.kill()
      await once(server, 'exit')
    },
  }
}

/** Seconds, the most memory in MB, and seconds of work of all cores. */
interface Fetched {
  readonly seconds: number
  readonly memory: number
  readonly work: number
}

async function ours(origin: string, count: number): Promise<Fetched> {
  const out = join(folder, 'ours')
  await rm(out, { recursive: true, force: true })
  await mkdir(out)
  const program = fileURLToPath(new URL('download-client.ts', import.meta.url))
  const from = performance.now()
  const { stdout } = await run(process.execPath, [program, origin, out, String(count), String(atATime)])
  const seconds = (performance.now() - from) / 1000
  const [memory = NaN, work = NaN] = stdout.split(' ').map(Number)
  return { seconds, memory, work }
}

async function curl(origin: string, count: number): Promise<number> {
  const out = join(folder, 'curl')
  await rm(out, { recursive: true, force: true })
  await mkdir(out)
  const list = join(folder, 'curl.txt')
  const lines = Array.from(
    { length: count },
    (_, n) => `url = "${origin}/${n}.jpg"\noutput = "${out}/${n}.jpg"`,
  )
  await writeFile(list, lines.join('\n'))
  const from = performance.now()
  await run('curl', [
    '-sS',
    '--parallel',
    '--parallel-immediate',
    '--parallel-max',
    String(atATime),
    '-K',
    list,
  ])
  return (performance.now() - from) / 1000
}

interface Compared {
  readonly ratio: number
  readonly ours: number
  readonly curl: number
  readonly floor: number
  /** Milliseconds of work of all cores, for one file. */
  readonly work: number
}

async function compared(mbit: number): Promise<Compared> {
  await using service = await host(mbit)
  const own: number[] = []
  const other: number[] = []
  const work: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const fetched = await ours(service.origin, files)
    own.push(fetched.seconds)
    work.push((1000 * fetched.work) / files)
    other.push(await curl(service.origin, files))
  }
  const { size } = await stat(picture)
  const floor = (files * size * 8) / (mbit * 1e6)
  return {
    ratio: median(other) / median(own),
    ours: median(own),
    curl: median(other),
    floor,
    work: median(work),
  }
}

async function throughput(): Promise<Row> {
  const what = `${files} files of 8 MB at 1 and 2.5 Gbit/s, decoded, flushed, renamed, against curl --parallel`
  const goal = '0.97; 0.90'
  const there = await run('curl', ['--version']).then(
    () => true,
    () => false,
  )
  if (!there)
    return { what, goal, here: '', rivals: 'curl is not on this machine', floor: '', met: undefined }
  const gigabit = await compared(1000)
  const faster = await compared(2500)
  const seconds = (pick: 'ours' | 'curl' | 'floor') =>
    `${fixed(gigabit[pick], 1)}, ${fixed(faster[pick], 1)} s`
  return {
    what,
    goal,
    here: `${fixed(gigabit.ratio)}; ${fixed(faster.ratio)} (${seconds('ours')}, start included; ${fixed(faster.work, 0)} ms of a core for each file)`,
    rivals: `curl: ${seconds('curl')}`,
    floor: seconds('floor'),
    met: gigabit.ratio >= 0.97 && faster.ratio >= 0.9,
  }
}

async function memory(): Promise<Row> {
  await makePicture(800, 90)
  await using service = await host(0)
  const few = await ours(service.origin, 100)
  const many = await ours(service.origin, 1600)
  const ratio = many.memory / few.memory
  return {
    what: 'memory at 1,600 files against 100',
    goal: '1.25',
    here: `${fixed(ratio)} (${fixed(many.memory, 0)} against ${fixed(few.memory, 0)} MB at the most)`,
    rivals: '',
    floor: '1',
    met: ratio <= 1.25,
  }
}

try {
  await makePicture(3020, 92)
  const rows = [await throughput(), await memory()]
  handOver(rows)
} finally {
  await rm(folder, { recursive: true, force: true })
}
