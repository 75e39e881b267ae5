import { spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { root } from './tool.ts'

// The stand-in for npm is a shell script.
const posix = process.platform !== 'win32'

const lock = {
  '': { name: 'tiny', version: '1.0.0' },
  'node_modules/needed': { version: '1.2.3' },
  'node_modules/for-another-platform': { version: '4.0.0', optional: true },
}
const { 'node_modules/for-another-platform': _, ...usual } = lock

let project = ''
let path = ''

/** A project of one program, with its packages in place and an npm that notes how it was called. */
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'vitrine-start-'))
  path = [join(project, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
  await put('package.json', '{ "name": "tiny", "version": "1.0.0", "type": "module" }')
  await put('program.mjs', `console.log('program', ...process.argv.slice(2))`)
  await put('package-lock.json', JSON.stringify({ packages: lock }))
  await installs(usual)
  await npmIs('exit 0')
  await mkdir(join(project, 'scripts'))
  await cp(join(root, 'scripts', 'start.mjs'), join(project, 'scripts', 'start.mjs'))
})

afterEach(() => rm(project, { recursive: true, force: true }))

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(project, file)), { recursive: true })
  await writeFile(join(project, file), text)
}

function installs(packages: Readonly<Record<string, unknown>>): Promise<void> {
  return put('node_modules/.package-lock.json', JSON.stringify({ packages }))
}

async function npmIs(script: string): Promise<void> {
  await put('bin/npm', `#!/bin/sh\necho "$@" >> calls\necho "npm's own talk"\n${script}\n`)
  await chmod(join(project, 'bin', 'npm'), 0o755)
}

async function npmCalls(): Promise<string> {
  return (await readFile(join(project, 'calls'), 'utf8').catch(() => '')).trim()
}

type End = {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts `program.mjs` as an npm script would; `onOutput` is called at its first output. */
function start(
  options: { readonly node?: readonly string[]; readonly onOutput?: (pid: number) => void } = {},
): Promise<End> {
  const args = [...(options.node ?? []), join('scripts', 'start.mjs'), 'program.mjs', 'one', '--two']
  const child = spawn(process.execPath, args, { cwd: project, env: { ...process.env, PATH: path } })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (stdout === '' && child.pid !== undefined) options.onOutput?.(child.pid)
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
}

/** Arguments that make start.mjs believe it runs on a Node that is too old, with the right one in the packages. */
async function onOldNode(): Promise<readonly string[]> {
  await put(
    'old.mjs',
    `if (process.argv[1]?.endsWith('start.mjs'))
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`,
  )
  const bin = join(project, 'node_modules', `node-linux-${process.arch}`, 'bin')
  await mkdir(bin, { recursive: true })
  await symlink(process.execPath, join(bin, 'node'))
  return ['--import', './old.mjs']
}

describe.runIf(posix)('what is installed', () => {
  test('packages in place: npm is not asked, and stdout is the program’s alone', async () => {
    expect(await start()).toEqual({ code: 0, signal: null, stdout: 'program one --two\n', stderr: '' })
    expect(await npmCalls()).toBe('')
  })

  test.each([
    ['nothing is installed', () => rm(join(project, 'node_modules'), { recursive: true })],
    ['an install was broken off', () => rm(join(project, 'node_modules', '.package-lock.json'))],
    ['npm’s note is damaged', () => put('node_modules/.package-lock.json', '{"packages":')],
    ['a version has changed', () => installs({ ...usual, 'node_modules/needed': { version: '1.2.2' } })],
    ['a package is new', () => installs({})],
    [
      'an optional package is old',
      () => installs({ ...usual, 'node_modules/for-another-platform': { version: '3.9.9', optional: true } }),
    ],
  ])('%s: npm ci, then the program', async (_name, damage) => {
    await damage()
    const end = await start()
    expect(end).toMatchObject({ code: 0, stdout: 'program one --two\n' })
    expect(end.stderr).toContain('Installing packages (once)')
    expect(await npmCalls()).toBe('ci --loglevel=error')
  })

  test('npm fails: its words, then one sentence, and the program does not run', async () => {
    await installs({})
    await npmIs('echo "npm error network" >&2; exit 1')
    const end = await start()
    expect(end).toMatchObject({ code: 70, stdout: '' })
    expect(end.stderr).toMatch(/npm error network\nThe packages could not be installed .*try again\.\n$/)
    expect(end.stderr).not.toContain('    at ')
  })

  test('no npm: one sentence', async () => {
    await installs({})
    path = join(project, 'nowhere')
    const end = await start()
    expect(end).toMatchObject({ code: 70, stdout: '' })
    expect(end.stderr).toMatch(/npm cannot be started. Install npm, then try again\.\n$/)
  })

  test('no lock file: one sentence', async () => {
    await rm(join(project, 'package-lock.json'))
    expect(await start()).toMatchObject({
      code: 70,
      stdout: '',
      stderr: 'package-lock.json cannot be read. Get it back from the repository, then try again.\n',
    })
  })

  test('npm itself, on an older Node than the packages want, says nothing about it', async () => {
    const engines = { node: '>=99' }
    const packages = { '': { name: 'tiny', version: '1.0.0', engines } }
    await put('package.json', JSON.stringify({ name: 'tiny', version: '1.0.0', type: 'module', engines }))
    await put(
      'package-lock.json',
      JSON.stringify({ name: 'tiny', version: '1.0.0', lockfileVersion: 3, packages }),
    )
    await rm(join(project, 'node_modules'), { recursive: true })
    await rm(join(project, 'bin'), { recursive: true })
    path = process.env['PATH'] ?? ''
    const end = await start()
    expect(end).toMatchObject({ code: 0, stdout: 'program one --two\n' })
    expect(end.stderr).not.toMatch(/EBADENGINE|Unsupported engine/)
  })
})

describe.runIf(posix)('how it ends', () => {
  test.each([
    ['this Node is new enough', (): readonly string[] => []],
    ['Node 24 comes from the packages', onOldNode],
  ])('%s: the program’s exit status is passed on', async (_name, prepare) => {
    await put('program.mjs', `console.log(process.versions.node); process.exit(3)`)
    expect(await start({ node: await prepare() })).toMatchObject({
      code: 3,
      stdout: `${process.versions.node}\n`,
    })
  })

  test('a signal reaches the program, which may answer it in its own way', async () => {
    await put(
      'program.mjs',
      `process.on('SIGINT', () => process.exit(7)); setInterval(() => {}, 1000); console.log('up')`,
    )
    const end = await start({ node: await onOldNode(), onOutput: (pid) => process.kill(pid, 'SIGINT') })
    expect(end).toMatchObject({ code: 7, signal: null })
  })

  test('a program ended by a signal ends us by the same one', async () => {
    await put('program.mjs', `setInterval(() => {}, 1000); console.log('up')`)
    const end = await start({ node: await onOldNode(), onOutput: (pid) => process.kill(pid, 'SIGTERM') })
    expect(end).toMatchObject({ code: null, signal: 'SIGTERM' })
  })

  test('an old Node and none in the packages: one sentence', async () => {
    const node = await onOldNode()
    await rm(join(project, 'node_modules', `node-linux-${process.arch}`), { recursive: true })
    const end = await start({ node })
    expect(end).toMatchObject({ code: 70, stdout: '' })
    expect(end.stderr).toMatch(/^Vitrine needs Node 24 or later; this is v\S+\. Install it .*\.\n$/)
  })
})
