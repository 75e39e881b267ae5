import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PracticeService } from '../practice-service/start.ts'

const program = fileURLToPath(new URL('../cli/main.ts', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly events: readonly Readonly<Record<string, unknown>>[]
  readonly stderr: string
}

/** The program while it runs. */
export interface Started {
  readonly event: Readonly<Record<string, unknown>>
  readonly end: () => Promise<void>
}

/** A photographer's desk: a data folder, an output folder, an account on a practice service. */
export class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), 'vitrine-e2e-'))
  readonly out = join(this.folder, 'out')
  readonly #env: NodeJS.ProcessEnv

  constructor(service: PracticeService, settleSeconds: number) {
    this.#env = {
      PATH: process.env['PATH'],
      HOME: this.folder,
      VITRINE_HOME: join(this.folder, 'data'),
      VITRINE_API_KEY: service.keys[0],
      VITRINE_BASE_URL: service.url,
      VITRINE_SETTLE_SECONDS: String(settleSeconds),
    }
  }

  /** Starts the program as a person would and waits for its end. */
  run(...parameters: readonly string[]): Promise<Ended> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [program, ...parameters, '--json'], {
        env: this.#env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let stdout = ''
      let stderr = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
      child.on('close', (code) => {
        const lines = stdout.split('\n').filter((line) => line !== '')
        const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
        resolve({ code, events, stderr })
      })
    })
  }

  /** Starts the program as a person would and leaves it running; resolves with its first event. */
  async start(...parameters: readonly string[]): Promise<Started> {
    const child = spawn(process.execPath, [program, ...parameters, '--json'], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const event = await new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
      let stdout = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text
        const end = stdout.indexOf('\n')
        if (end >= 0) resolve(JSON.parse(stdout.slice(0, end)) as Readonly<Record<string, unknown>>)
      })
      child.once('close', () => reject(new Error('The program ended before it said anything.')))
    })
    return {
      event,
      async end() {
        child.kill('SIGTERM')
        await ended
      },
    }
  }

  manifest(): readonly ManifestLine[] {
    const text = readFileSync(join(this.out, 'manifest.jsonl'), 'utf8')
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ManifestLine)
  }

  /** Hash of a delivered file as it lies on the disk. */
  hashOf(path: string): string {
    return createHash('sha256')
      .update(readFileSync(join(this.out, path)))
      .digest('hex')
  }

  clear() {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export interface ManifestLine {
  readonly source: string
  readonly runId: string | null
  readonly status: string
  readonly outputs: readonly {
    readonly label: string
    readonly slug: string
    readonly path: string
    readonly sha256: string
  }[]
}
