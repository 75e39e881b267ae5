import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
      dependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
})

type Packages = z.infer<typeof lockSchema>['packages']

/** A library that goes out with the program. */
export type Shipped = {
  readonly name: string
  readonly version: string
  /** SPDX expression. */
  readonly licence: string
  /** Its folder below the project's; packages of other platforms are not there. */
  readonly folder: string
  readonly everywhere: boolean
}

/** Packages that are installed for development alone, and yet go out: the page is built from them into one file. */
export const bundledLibraries = [
  '@fontsource-variable/inter',
  '@fontsource-variable/jetbrains-mono',
  '@tanstack/react-virtual',
  'lucide-react',
  'react',
  'react-aria-components',
  'react-dom',
  'zustand',
]

/** Packages that state no licence for programs to read, but carry its text. */
const licencesByText: Readonly<Record<string, string>> = { 'png-js': 'MIT' }

/**
 * The libraries that a lock file names for running the program, and the `bundled` ones with all that they need, in the
 * order of their names.
 */
export function shippedLibraries(lock: unknown, bundled: readonly string[] = bundledLibraries): Shipped[] {
  const { packages } = lockSchema.parse(lock)
  const inPage = withDependencies(packages, bundled)
  return Object.entries(packages)
    .filter(([path, entry]) => path !== '' && (entry.dev !== true || inPage.has(path)))
    .map(([path, entry]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return {
        name,
        version: entry.version ?? '',
        licence: entry.license ?? licencesByText[name] ?? 'not stated',
        folder: path,
        everywhere: entry.optional !== true,
      }
    })
    .toSorted((a, b) => compare(a.name, b.name) || compare(a.version, b.version))
}

/** Paths of packages and of everything they depend on, found as Node finds them: nearest folder first. */
function withDependencies(packages: Packages, names: readonly string[]): ReadonlySet<string> {
  const paths = new Set<string>()
  const visit = (name: string, from: string) => {
    const path = nearest(packages, name, from)
    if (path === undefined || paths.has(path)) return
    paths.add(path)
    for (const needed of Object.keys(packages[path]?.dependencies ?? {})) visit(needed, `${path}/`)
  }
  for (const name of names) visit(name, '')
  return paths
}

function nearest(packages: Packages, name: string, from: string): string | undefined {
  const path = `${from}node_modules/${name}`
  if (path in packages) return path
  if (from === '') return undefined
  return nearest(packages, name, from.slice(0, from.lastIndexOf('node_modules/', from.length - 1)))
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

const head = `# Third-party libraries

Vitrine itself is under the MIT licence ([LICENSE](LICENSE)). It goes out with the libraries below, each under its own.
\`npm run notices\` writes this file from the lock file and the packages; a test fails when it is behind.

libvips, which sharp brings in a file of its own (\`@img/sharp-libvips-*\`), is under the LGPL, version 3
(<https://www.gnu.org/licenses/lgpl-3.0.html>): that file may be replaced by another build of libvips. SQLite, inside
better-sqlite3, is in the public domain. ExifTool, by Phil Harvey, inside \`exiftool-vendored.pl\` and \`exiftool-vendored.exe\`, is under
the same terms as Perl: the Artistic License or the GPL (<https://dev.perl.org/licenses/>); it runs as a program of its own.
`

/**
 * The text of THIRD-PARTY.md. The table names all libraries; licence texts are those of the packages that every platform
 * has, since only they are there wherever this runs, each text once.
 * @param root folder of the project, with its packages installed
 */
export async function noticesText(root: string, libraries: readonly Shipped[]): Promise<string> {
  const rows = libraries.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`)
  const texts = new Map<string, string[]>()
  for (const library of libraries.filter(({ everywhere }) => everywhere)) {
    const text = await licenceText(join(root, library.folder))
    texts.set(text, [...(texts.get(text) ?? []), library.name])
  }
  const sections = [...texts].map(([text, names]) => `### ${names.join(', ')}\n\n${text}`)
  return [head, '| Library | Version | Licence |\n| --- | --- | --- |', ...rows]
    .join('\n')
    .concat('\n\n## Licence texts\n\n', sections.join('\n\n'), '\n')
}

async function licenceText(folder: string): Promise<string> {
  const file = (await readdir(folder)).toSorted().find((name) => /^(licen[cs]e|copying)/i.test(name))
  if (file === undefined) return 'The package carries no text of its licence; the table names it.'
  const text = await readFile(join(folder, file), 'utf8')
  return `\`\`\`text\n${text.replaceAll('\r\n', '\n').trim()}\n\`\`\``
}
