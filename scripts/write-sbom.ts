// The list of all that goes out with the program, for a release: dist/sbom.cdx.json (CycloneDX), from the lock file alone.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shippedLibraries } from './notices.ts'
import { root } from './tool.ts'

interface Sbom {
  readonly components: readonly {
    readonly name: string
    readonly version: string
    readonly 'bom-ref': string
  }[]
  readonly dependencies: readonly { readonly ref: string }[]
}

const command = 'npm sbom --package-lock-only --sbom-format=cyclonedx --sbom-type=application'
const options = { cwd: root, shell: true, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
const { status, stdout, stderr } = spawnSync(command, options)
if (status === 0) {
  const whole = JSON.parse(stdout) as Sbom
  const lock: unknown = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  // What the page is built from is installed for development, and goes out all the same.
  const shipped = new Set(shippedLibraries(lock).map(({ name, version }) => `${name}@${version}`))
  const components = whole.components.filter(({ name, version }) => shipped.has(`${name}@${version}`))
  const refs = new Set(components.map((one) => one['bom-ref']))
  const dependencies = whole.dependencies.filter(({ ref }) => refs.has(ref))
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(
    join(root, 'dist', 'sbom.cdx.json'),
    JSON.stringify({ ...whole, components, dependencies }, null, 1),
  )
  process.stdout.write(`dist/sbom.cdx.json names ${components.length} of ${shipped.size} packages.\n`)
  if (components.length < shipped.size) process.exitCode = 1
} else {
  process.stderr.write(`npm could not write the list of packages: ${stderr.trim().split('\n')[0]}\n`)
  process.exitCode = 1
}
