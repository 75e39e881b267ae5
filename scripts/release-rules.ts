/** What has to be so before a release is made, and what it consists of. Pure: the release reads, this decides. */

/** Systems as the packager names them. */
export const systems = ['linux', 'mac', 'win'] as const
export type System = (typeof systems)[number]

export interface Wishes {
  /** Version as it was typed, to be compared with the package's. */
  readonly version: string
  readonly feed: string | undefined
  readonly system: System
  readonly dryRun: boolean
  /** Goes to the packager as it is. */
  readonly more: readonly string[]
}

/** What the repository says. */
export interface Standing {
  readonly packageVersion: string
  readonly changelog: string
  /** Names of files that are changed or not known to git. */
  readonly dirty: readonly string[]
  readonly tags: readonly string[]
  readonly host: NodeJS.Platform
}

const usage =
  'Say which version: npm run release -- VERSION [--feed URL] [--system linux|mac|win] [--dry-run] [-- what goes to electron-builder]'

/** @throws Error with one sentence */
export function wishesOf(args: readonly string[], host: NodeJS.Platform): Wishes {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const own = args.slice(0, end)
  const valueOf = (name: string) => (own.includes(name) ? (own[own.indexOf(name) + 1] ?? '') : undefined)
  const known = new Set(['--feed', '--system', '--dry-run'])
  const values = new Set(
    ['--feed', '--system'].flatMap((name) => (own.includes(name) ? [own.indexOf(name) + 1] : [])),
  )
  const rest = own.filter((arg, at) => !known.has(arg) && !values.has(at))
  const [version] = rest
  if (rest.length !== 1 || version === undefined || version.startsWith('-')) throw new Error(usage)
  const system = valueOf('--system') ?? systemOf(host)
  if (!isSystem(system)) throw new Error(usage)
  const feed = valueOf('--feed')
  return { version, feed, system, dryRun: own.includes('--dry-run'), more: args.slice(end + 1) }
}

function isSystem(text: string): text is System {
  return systems.some((one) => one === text)
}

function systemOf(host: NodeJS.Platform): System {
  if (host === 'darwin') return 'mac'
  return host === 'win32' ? 'win' : 'linux'
}

/** Everything that stands against a release, each as a sentence. */
export function troubles(wishes: Wishes, standing: Standing): string[] {
  const { version, feed, system } = wishes
  const { packageVersion, changelog, dirty, tags, host } = standing
  const wanted = versionOf(version)
  const earlier = tags.flatMap((tag) => versionOf(tag.replace(/^v/, '')) ?? [])
  const newest = earlier.toSorted(compareVersions).at(-1)
  const found: (string | false)[] = [
    wanted === undefined && `"${version}" is no version such as 1.4.0 or 1.5.0-beta.2.`,
    version !== packageVersion &&
      `package.json says ${packageVersion}, not ${version}. Set it with "npm version ${version} --no-git-tag-version", and commit.`,
    dirty.length > 0 &&
      `The tree is not clean (${dirty.slice(0, 3).join(', ')}${dirty.length > 3 ? ' and more' : ''}). Commit first, or work in a clean clone.`,
    tags.includes(`v${version}`) && `v${version} was released already.`,
    wanted !== undefined &&
      newest !== undefined &&
      compareVersions(wanted, newest) < 0 &&
      `${version} is older than ${newest.text}, which was released.`,
    releaseNotes(changelog, version) === '' &&
      `CHANGELOG.md says nothing under "## [${version}]". Give what is under "Unreleased" that heading.`,
    feed !== undefined && !isFeed(feed) && 'The feed has to be an https address of a folder.',
    system !== systemOf(host) &&
      `Packages for ${system} are made on that system: the libraries for pictures come for the machine they are installed on.`,
  ]
  return found.filter((one) => one !== false)
}

function isFeed(text: string): boolean {
  return URL.canParse(text) && /^https:$/.test(new URL(text).protocol) && !new URL(text).username
}

interface Version {
  readonly text: string
  readonly numbers: readonly [number, number, number]
  /** Empty for a version for everybody. */
  readonly before: readonly string[]
}

/** A version by the rules of Semantic Versioning, without build metadata. */
export function versionOf(text: string): Version | undefined {
  const number = '(0|[1-9]\\d{0,8})'
  const match = new RegExp(
    `^${number}\\.${number}\\.${number}(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?$`,
  ).exec(text)
  if (!match) return undefined
  const [, major, minor, patch, before] = match
  const parts = before?.split('.') ?? []
  if (parts.some((part) => /^0\d+$/.test(part))) return undefined
  return { text, numbers: [Number(major), Number(minor), Number(patch)], before: parts }
}

/** Negative where `a` comes before `b`. */
export function compareVersions(a: Version, b: Version): number {
  for (const at of [0, 1, 2] as const)
    if (a.numbers[at] !== b.numbers[at]) return a.numbers[at] - b.numbers[at]
  if (a.before.length === 0 || b.before.length === 0) return b.before.length - a.before.length
  for (let at = 0; at < Math.max(a.before.length, b.before.length); at += 1) {
    const order = compareParts(a.before[at], b.before[at])
    if (order !== 0) return order
  }
  return 0
}

function compareParts(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1
  const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isNumber && isOther) return Number(a) - Number(b)
  if (isNumber !== isOther) return isNumber ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

/** What the changelog says under a version's heading; empty where there is nothing. */
export function releaseNotes(changelog: string, version: string): string {
  const lines = changelog.split(/\r?\n/)
  const start = lines.findIndex((line) => line.startsWith(`## [${version}]`))
  if (start < 0) return ''
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^## |^\[[^\]]+\]: /.test(line))
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .join('\n')
    .trim()
}

/** Names in the environment that signing needs; all of a group, or that part stays unsigned. */
const secrets: Readonly<
  Record<System, readonly { readonly what: string; readonly names: readonly string[] }[]>
> = {
  linux: [],
  mac: [
    { what: 'signed', names: ['CSC_LINK', 'CSC_KEY_PASSWORD'] },
    { what: 'notarised', names: ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'] },
  ],
  win: [{ what: 'signed', names: ['WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'] }],
}
const listSecret = { what: 'the list of checksums is signed', names: ['VITRINE_GPG_KEY'] }

type Env = Readonly<Record<string, string | undefined>>

/** What is signed and what is not, a sentence each; values are never looked at but for being there. */
export function signing(system: System, env: Env): { readonly isSigned: boolean; readonly lines: string[] } {
  const groups = [...secrets[system], listSecret]
  const has = (names: readonly string[]) => names.every((name) => (env[name] ?? '') !== '')
  const lines = groups.map(({ what, names }) =>
    has(names) ? `${what}: yes (${names.join(', ')})` : `${what}: no (needs ${names.join(', ')})`,
  )
  if (system === 'linux') lines.unshift('packages for Linux carry no signature of their own')
  return { isSigned: secrets[system].length > 0 && has(secrets[system][0]!.names), lines }
}

/** Arguments for the packager. */
export function packagerArguments({ system, feed, more }: Wishes, notesFile: string): string[] {
  return [
    '--config',
    'electron-builder.yml',
    ...(more.some((arg) => systems.some((one) => arg === `--${one}`)) ? [] : [`--${system}`]),
    '--publish',
    'never',
    `-c.releaseInfo.releaseNotesFile=${notesFile}`,
    // An address makes the package ask for updates there, and writes the list that has to lie there.
    ...(feed === undefined ? [] : ['-c.publish.provider=generic', `-c.publish.url=${feed}`]),
    ...more,
  ]
}

/** What goes out, of everything that the packager leaves in its folder. */
export function isArtifact(name: string): boolean {
  return /\.(AppImage|deb|dmg|zip|exe|blockmap)$|^(latest|beta|alpha)[\w-]*\.yml$|^vitrine-[\w.-]+\.cdx\.json$/.test(
    name,
  )
}
