import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { root, runTool } from './tool.ts'

/** A tree that keeps every rule and uses every arrow that is allowed. */
const lawful: Readonly<Record<string, string>> = {
  'shared/settings.ts': `import { z } from 'zod'\nexport const settings = z.object({ image: z.string() })`,
  'shared/framing.ts': `import { settings } from './settings.ts'\nexport const framing = settings`,
  'shared/matte/pixels.ts': `import { framing } from '../framing.ts'\nexport const pixels = [framing]`,
  'shared/wire.ts': `import { settings } from './settings.ts'\nexport const wire = settings.shape`,
  'shared/wire.test.ts': `import { constant } from 'fast-check'\nimport { test } from 'vitest'\nimport { wire } from './wire.ts'
test('wire', () => { constant(wire.image) })`,
  'engine/clock.ts': `import { setTimeout } from 'node:timers/promises'\nexport const sleep = setTimeout`,
  // These packages bring types of their own, which must not bring in a browser's globals.
  'engine/store/store.ts': `import Database from 'better-sqlite3'\nimport { Agent } from 'undici'
import { wire } from '../../shared/wire.ts'
export const open = (file: string): string => new Database(file).name + new Agent().constructor.name + wire.image.type`,
  'engine/store/store.test.ts': `import { test } from 'vitest'\nimport { open } from './store.ts'
test('store', () => { open(':memory:') })`,
  'practice-service/start.ts': `import { pixels } from '../shared/matte/pixels.ts'
import { settings } from '../shared/settings.ts'\nexport const start = [pixels, settings]`,
  'practice-service/books.ts': `import { framing } from '../shared/framing.ts'\nexport const books = framing`,
  'cli/main.ts': `import { open } from '../engine/store/store.ts'\nimport { start } from '../practice-service/start.ts'
export const main = [open, start]`,
  'cli/commands/run.ts': `import { wire } from '../../shared/wire.ts'\nexport const run = wire`,
  'electron/main.ts': `import electron from 'electron'\nimport { sleep } from '../engine/clock.ts'
import { title } from './window.ts'\nexport const main = [electron, sleep, title]`,
  'electron/window.ts': `import type { BrowserWindow } from 'electron'
export const title = (window: BrowserWindow): string => window.getTitle()`,
  'electron/preload/preload.ts': `export const port = 1`,
  'renderer/app.ts': `import { wire } from '../shared/wire.ts'\nexport const title = () => document.title + wire.image.type`,
  'e2e/run.test.ts': `import { start } from '../practice-service/start.ts'\nexport const started = start`,
  'bench/queue.ts': `import { sleep } from '../engine/clock.ts'\nexport const slept = sleep`,
  'scripts/check.ts': `export const checked = true`,
}

type Offence = {
  readonly wall: string
  readonly file: string
  readonly code: string
  /** What the named tool must say about the file. */
  readonly lint?: RegExp
  readonly types?: RegExp
}

const foreign = /TS6307/
const noNode = /TS2591|TS2307/
const oneOfOurs = /may import|stands alone|measures|nothing of the program/

const offences: readonly Offence[] = [
  // Folders: lint sees the path, the project references see the file, whatever the import looks like.
  {
    wall: 'shared imports the engine',
    file: 'shared/bad-engine.ts',
    code: `export { sleep } from '../engine/clock.ts'`,
    lint: oneOfOurs,
    types: foreign,
  },
  {
    wall: 'a deeper folder of shared imports the command line',
    file: 'shared/words/bad-depth.ts',
    code: `export { run } from '../../cli/commands/run.ts'`,
    lint: oneOfOurs,
    types: foreign,
  },
  {
    wall: 'the engine imports the command line, types only',
    file: 'engine/bad-types.ts',
    code: `import type { main } from '../cli/main.ts'\nexport type Main = typeof main`,
    lint: oneOfOurs,
    types: foreign,
  },
  {
    wall: 'the engine imports the practice service at run time',
    file: 'engine/queue/bad-dynamic.ts',
    code: `export const books = () => import('../../practice-service/books.ts')`,
    lint: oneOfOurs,
    types: foreign,
  },
  {
    wall: 'the engine passes the renderer on, by a roundabout path',
    file: 'engine/bad-roundabout.ts',
    code: `export * from './../engine/../renderer/app.ts'`,
    lint: oneOfOurs,
    types: foreign,
  },
  {
    wall: 'the engine imports a benchmark',
    file: 'engine/bad-bench.ts',
    code: `export { slept } from '../bench/queue.ts'`,
    lint: oneOfOurs,
    types: foreign,
  },
  {
    wall: 'the engine imports by an absolute path',
    file: 'engine/bad-absolute.ts',
    code: `export const load = () => import('file:///cli/main.ts')`,
    lint: /by package name or by relative path/,
  },
  {
    wall: 'the engine requires what it may not import',
    file: 'engine/bad-require.ts',
    code: `import { createRequire } from 'node:module'
export const main: unknown = createRequire(import.meta.url)('../cli/main.ts')`,
    lint: /passes by the walls/,
  },
  {
    wall: 'the practice service shares the wire',
    file: 'practice-service/http/bad-wire.ts',
    code: `export { wire } from '../../shared/wire.ts'`,
    lint: /never the wire/,
  },
  {
    wall: 'what the practice service shares brings in the wire',
    file: 'shared/framing.ts',
    code: `import { wire } from './wire.ts'\nexport const framing = wire`,
    lint: /may not bring in the wire/,
  },
  {
    wall: 'the matte brings in the wire',
    file: 'shared/matte/bad-wire.ts',
    code: `export { wire } from '../wire.ts'`,
    lint: /may not bring in the wire/,
  },
  {
    wall: 'the practice service imports the engine',
    file: 'practice-service/bad-engine.ts',
    code: `export { open } from '../engine/store/store.ts'`,
    lint: oneOfOurs,
    types: foreign,
  },
  {
    wall: 'the command line reaches into the practice service',
    file: 'cli/commands/bad-books.ts',
    code: `export { books } from '../../practice-service/books.ts'`,
    lint: /start function alone/,
  },
  {
    wall: 'the command line takes another start than the one',
    file: 'cli/bad-start.ts',
    code: `export const start = () => import('../practice-service/http/start.ts')`,
    lint: /start function alone/,
  },
  {
    wall: 'the command line imports the desktop shell',
    file: 'cli/bad-desktop.ts',
    code: `export { main } from '../electron/main.ts'`,
    lint: oneOfOurs,
    types: foreign,
  },
  {
    wall: 'the desktop shell reaches into the practice service',
    file: 'electron/bad-books.ts',
    code: `export const books = () => import('../practice-service/books.ts')`,
    lint: /start function alone/,
  },
  {
    wall: 'the desktop shell imports the command line',
    file: 'electron/bad-cli.ts',
    code: `export { run } from '../cli/commands/run.ts'`,
    lint: oneOfOurs,
    types: foreign,
  },
  {
    wall: 'the desktop shell imports Electron at run time beside its beginning',
    file: 'electron/bad-electron.ts',
    code: `import electron from 'electron'\nexport const app = (): unknown => electron`,
    lint: /fetches a binary/,
  },
  {
    wall: 'the desktop shell loads electron-store elsewhere',
    file: 'electron/bad-store.ts',
    code: `export const load = (): Promise<unknown> => import('electron-store')`,
    lint: /nothing else does/,
  },
  {
    wall: 'an address is opened without a look at it',
    file: 'electron/bad-open.ts',
    code: `import type { Shell } from 'electron'
export const open = async (shell: Shell, address: string): Promise<void> => await shell.openExternal(address)`,
    lint: /looks at them/,
  },
  {
    wall: 'a message is heard without a look at its sender',
    file: 'electron/bad-message.ts',
    code: `import type { IpcMain } from 'electron'
export const listen = (ipcMain: IpcMain): unknown => ipcMain.on('any', () => {})`,
    lint: /who speaks/,
  },
  {
    wall: 'the preload has a package besides electron',
    file: 'electron/preload/bad-package.ts',
    code: `export { z } from 'zod'`,
    lint: /sandboxed preload/,
  },
  {
    wall: 'the renderer imports the engine, types only',
    file: 'renderer/bad-engine.ts',
    code: `import type { sleep } from '../engine/clock.ts'\nexport type Sleep = typeof sleep`,
    lint: oneOfOurs,
    types: foreign,
  },
  {
    wall: 'an end-to-end test imports shared',
    file: 'e2e/bad-shared.ts',
    code: `export { settings } from '../shared/settings.ts'`,
    // The types let it pass: practice-service/ refers to shared/, and references reach through.
    lint: oneOfOurs,
  },
  {
    wall: 'a script imports the program',
    file: 'scripts/bad-program.ts',
    code: `export { wire } from '../shared/wire.ts'`,
    lint: oneOfOurs,
    types: foreign,
  },
  {
    wall: 'a benchmark imports the command line',
    file: 'bench/bad-cli.ts',
    code: `export { main } from '../cli/main.ts'`,
    lint: oneOfOurs,
    types: foreign,
  },
  // Packages.
  {
    wall: 'shared uses Node',
    file: 'shared/bad-node.ts',
    code: `export { join } from 'node:path'`,
    lint: /nothing else/,
    types: noNode,
  },
  {
    wall: 'shared uses Node without its prefix',
    file: 'shared/bad-old-node.ts',
    code: `export { join } from 'path'`,
    lint: /nothing else/,
    types: noNode,
  },
  {
    wall: 'shared uses a package',
    file: 'shared/bad-package.ts',
    code: `export { Command } from 'commander'`,
    lint: /nothing else/,
  },
  {
    wall: 'shared uses a package of a similar name',
    file: 'shared/bad-similar-package.ts',
    code: `export { ZodApi } from 'zod-openapi'`,
    lint: /nothing else/,
  },
  {
    wall: 'the matte uses a package',
    file: 'shared/matte/bad-package.ts',
    code: `export { z } from 'zod'`,
    lint: /needs no package/,
  },
  {
    wall: 'shared uses a test package outside tests',
    file: 'shared/bad-test-package.ts',
    code: `export { test } from 'vitest'`,
    lint: /nothing else/,
  },
  {
    wall: 'a test of shared uses Node',
    file: 'shared/bad-node.test.ts',
    code: `export { readFile } from 'node:fs/promises'`,
    lint: /Tests of shared/,
    types: noNode,
  },
  {
    wall: 'the engine uses electron',
    file: 'engine/bad-electron.ts',
    code: `export const app = () => import('electron')`,
    lint: /no screen and no shell/,
  },
  {
    wall: 'the engine uses react, types only',
    file: 'engine/bad-react.ts',
    code: `import type { ReactNode } from 'react'\nexport type Node = ReactNode`,
    lint: /no screen and no shell/,
  },
  {
    wall: 'the renderer uses Node',
    file: 'renderer/bad-node.ts',
    code: `export { readFile } from 'node:fs/promises'`,
    lint: /no-nodejs-modules/,
    types: noNode,
  },
  {
    wall: 'the renderer uses electron',
    file: 'renderer/bad-electron.ts',
    // The package itself would bring Node's types in, and hide what the next offences plant.
    code: `export { ipcRenderer } from 'electron/renderer'`,
    lint: /no Node and no Electron/,
  },
  // Globals.
  {
    wall: 'shared uses process',
    file: 'shared/bad-process.ts',
    code: `export const home = () => process.env['HOME']`,
    types: /TS2591/,
  },
  {
    wall: 'shared uses the page',
    file: 'shared/bad-page.ts',
    code: `export const title = () => document.title`,
    types: /TS2584/,
  },
  {
    wall: 'the engine uses the window',
    file: 'engine/bad-window.ts',
    code: `export const width = () => window.innerWidth`,
    types: /TS2304/,
  },
  {
    wall: 'the renderer uses process',
    file: 'renderer/bad-process.ts',
    code: `export const home = () => process.env['HOME']`,
    types: /TS2591/,
  },
  {
    wall: 'the queue waits by itself',
    file: 'engine/queue/bad-timer.ts',
    code: `export const later = (then: () => void) => setTimeout(then, 1000)`,
    lint: /clock\.sleep/,
  },
  {
    wall: 'the store reads the time by itself',
    file: 'engine/store/bad-time.ts',
    code: `export const now = () => Date.now()`,
    lint: /clock\.now/,
  },
  {
    wall: 'the queue reads the environment',
    file: 'engine/queue/bad-environment.ts',
    code: `export const key = () => process.env['KEY']`,
    lint: /Shells read the environment/,
  },
  // Form.
  {
    wall: 'two files import each other',
    file: 'engine/bad-cycle.ts',
    code: `import { other } from './bad-cycle-other.ts'\nexport const one = (): unknown => other`,
    lint: /cycle/i,
  },
  {
    wall: 'two files import each other for types only',
    file: 'engine/bad-type-cycle.ts',
    code: `import type { Other } from './bad-type-cycle-other.ts'\nexport type One = { readonly other?: Other }`,
    lint: /cycle/i,
  },
  {
    wall: 'a default export',
    file: 'engine/bad-default.ts',
    code: `export default 1`,
    lint: /default/i,
  },
  {
    wall: 'syntax that Node cannot strip',
    file: 'engine/bad-enum.ts',
    code: `export enum Colour { Red }`,
    types: /TS1294/,
  },
]

const accomplices: Readonly<Record<string, string>> = {
  'engine/bad-cycle-other.ts': `import { one } from './bad-cycle.ts'\nexport const other = (): unknown => one`,
  'engine/bad-type-cycle-other.ts': `import type { One } from './bad-type-cycle.ts'\nexport type Other = { readonly one?: One }`,
}

const lintReport = z.object({
  diagnostics: z.array(
    z.object({ message: z.string(), code: z.string(), filename: z.string(), help: z.string().optional() }),
  ),
})

describe('the walls between the folders', () => {
  let tree = ''
  let clean = { lint: '', types: '' }
  let planted = { lint: '', types: '' }

  beforeAll(async () => {
    tree = await mkdtemp(join(tmpdir(), 'vitrine-walls-'))
    await copyConfiguration(tree)
    await write(tree, lawful)
    clean = await look(tree)
    await write(tree, accomplices)
    await write(tree, Object.fromEntries(offences.map(({ file, code }) => [file, code])))
    planted = await look(tree)
  }, 120_000)

  afterAll(() => rm(tree, { recursive: true, force: true }))

  test('a lawful tree passes', () => {
    expect(clean).toEqual({ lint: '', types: '' })
  })

  test.each(offences.filter(({ lint }) => lint !== undefined))('lint catches: $wall', ({ file, lint }) => {
    expect(linesAbout(planted.lint, file)).toMatch(lint!)
  })

  test.each(offences.filter(({ types }) => types !== undefined))('types catch: $wall', ({ file, types }) => {
    expect(linesAbout(planted.types, file)).toMatch(types!)
  })
})

test('what ships imports no test and nothing made for tests', async () => {
  const found: string[] = []
  for await (const file of glob('{shared,engine,practice-service,cli,electron,renderer}/**/*.{ts,tsx}', {
    cwd: root,
  })) {
    if (/\.(test|conformance)\.tsx?$|\/testing\//.test(file)) continue
    // The component sheet and the stage are pages for looking at, built apart and never packed.
    if (file.startsWith('renderer/dev/')) continue
    const source = await readFile(join(root, file), 'utf8')
    found.push(...testImports(source).map((name) => `${file} imports ${name}`))
  }
  expect(found).toEqual([])
  expect(testImports(`import { a } from './a.test.ts'\nconst b = import('../testing/b.ts')`)).toHaveLength(2)
})

/** The tests and pieces of tests that `source` imports. */
function testImports(source: string): string[] {
  const named = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '')
  return named.filter((name) => /\.(test|conformance)\.tsx?$|\/testing\/|^vitest$|^fast-check$/.test(name))
}

async function copyConfiguration(tree: string): Promise<void> {
  for (const file of ['.oxlintrc.json', 'tsconfig.json', 'tsconfig.base.json']) {
    await cp(join(root, file), join(tree, file))
  }
  for await (const file of glob('*/tsconfig.json', { cwd: root })) {
    await mkdir(join(tree, dirname(file)))
    await cp(join(root, file), join(tree, file))
  }
  await writeFile(join(tree, 'package.json'), '{ "type": "module" }')
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction')
}

async function write(tree: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, code] of Object.entries(files)) {
    await mkdir(dirname(join(tree, file)), { recursive: true })
    await writeFile(join(tree, file), `${code}\n`)
  }
}

/** What lint and the types say of the tree: a line for each complaint, and nothing where there is none. */
async function look(tree: string): Promise<{ lint: string; types: string }> {
  const linted = await runTool('oxlint', ['--type-aware', '--format=json'], { cwd: tree })
  const { diagnostics } = lintReport.parse(JSON.parse(linted.output))
  const lint = diagnostics
    .map(({ filename, code, message, help }) => `${filename}: ${code} ${message} ${help ?? ''}`)
    .join('\n')
  const typed = await runTool('typescript', ['-b', '--pretty', 'false'], { bin: 'tsc', cwd: tree })
  return { lint, types: typed.output }
}

/**
 * The complaints about one file. A file that is imported where it may not be is complained of once, with the importing
 * files named below it.
 */
function linesAbout(report: string, file: string): string {
  const complaints = report.split(/\n(?! )/)
  return complaints.filter((complaint) => complaint.replaceAll('\\', '/').includes(file)).join('\n')
}
