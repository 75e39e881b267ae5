// A batch of many thousands over real HTTP with faults; memory, open files and event-loop delay from start to end.
// Writes docs/soak.svg and prints the figures: `npm run soak -- 20000`.
import { createHash } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPracticeService, type FaultRule, type PracticeService } from '../../practice-service/start.ts'
import { drawSoak, type Sample } from './soak-plot.ts'

const images = Number(process.argv[2] ?? 20_000)
const everyMs = 2000
const program = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))
const watcher = new URL('./watch-loop.mjs', import.meta.url).href
const plot = fileURLToPath(new URL('../../docs/soak.svg', import.meta.url))

/** Rare enough that the batch goes on at full speed between them, and yet hundreds in twenty thousand images. */
const faults: readonly FaultRule[] = [
  {
    on: ['submit', 'run', 'list', 'file'],
    probability: 0.0003,
    fault: { kind: 'status', status: 429, retryAfter: 0 },
  },
  { on: ['run', 'list', 'file'], probability: 0.002, fault: { kind: 'status', status: 503 } },
  { on: ['run', 'list', 'file'], probability: 0.003, fault: { kind: 'reset-after' } },
  { on: 'submit', probability: 0.0008, fault: { kind: 'reset-after' } },
  { on: 'submit', probability: 0.0004, fault: { kind: 'reset-before' } },
  { on: ['run', 'list'], probability: 0.003, fault: { kind: 'truncate-chunked' } },
  { on: 'file', probability: 0.005, fault: { kind: 'truncate-length' } },
  { on: 'file', probability: 0.003, fault: { kind: 'expired' } },
  { on: 'file', probability: 0.003, fault: { kind: 'html-as-file' } },
  { on: ['run', 'list', 'file'], probability: 0.0003, fault: { kind: 'stall-body' } },
]

function sampleOf(
  pid: number,
  walPath: string,
  startedAt: number,
  service: PracticeService,
): Sample | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return {
      seconds: (performance.now() - startedAt) / 1000,
      rssMb: Number(kilobytes) / 1024,
      files: readdirSync(`/proc/${pid}/fd`).length,
      walMb: existsSync(walPath) ? statSync(walPath).size / 1e6 : 0,
      runs: service.books().requests.submit.answers[200] ?? 0,
    }
  } catch {
    return undefined
  }
}

/** What the service's books and the files say; empty where every promise held. */
async function judge(service: PracticeService, out: string): Promise<string[]> {
  const wrong: string[] = []
  const taken = new Map<string, number>()
  for (const { source = '' } of service.books().runs) taken.set(source, (taken.get(source) ?? 0) + 1)
  for (const [source, times] of taken) if (times > 1) wrong.push(`${source} was taken ${times} times`)
  let delivered = 0
  for await (const text of createInterface({ input: createReadStream(join(out, 'manifest.jsonl')) })) {
    const line = JSON.parse(text) as { status: string; outputs: { path: string; sha256: string }[] }
    if (line.status === 'delivered') delivered += 1
    for (const { path, sha256 } of line.outputs) {
      const hash = createHash('sha256')
        .update(readFileSync(join(out, path)))
        .digest('hex')
      if (hash !== sha256) wrong.push(`${path} is not what the manifest says`)
    }
  }
  if (delivered !== images) wrong.push(`${delivered} of ${images} are delivered`)
  return wrong
}

const folder = mkdtempSync(join(tmpdir(), 'vitrine-soak-'))
const [home, out, list, loopLog] = ['home', 'out', 'list.txt', 'loop.log'].map((name) =>
  join(folder, name),
) as [string, string, string, string]
const service = await startPracticeService({
  imageWork: 'echo',
  processing: { median: 0.8, sigma: 0.4 },
  concurrency: 60,
  accounts: [{ key: 'practice', subscriptionCredits: images * 100 }],
  faults,
  seed: 20,
})
writeFileSync(list, Array.from({ length: images }, (_, n) => `https://pictures.example/${n}.jpg`).join('\n'))
const startedAt = performance.now()
const child = spawn(
  process.execPath,
  ['--import', watcher, program, 'run', list, '--app', 'rescue', '--yes', '--out', out],
  {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      VITRINE_HOME: home,
      VITRINE_API_KEY: 'practice',
      VITRINE_BASE_URL: service.url,
      VITRINE_SETTLE_SECONDS: '0.5',
      LOOP_LOG: loopLog,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  },
)
const ended = once(child, 'close')
const samples: Sample[] = []
while (child.exitCode === null && child.signalCode === null) {
  await sleep(everyMs)
  const sample = sampleOf(child.pid!, join(home, 'queue.db-wal'), startedAt, service)
  if (sample) samples.push(sample)
}
await ended
const code = child.exitCode
const wrong = await judge(service, out)
const loop = readFileSync(loopLog, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as [number, number])
const { faults: struck, requests } = service.books()
const mean = (of: readonly Sample[], field: 'rssMb' | 'files') =>
  Math.round(of.reduce((sum, one) => sum + one[field], 0) / of.length)
const third = Math.max(1, Math.floor(samples.length / 3))
const figures = {
  images,
  minutes: Math.round((performance.now() - startedAt) / 6000) / 10,
  exit: code,
  rssMb: {
    early: mean(samples.slice(third >> 1, third), 'rssMb'),
    late: mean(samples.slice(-third >> 1), 'rssMb'),
    most: Math.round(Math.max(...samples.map((one) => one.rssMb))),
  },
  files: {
    early: mean(samples.slice(third >> 1, third), 'files'),
    late: mean(samples.slice(-third >> 1), 'files'),
    most: Math.max(...samples.map((one) => one.files)),
  },
  walMb: Math.round(Math.max(...samples.map((one) => one.walMb)) * 10) / 10,
  loopMs: {
    median: loop.map(([p99]) => p99).toSorted((a, b) => a - b)[loop.length >> 1],
    most: Math.max(...loop.map(([, max]) => max)),
  },
  requests: Object.fromEntries(Object.entries(requests).map(([kind, { count }]) => [kind, count])),
  struck,
  wrong: wrong.slice(0, 10),
}
writeFileSync(plot, drawSoak(images, samples, loop))
process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`)
await service.close()
rmSync(folder, { recursive: true, force: true })
process.exitCode = code === 0 && wrong.length === 0 ? 0 : 1
