import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))

/** What a process did. */
export interface Ended {
  /** Exit status; null where a signal ended it. */
  readonly code: number | null
  readonly out: string
  readonly err: string
  /** Most memory that it ever held, in megabytes; 0 where the system does not tell. */
  readonly peakMb: number
}

/** A process under way. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves with true as soon as stdout holds the text, with false where the process ends without it. */
  readonly said: (text: string) => Promise<boolean>
  /** What came on stdout until now. */
  readonly soFar: () => string
}

export interface Line {
  readonly source: string
  readonly batch: string
  readonly runId: string | null
  readonly status: string
  readonly error: string | null
  readonly outputs: readonly { readonly path: string; readonly sha256: string }[]
}

/** A data folder and an output folder, and the program on them: one process for each command, as a person starts it. */
export class ProofDesk {
  readonly folder: string
  readonly home: string
  out: string
  /** A command that the program is started under. */
  under: readonly string[] = []
  readonly #env: NodeJS.ProcessEnv
  readonly #children = new Set<ChildProcess>()

  /** @param baseUrl of the service or of what stands before it */
  constructor(baseUrl: string, env: NodeJS.ProcessEnv = {}) {
    this.folder = mkdtempSync(join(tmpdir(), 'vitrine-proof-'))
    this.home = join(this.folder, 'home')
    this.out = join(this.folder, 'out')
    this.#env = {
      PATH: process.env['PATH'],
      HOME: this.folder,
      VITRINE_HOME: this.home,
      VITRINE_API_KEY: 'practice',
      VITRINE_BASE_URL: baseUrl,
      VITRINE_SETTLE_SECONDS: '0.4',
      ...env,
    }
  }

  /** Starts the program; what it has done is known when `ended` resolves. */
  start(args: readonly string[], env: NodeJS.ProcessEnv = {}, stdin: 'ignore' | 'pipe' = 'ignore'): Running {
    const [command, ...before] = [...this.under, process.execPath, program]
    const child = spawn(command, [...before, ...args], {
      env: { ...this.#env, ...env },
      cwd: this.folder,
      stdio: [stdin, 'pipe', 'pipe'],
    })
    this.#children.add(child)
    let out = ''
    let err = ''
    let peakMb = 0
    const waiting = new Set<() => void>()
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      out += text
      for (const look of waiting) look()
    })
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (err += text))
    const watch = setInterval(() => (peakMb = Math.max(peakMb, peakOf(child.pid))), 100)
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code) => {
        clearInterval(watch)
        this.#children.delete(child)
        resolve({ code, out, err, peakMb })
        for (const look of waiting) look()
      })
    })
    const said = (text: string) =>
      new Promise<boolean>((resolve) => {
        const look = () => {
          if (!out.includes(text) && this.#children.has(child)) return
          waiting.delete(look)
          resolve(out.includes(text))
        }
        waiting.add(look)
        look()
      })
    return { child, ended, said, soFar: () => out }
  }

  run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.start(args, env).ended
  }

  /** The command for a batch of these sources. */
  batch(sources: readonly string[], more: readonly string[] = []): readonly string[] {
    return ['run', '--app', 'rescue', '--yes', '--json', '--out', this.out, ...more, ...sources]
  }

  manifest(out = this.out): readonly Line[] {
    const path = join(out, 'manifest.jsonl')
    if (!existsSync(path)) return []
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line) as Line)
  }

  hashOf(path: string, out = this.out): string {
    return createHash('sha256')
      .update(readFileSync(join(out, path)))
      .digest('hex')
  }

  /** Every file below a folder, relative to it. */
  files(folder = this.folder): readonly string[] {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  }

  clear(): void {
    for (const child of this.#children) child.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function peakOf(pid: number | undefined): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}
