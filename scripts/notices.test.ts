import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundledLibraries, noticesText, shippedLibraries } from './notices.ts'
import { root } from './tool.ts'

/** Licences under which a library may go out with a program under MIT; LGPL for libvips, a file of its own. */
const bearable = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'CC0-1.0',
  'BlueOak-1.0.0',
  'Python-2.0',
  // Of the two fonts: they may go out with a program, not be sold by themselves.
  'OFL-1.1',
  // DejaVu's: the Bitstream Vera and Arev terms, which say the same.
  'SEE LICENSE IN README.md AND LICENSE',
  'LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
  '(MIT OR CC0-1.0)',
])

async function libraries() {
  return shippedLibraries(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')))
}

test('THIRD-PARTY.md is up to date (else: npm run notices)', async () => {
  const written = await readFile(join(root, 'THIRD-PARTY.md'), 'utf8')
  expect(written.replaceAll('\r\n', '\n')).toBe(await noticesText(root, await libraries()))
})

test('no library has a licence that the program could not go out with', async () => {
  const others = (await libraries()).filter(({ licence }) => !bearable.has(licence))
  expect(others.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([])
})

test('packages for development are left out, those of other platforms are named', () => {
  const lock = {
    packages: {
      '': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.0', license: 'MIT' },
      'node_modules/a': { version: '1.0.0', license: 'ISC', optional: true },
      'node_modules/b/node_modules/@s/c': { version: '3.0.0', license: 'MIT' },
      'node_modules/tool': { version: '9.0.0', license: 'MIT', dev: true },
    },
  }
  const named = shippedLibraries(lock)
  expect(named.map(({ name, everywhere }) => [name, everywhere])).toEqual([
    ['@s/c', true],
    ['a', false],
    ['b', true],
  ])
})

test('what the page is built from goes out with it, and so does all that it needs', () => {
  const lock = {
    packages: {
      'node_modules/page': {
        version: '1.0.0',
        dev: true,
        dependencies: { part: '^2.0.0', shared: '^1.0.0' },
      },
      'node_modules/page/node_modules/part': {
        version: '2.0.0',
        dev: true,
        dependencies: { shared: '^1.0.0' },
      },
      'node_modules/part': { version: '1.0.0', dev: true },
      'node_modules/shared': { version: '1.0.0', dev: true, dependencies: { page: '^1.0.0' } },
    },
  }
  const named = shippedLibraries(lock, ['page']).map(({ name, version }) => `${name} ${version}`)
  expect(named).toEqual(['page 1.0.0', 'part 2.0.0', 'shared 1.0.0'])
})

test('no library is imported by the page and not named', async () => {
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const named = new Set([...bundledLibraries, ...Object.keys(dependencies)])
  const unnamed = new Set<string>()
  for await (const file of glob('{renderer,shared}/**/*.{ts,tsx,css}', { cwd: root })) {
    if (/\.(?:test|conformance)\.tsx?$/.test(file)) continue
    const text = await readFile(join(root, file), 'utf8')
    for (const [, from = ''] of text.matchAll(
      /^(?:@import |import |(?:import|export) [^'\n]*from |\} from )'([^'.][^'\s]*)'/gm,
    )) {
      const name = from
        .split('/')
        .slice(0, from.startsWith('@') ? 2 : 1)
        .join('/')
      if (!named.has(name)) unnamed.add(`${file}: ${name}`)
    }
  }
  expect([...unnamed]).toEqual([])
})
