import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chooseOpening, electronEnvironment, type Opening } from './desktop-choice.ts'
import { buildDesktop } from './desktop-build.ts'
import { root, runTool } from './tool.ts'

/**
 * `npm start [-- --browser | --fetch-electron] [PATH...]`: the desktop window where Electron is, and otherwise the same
 * program in the browser, saying so.
 */
const given = process.argv.slice(2)
const own = new Set(['--browser', '--fetch-electron'])
const args = given.filter((arg) => !own.has(arg))
const say = (sentence: string) => process.stderr.write(`${sentence}\n`)

const choose = (): Opening =>
  chooseOpening({
    root,
    platform: process.platform,
    env: process.env,
    isRoot: process.getuid?.() === 0,
    wantsBrowser: given.includes('--browser'),
  })

let opening = choose()
if (opening.kind === 'browser' && opening.fetchable && given.includes('--fetch-electron')) {
  say('Fetching Electron (once) …')
  const code = await run(process.execPath, [join(root, 'node_modules', 'electron', 'install.js')])
  opening = choose()
  if (code !== 0 || opening.kind === 'browser') {
    say('Electron could not be fetched; check the network. Until then Vitrine opens in the browser.')
    opening = { kind: 'browser', why: undefined, fetchable: true }
  }
}
process.exitCode = opening.kind === 'window' ? await openWindow(opening.electron) : await openBrowser(opening)

async function openWindow(electron: string): Promise<number> {
  const built = (name: string) => existsSync(join(root, 'dist', name))
  if (!built('renderer/index.html') || !built('electron/preload.cjs')) say('Building the program (once) …')
  const page = built('renderer/index.html') ? undefined : await buildPage()
  const trouble = page ?? (built('electron/preload.cjs') ? undefined : await buildDesktop())
  if (trouble !== undefined) {
    say(`${trouble}\nThe program could not be built; the lines above say why.`)
    return 70
  }
  return await run(electron, [root, ...args], electronEnvironment(process.env))
}

async function buildPage(): Promise<string | undefined> {
  const { ok, output } = await runTool('vite', ['build', '--logLevel', 'error'])
  return ok ? undefined : output
}

async function openBrowser({ why }: Extract<Opening, { kind: 'browser' }>): Promise<number> {
  if (why !== undefined) say(why)
  if (args.length > 0) say('Files and folders are opened by the desktop window only; drop them on the page.')
  return await run(process.execPath, [join(root, 'cli', 'main.ts'), 'serve'])
}

/** Runs a program to its end, and ends it where this one is told to end. */
async function run(program: string, programArgs: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(program, programArgs, { stdio: 'inherit', env })
  // Ctrl-C reaches both; this one has only to wait for the other's end.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  if (signal === 'SIGINT') return 130
  return code ?? 70
}
