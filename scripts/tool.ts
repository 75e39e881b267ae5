import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the project. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const running = new Map<ChildProcess, { readonly isGroup: boolean }>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const child of running.keys()) stop(child, signal)
    process.kill(process.pid, signal)
  })
}

/** Ends a tool, with all that it has started where it leads a group of processes. */
function stop(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.pid !== undefined && running.get(child)?.isGroup) process.kill(-child.pid, signal)
  else child.kill(signal)
}

/** How a tool ended. `output` is empty where the tool wrote to the terminal itself. */
export type ToolEnd = {
  readonly ok: boolean
  readonly output: string
  readonly seconds: number
}

type ToolOptions = {
  readonly bin?: string
  readonly show?: boolean
  readonly cwd?: string
  /** It is killed after so long, with what it has started; `ok` is then false. */
  readonly limitMs?: number
}

/**
 * Runs the command of an installed package on this Node (not on whichever one is first on the PATH) and waits for its
 * end. Its output is caught, or goes to the terminal as it comes where `show` is set.
 */
export async function runTool(
  name: string,
  args: readonly string[],
  options: ToolOptions = {},
): Promise<ToolEnd> {
  const started = performance.now()
  const command = commandOf(name, options.bin ?? name)
  const isGroup = options.limitMs !== undefined && process.platform !== 'win32'
  const child = spawn(process.execPath, [command, ...args], {
    cwd: options.cwd ?? root,
    stdio: options.show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    detached: isGroup,
  })
  running.set(child, { isGroup })
  const late =
    options.limitMs === undefined ? undefined : setTimeout(() => stop(child, 'SIGKILL'), options.limitMs)
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ok = await new Promise<boolean>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code === 0))
  })
  clearTimeout(late)
  running.delete(child)
  const output = Buffer.concat(chunks).toString('utf8').trimEnd()
  return { ok, output, seconds: (performance.now() - started) / 1000 }
}

function commandOf(name: string, bin: string): string {
  const folder = join(root, 'node_modules', name)
  const stated = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin?: string | Record<string, string>
  }
  const path = typeof stated.bin === 'string' ? stated.bin : stated.bin?.[bin]
  if (path === undefined) throw new Error(`The package ${name} has no command ${bin}.`)
  return join(folder, path)
}
