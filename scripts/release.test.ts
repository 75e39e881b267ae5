import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { compareVersions, isArtifact, releaseNotes, versionOf, wishesOf } from './release-rules.ts'
import { release, type Ended, type ReleaseParts } from './release-steps.ts'

const run = promisify(execFile)
const changelog = `# Changelog

## [Unreleased]

## [1.4.0] - 2026-11-22

### Added

- Sheets as PDF.

## [1.3.0] - 2026-10-01

- Older.
`

/** A real repository with a version to release; the packager alone is a stand-in. */
async function scene(env: Record<string, string> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'vitrine-release-'))
  onTestFinished(async () => await rm(root, { recursive: true, force: true }))
  const git = async (args: readonly string[]): Promise<Ended> => {
    const own = ['-c', 'user.name=t', '-c', 'user.email=t@t.invalid', '-c', 'commit.gpgsign=false']
    const { stdout } = await run('git', [...own, ...args], { cwd: root })
    return { ok: true, output: stdout }
  }
  await writeFile(join(root, 'package.json'), JSON.stringify({ version: '1.4.0' }))
  await writeFile(join(root, 'CHANGELOG.md'), changelog)
  await writeFile(join(root, '.gitignore'), 'dist\n')
  await git(['init', '-q'])
  await git(['add', '.'])
  await git(['commit', '-q', '-m', 'one'])
  const done: string[] = []
  const printed: string[] = []
  const packed: { args: readonly string[]; env: Readonly<Record<string, string | undefined>> }[] = []
  const out = join(root, 'dist', 'packages')
  const parts: ReleaseParts = {
    root,
    host: 'linux',
    env,
    print: (line) => void printed.push(line),
    git,
    script: async (name) => {
      done.push(name)
      if (name === 'sbom') await writeFile(join(root, 'dist', 'sbom.cdx.json'), '{}')
      return { ok: true, output: '' }
    },
    packager: async (args, given) => {
      done.push('packager')
      packed.push({ args, env: given })
      await mkdir(join(out, 'linux-unpacked'), { recursive: true })
      for (const name of ['Vitrine 1.4.0.AppImage', 'latest-linux.yml', 'builder-debug.yml']) {
        await writeFile(join(out, name), name)
      }
      return { ok: true, output: '' }
    },
    gpg: async (args) => {
      done.push(`gpg ${args.at(-3)}`)
      return await Promise.resolve({ ok: true, output: '' })
    },
  }
  const make = async (...args: string[]) => await release(wishesOf(args, parts.host), parts)
  return { root, out, git, parts, make, done, printed, packed }
}

test('packages, lists and checksums are made of what is committed', async () => {
  const { root, out, make, done, packed } = await scene()
  expect(await make('1.4.0', '--feed', 'https://updates.example/vitrine/', '--', '--x64')).toBe(true)
  expect(done).toEqual(['build', 'build-desktop', 'packager', 'sbom'])
  expect(packed[0]!.args).toEqual([
    '--config',
    'electron-builder.yml',
    '--linux',
    '--publish',
    'never',
    `-c.releaseInfo.releaseNotesFile=${join(root, 'dist', 'release-notes.md')}`,
    '-c.publish.provider=generic',
    '-c.publish.url=https://updates.example/vitrine/',
    '--x64',
  ])
  expect(packed[0]!.env['CSC_IDENTITY_AUTO_DISCOVERY']).toBe('false')
  expect(await readFile(join(root, 'dist', 'release-notes.md'), 'utf8')).toBe('### Added\n\n- Sheets as PDF.')
  const list = await readFile(join(out, 'SHA256SUMS'), 'utf8')
  expect(list.split('\n').map((line) => line.slice(66))).toEqual([
    'Vitrine 1.4.0.AppImage',
    'latest-linux.yml',
    'vitrine-1.4.0-linux.cdx.json',
    '',
  ])
  if (process.platform === 'linux')
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out })
})

test('a dry run says everything and does nothing', async () => {
  const { root, make, done, printed } = await scene({ VITRINE_GPG_KEY: 'canary' })
  expect(await make('1.4.0', '--dry-run')).toBe(true)
  expect(done).toEqual([])
  expect((await readdir(root)).includes('dist')).toBe(false)
  const said = printed.join('\n')
  expect(said).toMatch(/^Vitrine 1\.4\.0 for linux, from [0-9a-f]{12}$/m)
  expect(said).toContain('no feed: it will never ask for updates')
  expect(said).toContain('would run: electron-builder --config electron-builder.yml --linux --publish never')
  expect(said).toContain('the list of checksums is signed: yes (VITRINE_GPG_KEY)')
  expect(said).not.toContain('canary')
})

test('what stands against a release is said at once, and nothing is run', async () => {
  const { root, make, git, done, printed } = await scene()
  await git(['tag', 'v1.10.0'])
  await writeFile(join(root, 'stray.txt'), '')
  expect(await make('1.5.0', '--feed', 'http://updates.example', '--system', 'mac')).toBe(false)
  expect(done).toEqual([])
  expect(printed).toEqual([
    expect.stringContaining('package.json says 1.4.0, not 1.5.0.'),
    expect.stringContaining('The tree is not clean (stray.txt).'),
    '1.5.0 is older than 1.10.0, which was released.',
    expect.stringContaining('CHANGELOG.md says nothing under "## [1.5.0]".'),
    'The feed has to be an https address of a folder.',
    expect.stringContaining('Packages for mac are made on that system'),
  ])
  await rm(join(root, 'stray.txt'))
  await git(['tag', '-d', 'v1.10.0'])
  await git(['tag', 'v1.4.0'])
  printed.length = 0
  expect(await make('1.4.0')).toBe(false)
  expect(printed).toEqual(['v1.4.0 was released already.'])
})

test('without git, without a package, or after a failed step there is no release', async () => {
  const first = await scene()
  const lost = { ...first.parts, git: () => Promise.resolve({ ok: false, output: '' }) }
  expect(await release(wishesOf(['1.4.0'], 'linux'), lost)).toBe(false)
  expect(first.printed[0]).toContain('git cannot be asked')
  const second = await scene()
  const nothing = { ...second.parts, packager: () => Promise.resolve({ ok: true, output: '' }) }
  expect(await release(wishesOf(['1.4.0'], 'linux'), nothing)).toBe(false)
  const third = await scene()
  const broken = { ...third.parts, packager: () => Promise.resolve({ ok: false, output: 'no disk' }) }
  expect(await release(wishesOf(['1.4.0'], 'linux'), broken)).toBe(false)
  expect([third.printed.at(-1), third.done]).toEqual(['no disk', ['build', 'build-desktop']])
})

test('what is there is signed with', async () => {
  const secrets = { CSC_LINK: 'canary', CSC_KEY_PASSWORD: 'canary', VITRINE_GPG_KEY: 'ABCD' }
  const { parts, done, printed, packed } = await scene(secrets)
  const onMac = { ...parts, host: 'darwin' as const }
  expect(await release(wishesOf(['1.4.0'], 'darwin'), onMac)).toBe(true)
  expect(packed[0]!.args).toContain('--mac')
  expect(packed[0]!.env).toEqual(secrets)
  expect(done.at(-1)).toBe('gpg --armor')
  expect(printed.join('\n')).toContain(
    'notarised: no (needs APPLE_API_KEY, APPLE_API_KEY_ID, APPLE_API_ISSUER)',
  )
  expect(printed.join('\n')).not.toContain('canary')
})

test('the arguments', () => {
  expect(wishesOf(['1.0.0', '--', '--linux', 'dir'], 'win32')).toEqual({
    version: '1.0.0',
    feed: undefined,
    system: 'win',
    dryRun: false,
    more: ['--linux', 'dir'],
  })
  for (const wrong of [
    [],
    ['--dry-run'],
    ['1.0.0', '2.0.0'],
    ['1.0.0', '--system', 'amiga'],
    ['1.0.0', '--now'],
  ]) {
    expect(() => wishesOf(wrong, 'linux')).toThrow('Say which version')
  }
})

test('versions are ordered as Semantic Versioning orders them', () => {
  const order =
    '1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1 1.2.0 1.10.0 2.0.0'
  const versions = order.split(' ').map((text) => versionOf(text)!)
  fc.assert(
    fc.property(fc.shuffledSubarray(versions), (some) => {
      const sorted = some.toSorted(compareVersions)
      expect(sorted).toEqual(versions.filter((one) => some.includes(one)))
    }),
  )
  for (const wrong of ['1', '1.0', 'v1.0.0', '01.0.0', '1.0.0-', '1.0.0-01', '1.0.0+5', ' 1.0.0', '1.0.0 ']) {
    expect([wrong, versionOf(wrong)]).toEqual([wrong, undefined])
  }
})

test('notes of a version end where the next one begins', () => {
  expect(releaseNotes(changelog, '1.3.0')).toBe('- Older.')
  expect(releaseNotes(changelog, '1.3')).toBe('')
  expect(releaseNotes('## [1.0.0]\r\n- a\r\n[1.0.0]: https://a.example\r\n', '1.0.0')).toBe('- a')
})

test('what goes out, and what does not', () => {
  const out = ['a.dmg', 'a.zip', 'a b.exe', 'a.exe.blockmap', 'beta-mac.yml', 'vitrine-1.0.0-mac.cdx.json']
  const kept = ['builder-debug.yml', 'builder-effective-config.yaml', 'SHA256SUMS', 'mac-arm64', 'x.yml']
  expect([...out, ...kept].filter(isArtifact)).toEqual(out)
})
