import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { getConfig, validateConfiguration } from 'app-builder-lib/out/util/config/config.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { build } from 'vite'
import { programId } from '../before-ready.ts'
import { installTool } from '../../engine/integration/command-line-tool.ts'
import { startPracticeService, writeShootLists } from '../../practice-service/start.ts'
import { unpackAsar } from '../testing/unpack-asar.ts'
import { fuses } from './fuses.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..', '..')

/** Its words for somebody who looks for a fault of the packager; nobody does here. */
const quiet = { isEnabled: false } as never

const configuration = () => getConfig(root, 'electron-builder.yml', null)

describe('electron-builder.yml', () => {
  test('is understood by the packager, which names what is not', async () => {
    const config = await configuration()
    await validateConfiguration(config, quiet)
    const wrong = { ...config, aerSource: true }
    await expect(validateConfiguration(wrong as never, quiet)).rejects.toThrow('aerSource')
  })

  test('makes the packages of three systems, each for two processors', async () => {
    const { mac, win, linux } = await configuration()
    const made = [mac, win, linux].flatMap((one) => one?.target as { target: string; arch: string[] }[])
    expect(made).toEqual(
      ['dmg', 'zip', 'nsis', 'AppImage', 'deb'].map((target) => ({ target, arch: ['x64', 'arm64'] })),
    )
  })

  test('gives the program the name by which Windows is told of it', async () => {
    expect((await configuration()).appId).toBe(programId)
  })

  test('leaves keys and the feed to whoever publishes', async () => {
    const config = await configuration()
    expect(config.publish).toBeNull()
    expect(config.generateUpdatesFilesForAllChannels).toBe(true)
    const text = readFileSync(join(root, 'electron-builder.yml'), 'utf8')
    expect(text).not.toMatch(/https?:|certificateFile|cscLink:|password:/i)
    expect(config.fileAssociations).toMatchObject([{ ext: 'vitrinepreset' }])
  })

  test('does not loosen what the program rests on', async () => {
    const config = await configuration()
    expect(config).toMatchObject({ asar: true, npmRebuild: false, mac: { hardenedRuntime: true } })
    expect(config.disableAsarIntegrity ?? false).toBe(false)
    const text = readFileSync(join(root, 'electron-builder.yml'), 'utf8')
    expect(text).not.toContain('no-sandbox')
    const rights = readFileSync(join(root, 'build', 'entitlements.mac.plist'), 'utf8')
    expect(rights.match(/<key>[^<]*<\/key>/g)).toEqual(['<key>com.apple.security.cs.allow-jit</key>'])
  })
})

describe('the fuses', () => {
  const names = Object.keys(FuseV1Options).filter((name) => Number.isNaN(Number(name)))

  test.each([
    ['darwin', [false, true, false, false, true, true, false, false, true]],
    ['win32', [false, true, false, false, true, true, false, false, true]],
    ['linux', [false, true, false, false, false, true, false, false, true]],
  ] as const)('on %s are all set', (system, wanted) => {
    const set = fuses(system)
    expect(names).toHaveLength(9)
    expect(set.strictlyRequireAllFuses).toBe(true)
    expect(names.map((_, at) => set[at as FuseV1Options])).toEqual(wanted)
  })
})

// The packager runs everywhere; what it packs here is the Linux program, with the libraries of this system.
describe.runIf(process.platform === 'linux')('a packed program, but for Electron', () => {
  let folder = ''
  let files: string[] = []
  const program = () =>
    join(folder, 'packages', process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked')

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-packed-'))
    const outDir = join(root, 'dist', 'electron')
    for (const mode of ['main', 'preload']) {
      const configFile = join(root, 'vite.main.config.ts')
      await build({ root, configFile, mode, logLevel: 'error', build: { outDir } })
    }
    standInElectron(join(folder, 'electron'))
    await run(
      process.execPath,
      [
        join(root, 'node_modules', 'electron-builder', 'cli.js'),
        '--config',
        'electron-builder.yml',
        '--linux',
        'dir',
        `--${process.arch}`,
        '--publish',
        'never',
        `-c.electronDist=${join(folder, 'electron')}`,
        `-c.directories.output=${join(folder, 'packages')}`,
      ],
      { cwd: root },
    )
    files = unpackAsar(join(program(), 'resources', 'app.asar'), join(folder, 'app'))
  }, 120_000)

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('has all nine fuses in its binary', async () => {
    const { version: _, ...wire } = await getCurrentFuseWire(join(program(), 'vitrine'))
    const states = Object.values(wire).map((state) => state === FuseState.ENABLE)
    expect(states).toEqual([false, true, false, false, false, true, false, false, true])
  })

  test('holds what it needs and nothing of other systems, of the sources or of the tests', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        'package.json',
        'LICENSE',
        'THIRD-PARTY.md',
        'dist/electron/main.js',
        'dist/electron/preload.cjs',
        'dist/electron/image-worker.js',
        'dist/electron/picture-process.js',
        `node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`,
        'node_modules/sharp/dist/index.mjs',
        'node_modules/exiftool-vendored/dist/ExifTool.js',
        'node_modules/electron-updater/out/main.js',
        'node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
      ]),
    )
    const foreign = /(darwin|win32|musl)[^/]*\.node$|node_modules\/node-|\.(ts|map|cc|h|gyp)$|(^|\/)tests?\//
    expect(files.filter((path) => foreign.test(path))).toEqual([])
    const packages = new Set(
      files.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
    )
    expect(
      [...packages].filter((name) => /react|vitest|commander|electron$|playwright|zod/.test(name)),
    ).toEqual([])
  })

  test('carries a batch of the sample shoot from its window to the output folder', async () => {
    const script = join(root, 'electron', 'testing', 'run-packed.ts')
    const env = { ...process.env, VITRINE_PRACTICE_SECONDS: '0.1' }
    const { stdout } = await run(process.execPath, [script, join(folder, 'app'), join(folder, 'home')], {
      env,
    })
    expect(JSON.parse(stdout)).toMatchObject({
      page: 200,
      delivered: 1,
      total: 1,
      files: 1,
      // Written by the ExifTool that was packed.
      metadata: 1,
      thumbnail: 200,
      // With the font that was packed.
      pdf: '%PDF-',
      exit: 0,
      errors: [],
    })
  }, 120_000)

  test('is a command line too, as it is installed from the menu, in a real shell', async () => {
    const home = join(folder, 'person')
    const data = join(folder, 'data')
    const electron = join(folder, 'Vitrine')
    const script = join(root, 'electron', 'testing', 'run-packed-command.ts')
    const words = [process.execPath, script, join(folder, 'app'), data].map((word) => `'${word}'`)
    writeFileSync(electron, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 })
    const desk = {
      platform: process.platform,
      userHome: home,
      env: {},
      launch: { program: electron, args: [] },
    }
    await installTool(desk)
    const practice = await startPracticeService({
      accounts: [{ key: 'k', subscriptionCredits: 9, otherCredits: 0 }],
    })
    onTestFinished(practice.close)
    await writeShootLists(join(folder, 'shoot'), practice.origin)
    const env = {
      PATH: `${join(home, '.local', 'bin')}:/usr/bin:/bin`,
      HOME: home,
      // An AppImage is somewhere else at each start; this is where it really lies.
      APPIMAGE: electron,
      VITRINE_BASE_URL: practice.url,
      VITRINE_API_KEY: 'k',
    }
    const shell = async (line: string) => await run('/bin/sh', ['-c', line], { cwd: folder, env })
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    expect((await shell('vitrine --version')).stdout.trim()).toBe(version)
    expect((await shell('vitrine presets')).stdout).toContain('Soft grey')
    expect((await shell('vitrine file-manager install --for nautilus --print')).stdout).toContain(
      `exec '${electron}' --`,
    )
    await shell(`grep -rhm1 '^http' shoot | head -n 1 | vitrine run - --app rescue --out out --yes`)
    // Pictures are decoded by a process of Electron's, not by plain Node, which is not there.
    await shell('vitrine report --pdf sheet.pdf --no-before')
    expect(readFileSync(join(folder, 'sheet.pdf'), 'latin1')).toContain('/Subtype /Image')
    await expect(shell('vitrine run nothing-here --app rescue')).rejects.toMatchObject({ code: 64 })
  }, 120_000)
})

/** What the packager wants of Electron: a binary with a wire of fuses in it, and the files that it moves about. */
function standInElectron(folder: string): void {
  mkdirSync(join(folder, 'locales'), { recursive: true })
  mkdirSync(join(folder, 'resources'))
  const wire = ['#!/bin/sh\nexit 0\n', 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX', '\x01\x09', '101100111']
  writeFileSync(join(folder, 'electron'), wire.join(''), { mode: 0o755 })
  for (const file of ['LICENSE', 'LICENSES.chromium.html', 'version']) writeFileSync(join(folder, file), '')
}
