import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './tool.ts'

const program = join(root, 'cli', 'main.ts')

/** A command of the program, with a home folder of its own; the environment is bare but for what is given. */
function begin(args: readonly string[], home: string, env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, VITRINE_HOME: join(home, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs a command to its end. @throws Error with what it said where it did not end well */
export async function runProgram(
  args: readonly string[],
  home: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = begin(args, home, env)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (status !== 0) throw new Error(`vitrine ${args.join(' ')} ended with ${status}: ${said}`)
}

export interface Served {
  /** The first line that it wrote to stdout, as JSON. */
  readonly said: Readonly<Record<string, string>>
  readonly end: () => Promise<void>
}

/** Starts a command that goes on until it is ended, and waits for its first line. */
export async function serveProgram(args: readonly string[], home: string): Promise<Served> {
  const child = begin(args, home, {})
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const said = await new Promise<Readonly<Record<string, string>>>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const end = text.indexOf('\n')
      if (end >= 0) resolve(JSON.parse(text.slice(0, end)) as Readonly<Record<string, string>>)
    })
    child.once('close', () => reject(new Error(`vitrine ${args.join(' ')} ended before it was ready.`)))
  })
  return {
    said,
    end: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
