import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface, type Interface } from 'node:readline'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Said } from './disk-log.ts'
import type { Line } from './desk.ts'
import type { Left } from './lost-disk.ts'

const startUp = fileURLToPath(new URL('../../cli/testing/start-up.ts', import.meta.url))

/** Where Linux keeps files in memory: thousands of starts flush a lot. */
const memory = '/dev/shm'

interface Attempt {
  readonly source: string
  readonly state: string
  readonly runId: string | null
}

/** What a start finds in a data folder, and makes of it before it sends anything. */
export interface Found {
  /** Attempts as they were recorded, and after recovery. */
  readonly recorded: readonly Attempt[]
  readonly attempts: readonly Attempt[]
  /** The last attempt by the mark beside the queue, and by the queue. */
  readonly mark: number
  readonly newest: number
  readonly images: readonly {
    readonly source: string
    readonly state: string
    readonly runId: string | null
    readonly outputCount: number | null
    readonly outputs: readonly {
      readonly path: string
      readonly bytes: number
      readonly sha256: string
      readonly state: string
    }[]
  }[]
}

/** What a start does, in one process for all that are asked of it. */
export class StartUps {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>
  readonly #folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'vitrine-power-'))

  constructor() {
    this.#child = spawn(process.execPath, [startUp], { stdio: ['pipe', 'pipe', 'inherit'] })
    const lines: Interface = createInterface({ input: this.#child.stdout! })
    this.#lines = lines[Symbol.asyncIterator]()
  }

  /** Puts what was left into a folder of its own and starts there. `refused` is the program's sentence. */
  async on(left: Left): Promise<Found | { readonly refused: string } | { readonly fault: string }> {
    const folder = join(this.#folder, 'desk')
    rmSync(folder, { recursive: true, force: true })
    putBack({ ...left, files: new Map([...left.files].filter(([path]) => path.startsWith('home/'))) }, folder)
    this.#child.stdin!.write(`${JSON.stringify(join(folder, 'home'))}\n`)
    const { value, done } = await this.#lines.next()
    if (done === true) return { fault: 'The process that starts on what was left has ended.' }
    return JSON.parse(value) as Found
  }

  close() {
    this.#child.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Makes the files and folders of a disk below a folder. */
export function putBack({ files, folders }: Left, folder: string) {
  for (const path of folders) mkdirSync(join(folder, path), { recursive: true })
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
}

/** What the program had let others know when the power failed. */
export class Known {
  /** Sources of submissions whose first byte may have left, in order. */
  readonly sent: string[] = []
  /** Ids of runs that it named, to the service or to a person. */
  readonly runs = new Set<string>()
  /** Sources of images that it called delivered. */
  readonly delivered = new Set<string>()

  hear({ to, text }: Said) {
    for (const [runId] of text.matchAll(/run_[0-9a-f]{32}/g)) this.runs.add(runId)
    if (to === 'network') {
      if (!text.startsWith('POST ')) return
      const [, body = ''] = text.split('\r\n\r\n')
      const { parameters } = JSON.parse(body) as { parameters: { image: string } }
      this.sent.push(parameters.image)
      return
    }
    for (const line of text.split('\n').filter((one) => one.startsWith('{'))) {
      const { event, state, source } = JSON.parse(line) as Record<string, unknown>
      if (event === 'image' && state === 'delivered') this.delivered.add(String(source))
    }
  }

  /** Grows whenever there is more to know. */
  get size(): number {
    return this.sent.length + this.runs.size + this.delivered.size
  }
}

const unsent = new Set(['intent', 'unsent'])

/** The mark beside the queue tells that the queue's end is missing: what waits there is left to a person. */
export function asksPerson({ mark, newest }: Found): boolean {
  return mark > newest
}

/** Which promises a start on these files would break; empty where it keeps all. */
export function faultsOf(left: Left, found: Found, known: Known, whole: Left, out: Place): string[] {
  return [...faultsOfQueue(found, known), ...faultsOfFiles(left, found, whole, out), ...litterIn(left)]
}

/** The output folder as the program knows it, and relative to the recorded one. */
interface Place {
  readonly path: string
  readonly relative: string
}

function faultsOfQueue(found: Found, known: Known): string[] {
  const faults: string[] = []
  const { recorded, attempts, images } = found
  for (const source of new Set(known.sent)) {
    const times = known.sent.filter((one) => one === source).length
    const kept = recorded.filter((one) => one.source === source && !unsent.has(one.state)).length
    const image = images.find((one) => one.source === source)
    if (kept < times && !asksPerson(found)) faults.push(`${source} was sent, and nothing tells of it`)
    if (image?.state === 'waiting' || image?.state === 'held')
      faults.push(`${source} was sent, and is ${image.state}`)
  }
  if (found.mark < known.sent.length) faults.push('the mark beside the queue is behind what was sent')
  const runs = new Set(attempts.map(({ runId }) => runId))
  for (const runId of known.runs) if (!runs.has(runId)) faults.push(`${runId} was told, and is not known`)
  for (const { source, state, runId } of images) {
    if (known.delivered.has(source) && state !== 'delivered')
      faults.push(`${source} was called delivered, and is ${state}`)
    if (state === 'delivered' && !runs.has(runId)) faults.push(`${source} is delivered without its run`)
  }
  for (const source of known.delivered) {
    if (!images.some((one) => one.source === source))
      faults.push(`${source} was called delivered, and is gone`)
  }
  return faults
}

function faultsOfFiles(left: Left, found: Found, whole: Left, out: Place): string[] {
  const faults: string[] = []
  const isThere = (path: string, sha256: string) => {
    const bytes = left.files.get(`${out.relative}/${path}`)
    return bytes !== undefined && createHash('sha256').update(bytes).digest('hex') === sha256
  }
  for (const { source, state, outputs, outputCount } of found.images) {
    const placed = outputs.filter((output) => output.state === 'placed')
    for (const { path, sha256 } of placed)
      if (!isThere(relative(out.path, path), sha256))
        faults.push(`${path} is called placed, and is not there whole`)
    if (state === 'delivered' && (placed.length === 0 || placed.length !== outputCount))
      faults.push(`${source} is delivered with ${placed.length} of ${outputCount} files`)
  }
  for (const [path, bytes] of left.files) {
    const own = /\/\.vitrine-[^/]*$/.test(path) || path.endsWith(manifestName)
    if (path.startsWith(`${out.relative}/`) && !own && !whole.files.get(path)?.equals(bytes))
      faults.push(`${path} has its name, and is not whole`)
  }
  for (const line of manifestOf(left, out, faults)) {
    if (line.runId !== null && !found.attempts.some(({ runId }) => runId === line.runId))
      faults.push(`the manifest has ${line.runId}, which is not known`)
    for (const { path, sha256 } of line.outputs)
      if (!isThere(path, sha256)) faults.push(`the manifest has ${path}, which is not there whole`)
  }
  return faults
}

/** Parts that no later start would take for its own and clear away. */
function litterIn({ files }: Left): string[] {
  const mark = files.get('home/mark')?.toString('utf8')
  return [...files.keys()]
    .filter((path) => {
      const [, its] = /\/\.vitrine-([0-9a-f]{12})-\w+\.part$/.exec(path) ?? []
      return its !== undefined && its !== mark
    })
    .map((path) => `${path} would stay for ever`)
}

const manifestName = '/manifest.jsonl'

function manifestOf({ files }: Left, out: Place, faults: string[]): Line[] {
  const text = files.get(out.relative + manifestName)?.toString('utf8') ?? ''
  try {
    if (text !== '' && !text.endsWith('\n')) throw new Error('The last line has no end.')
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line)
  } catch (error) {
    faults.push(`the manifest is not whole: ${(error as Error).message}`)
    return []
  }
}
