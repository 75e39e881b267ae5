import { existsSync, readdirSync, statSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exitStatus } from '../exit-status.ts'
import { Problem } from '../problem.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What the page is built from, in a checkout. */
const sources = ['renderer', 'shared', 'vite.config.ts']

/**
 * The folder of the built page; in a checkout where it was not built yet, or is older than its sources, it is built
 * first.
 * @throws Problem (70) where there is none and none can be built
 */
export async function pageFolder(say: (text: string) => void): Promise<string> {
  const folder = join(root, 'dist', 'renderer')
  if (isFresh(join(folder, 'index.html'))) return folder
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  if (!existsSync(vite)) throw new Problem(exitStatus.fault, missing)
  say('Building the page …')
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0 || !existsSync(join(folder, 'index.html'))) throw new Problem(exitStatus.fault, missing)
  return folder
}

/** A page without sources beside it is an installed one, and stays as it is. */
function isFresh(page: string): boolean {
  const built = statSync(page, { throwIfNoEntry: false })?.mtimeMs
  return built !== undefined && sources.every((name) => newestIn(join(root, name)) <= built)
}

function newestIn(path: string): number {
  const about = statSync(path, { throwIfNoEntry: false })
  if (!about?.isDirectory()) return about?.mtimeMs ?? 0
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .reduce((newest, entry) => Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0)
}

const missing = 'The page of the program is not built; run "npm run build" in its folder, then try again.'
