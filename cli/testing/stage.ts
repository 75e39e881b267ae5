import { spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createMemoryVault } from '../../engine/vault/memory-vault.ts'
import {
  startPracticeService,
  type PracticeOptions,
  type PracticeService,
} from '../../practice-service/start.ts'
import { eventSchema, type CliEvent, type SummaryEvent } from '../events.ts'
import type { Io, TextSink, TextSource } from '../io.ts'
import { main } from '../program.ts'
import type { Overrides } from '../shell.ts'

/** What a command did, as its caller sees it. */
export interface Outcome {
  readonly status: number
  readonly out: string
  readonly err: string
  /** The lines of stdout, each checked against the schema of events. */
  readonly events: () => CliEvent[]
  readonly summary: () => SummaryEvent
  /** The lines of stdout as JSON. */
  readonly records: () => unknown[]
}

function outcomeOf(status: number, out: string, err: string): Outcome {
  const records = () =>
    out
      .split('\n')
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line))
  const events = () => records().map((record) => eventSchema.parse(record))
  return {
    status,
    out,
    err,
    records,
    events,
    summary() {
      const last = events().at(-1)
      if (last?.event !== 'summary')
        throw new Error(`The last event is no summary: ${out.slice(-300)} ${err}`)
      return last
    },
  }
}

/** A stream that keeps what is written to it. */
class KeptText extends EventEmitter implements TextSink {
  text = ''
  readonly isTTY: boolean
  readonly columns = 100
  readonly writableNeedDrain = false
  constructor(isTTY = false) {
    super()
    this.isTTY = isTTY
  }

  write(text: string): boolean {
    this.text += text
    this.emit('text', this.text)
    return true
  }
}

export interface CallOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly stdin?: string
  /** Both stdin and stderr are a terminal. */
  readonly terminal?: boolean
  readonly overrides?: Overrides
  /** Hears all of stdout so far, each time that something is written to it. */
  readonly onOut?: (text: string) => void
  /** Called with what asks the program to stop, as SIGINT does. */
  readonly stopper?: (stop: () => void) => void
}

/** Runs the program within this process: real files, real store, real HTTP, only the streams are kept. */
export async function call(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  options: CallOptions = {},
): Promise<Outcome> {
  const terminal = options.terminal ?? false
  const stdout = new KeptText()
  const stderr = new KeptText(terminal)
  if (options.onOut) stdout.on('text', options.onOut)
  const io: Io = {
    stdin: inputOf(options.stdin ?? '', terminal),
    stdout,
    stderr,
    env: { ...env, ...options.env },
    cwd,
    exit: () => {
      throw new Error('The program wanted to exit at once.')
    },
    onStop(listener) {
      options.stopper?.(listener)
      return () => {}
    },
  }
  const status = await main(args, io, { vault: createMemoryVault(), ...options.overrides })
  return outcomeOf(status, stdout.text, stderr.text)
}

function inputOf(text: string, isTTY: boolean): TextSource {
  return {
    isTTY,
    async *[Symbol.asyncIterator]() {
      if (text !== '') yield Buffer.from(text)
    },
  }
}

/** Of a test's context: what takes things down after it. */
export interface TestEnd {
  readonly onTestFinished: (work: () => void | Promise<void>) => void
}

/** An empty folder that is gone after the test. */
export async function emptyFolder({ onTestFinished }: TestEnd): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-cli-'))
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }))
  return folder
}

/** A practice service, an empty folder, and the program to be called on them. */
export interface Stage {
  readonly service: PracticeService
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes a list of so many picture addresses; returns its path. */
  readonly list: (count: number, name?: string, first?: number) => Promise<string>
  readonly write: (name: string, text: string | Uint8Array) => Promise<string>
  readonly read: (name: string) => Promise<string>
  readonly call: (args: readonly string[], options?: CallOptions) => Promise<Outcome>
  /** Starts the real program as a process of its own. */
  readonly start: (args: readonly string[], options?: { stdin?: string; env?: CallOptions['env'] }) => Started
  readonly manifest: (folder?: string) => Promise<Record<string, unknown>[]>
}

export async function stage(test: TestEnd, options: PracticeOptions = {}): Promise<Stage> {
  const folder = await emptyFolder(test)
  const service = await startPracticeService({ imageWork: 'echo', processing: 0.02, ...options })
  test.onTestFinished(async () => await service.close())
  const env = {
    VITRINE_HOME: join(folder, 'home'),
    VITRINE_BASE_URL: service.url,
    VITRINE_API_KEY: service.keys[0],
    VITRINE_SETTLE_SECONDS: '0.3',
  }
  const write = async (name: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  const read = async (name: string) => await readFile(join(folder, name), 'utf8')
  return {
    service,
    folder,
    env,
    write,
    read,
    list: async (count, name = 'list.txt', first = 1) =>
      await write(name, addresses(count, first).join('\n')),
    call: async (args, more) => await call(args, env, folder, more),
    start(args, more) {
      const started = start(args, { ...env, ...more?.env }, folder, more?.stdin)
      test.onTestFinished(() => {
        started.child.kill('SIGKILL')
      })
      return started
    },
    manifest: async (where = 'out') =>
      (await read(`${where}/manifest.jsonl`))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

export function addresses(count: number, first = 1): string[] {
  return Array.from({ length: count }, (_, index) => `https://pictures.example/ring-${index + first}.jpg`)
}

export interface Started {
  readonly child: ChildProcess
  /** What came on stdout and stderr so far. */
  readonly soFar: () => { out: string; err: string }
  /** Resolves when stdout or stderr holds the text. */
  readonly until: (text: string) => Promise<void>
  readonly ended: Promise<Outcome>
}

const program = fileURLToPath(new URL('../main.ts', import.meta.url))

function start(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  stdin = '',
): Started {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH, HOME, TMPDIR, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  const changed = new EventEmitter()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    changed.emit('change')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
    changed.emit('change')
  })
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => {
    changed.emit('change')
    return outcomeOf(
      typeof code === 'number' ? code : -1,
      out,
      err + (signal ? ` (${JSON.stringify(signal)})` : ''),
    )
  })
  return {
    child,
    soFar: () => ({ out, err }),
    ended,
    async until(text) {
      while (!out.includes(text) && !err.includes(text)) {
        if (child.exitCode !== null) throw new Error(`It ended without "${text}": ${out}${err}`)
        await once(changed, 'change')
      }
    },
  }
}
