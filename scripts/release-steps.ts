import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  isArtifact,
  packagerArguments,
  releaseNotes,
  signing,
  troubles,
  type Wishes,
} from './release-rules.ts'

type Env = Readonly<Record<string, string | undefined>>

/** How a program ended. */
export interface Ended {
  readonly ok: boolean
  readonly output: string
}

/** What a release is made with. */
export interface ReleaseParts {
  readonly root: string
  readonly host: NodeJS.Platform
  readonly env: Env
  readonly print: (line: string) => void
  readonly git: (args: readonly string[]) => Promise<Ended>
  /** Runs an npm script of the project. */
  readonly script: (name: string) => Promise<Ended>
  readonly packager: (args: readonly string[], env: Env) => Promise<Ended>
  readonly gpg: (args: readonly string[]) => Promise<Ended>
}

const listName = 'SHA256SUMS'

/**
 * Makes a release of what is committed: packages, updates' lists, the list of libraries, and checksums of all of them, in
 * dist/packages. It publishes nothing.
 * @returns whether it was made; why not was printed
 */
export async function release(wishes: Wishes, parts: ReleaseParts): Promise<boolean> {
  const { print, env } = parts
  const changelog = await readFile(join(parts.root, 'CHANGELOG.md'), 'utf8')
  const found = troubles(wishes, await standingOf(parts, changelog))
  for (const trouble of found) print(trouble)
  if (found.length > 0) return false
  const { isSigned, lines } = signing(wishes.system, env)
  print(`Vitrine ${wishes.version} for ${wishes.system}, from ${await commitOf(parts)}`)
  for (const line of lines) print(`  ${line}`)
  print(
    wishes.feed === undefined
      ? '  no feed: it will never ask for updates'
      : `  asks for updates at ${wishes.feed}`,
  )
  const out = join(parts.root, 'dist', 'packages')
  const notesFile = join(parts.root, 'dist', 'release-notes.md')
  const args = packagerArguments(wishes, notesFile)
  const libraries = `vitrine-${wishes.version}-${wishes.system}.cdx.json`
  if (wishes.dryRun) {
    for (const step of [
      'npm run build',
      'npm run build-desktop',
      `electron-builder ${args.join(' ')}`,
      'npm run sbom',
    ]) {
      print(`would run: ${step}`)
    }
    print(`would write: ${libraries} and ${listName} in dist/packages`)
    return true
  }
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  for (const name of ['build', 'build-desktop'])
    if (!said(print, name, await parts.script(name))) return false
  await writeFile(notesFile, releaseNotes(changelog, wishes.version))
  // Whatever identity lies about on this machine is not the publisher's.
  const packagerEnv = { ...env, ...(isSigned ? {} : { CSC_IDENTITY_AUTO_DISCOVERY: 'false' }) }
  if (!said(print, 'electron-builder', await parts.packager(args, packagerEnv))) return false
  if (!said(print, 'sbom', await parts.script('sbom'))) return false
  await copyFile(join(parts.root, 'dist', 'sbom.cdx.json'), join(out, libraries))
  return await writeChecksums(out, parts)
}

async function standingOf({ root, git, host }: ReleaseParts, changelog: string) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const [status, tags] = [await git(['status', '--porcelain']), await git(['tag', '--list', 'v*'])]
  const linesOf = ({ output }: Ended) => output.split('\n').filter((line) => line.trim() !== '')
  // Without git nobody knows what is in the tree.
  const dirty = status.ok ? linesOf(status).map((line) => line.slice(3)) : ['git cannot be asked']
  return { packageVersion: version, changelog, dirty, tags: tags.ok ? linesOf(tags) : [], host }
}

async function commitOf({ git }: ReleaseParts): Promise<string> {
  return (await git(['rev-parse', '--short=12', 'HEAD'])).output.trim()
}

function said(print: (line: string) => void, step: string, { ok, output }: Ended): boolean {
  print(`${ok ? '✓' : '✗'} ${step}`)
  if (!ok) print(output)
  return ok
}

/** Checksums as `sha256sum --check` reads them. */
async function writeChecksums(out: string, { print, env, gpg }: ReleaseParts): Promise<boolean> {
  const names = (await readdir(out)).filter(isArtifact).toSorted()
  if (!names.some((name) => /\.(AppImage|deb|dmg|zip|exe)$/.test(name))) {
    print('The packager has left no package in dist/packages.')
    return false
  }
  const lines: string[] = []
  for (const name of names) lines.push(`${await sha256(join(out, name))}  ${name}`)
  const list = join(out, listName)
  await writeFile(list, `${lines.join('\n')}\n`)
  const key = env['VITRINE_GPG_KEY']
  if (key) {
    const signed = await gpg(['--batch', '--yes', '--local-user', key, '--armor', '--detach-sign', list])
    if (!said(print, 'signature of the checksums', signed)) return false
  }
  for (const line of lines) print(line)
  return true
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
