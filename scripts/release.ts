// `npm run release -- VERSION [--feed URL] [--dry-run]`: the packages of a version for this system, as docs/release.md says.
import { spawn } from 'node:child_process'
import { wishesOf, type Wishes } from './release-rules.ts'
import { release, type Ended } from './release-steps.ts'
import { root, runTool } from './tool.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

async function run(program: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell: false })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => void (output += text))
  }
  const ok = await new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
  return { ok, output }
}

/** An npm script of this project, on this Node. */
async function script(name: string): Promise<Ended> {
  if (name === 'build') return await runTool('vite', ['build', '--logLevel', 'error'])
  const file = { 'build-desktop': 'build-desktop.ts', sbom: 'write-sbom.ts' }[name]
  return await run(process.execPath, [`scripts/${file}`])
}

async function packager(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Ended> {
  Object.assign(process.env, env)
  return await runTool('electron-builder', args)
}

let wishes: Wishes | undefined
try {
  wishes = wishesOf(process.argv.slice(2), process.platform)
} catch (error) {
  print(error instanceof Error ? error.message : String(error))
  process.exitCode = 64
}
if (wishes) {
  const made = await release(wishes, {
    root,
    host: process.platform,
    env: process.env,
    print,
    git: async (args) => await run('git', args),
    script,
    packager,
    gpg: async (args) => await run('gpg', args),
  })
  if (!made) process.exitCode = 1
}
