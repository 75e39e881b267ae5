import { existsSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exitStatus } from '../exit-status.ts'
import { Problem } from '../problem.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The folder of the built page; in a checkout where it was not built yet, it is built first.
 * @throws Problem (70) where there is none and none can be built
 */
export async function pageFolder(say: (text: string) => void): Promise<string> {
  const folder = join(root, 'dist', 'renderer')
  if (existsSync(join(folder, 'index.html'))) return folder
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  if (!existsSync(vite)) throw new Problem(exitStatus.fault, missing)
  say('Building the page (once) …')
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0 || !existsSync(join(folder, 'index.html'))) throw new Problem(exitStatus.fault, missing)
  return folder
}

const missing = 'The page of the program is not built; run "npm run build" in its folder, then try again.'
