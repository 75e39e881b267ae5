import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../cli/main.ts', import.meta.url))

/** A photographer's computer on which the program runs for a browser. */
export class ServedProgram {
  /** The home folder; data and outputs are in it. */
  readonly home = mkdtempSync(join(tmpdir(), 'vitrine-window-'))
  #end: () => Promise<void> = () => Promise.resolve()

  /** Starts it; what was kept by an earlier start is still there. @returns an address that opens one page */
  async start(): Promise<string> {
    const child = spawn(process.execPath, [program, 'serve', '--no-open', '--json'], {
      env: { PATH: process.env['PATH'], HOME: this.home, VITRINE_HOME: join(this.home, 'data') },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    this.#end = async () => {
      child.kill('SIGTERM')
      await ended
    }
    return new Promise((resolve, reject) => {
      let stdout = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text
        const end = stdout.indexOf('\n')
        if (end >= 0) resolve((JSON.parse(stdout.slice(0, end)) as { readonly url: string }).url)
      })
      child.once('close', () => reject(new Error('The program ended before it said its address.')))
    })
  }

  end(): Promise<void> {
    return this.#end()
  }

  async clear(): Promise<void> {
    await this.end()
    rmSync(this.home, { recursive: true, force: true })
  }
}
