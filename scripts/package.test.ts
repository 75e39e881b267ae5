import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { root } from './tool.ts'

const table = z.record(z.string(), z.string())
const packageFile = z.object({
  dependencies: table,
  devDependencies: table,
  optionalDependencies: table,
  scripts: table,
})
const lockFile = z.object({ packages: z.record(z.string(), z.record(z.string(), z.unknown())) })

async function read<T>(file: string, schema: z.ZodType<T>): Promise<T> {
  return schema.parse(JSON.parse(await readFile(join(root, file), 'utf8')))
}

describe('the packages', () => {
  test('every version is exact', async () => {
    const stated = await read('package.json', packageFile)
    const versions = { ...stated.dependencies, ...stated.devDependencies, ...stated.optionalDependencies }
    const loose = Object.entries(versions).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))
    expect(loose).toEqual([])
  })

  test('the lock file has a checksum for each and names no place to fetch them from', async () => {
    const { packages } = await read('package-lock.json', lockFile)
    const entries = Object.entries(packages).filter(([path]) => path !== '')
    expect(entries.length).toBeGreaterThan(50)
    expect(
      entries.filter(([, entry]) => typeof entry['integrity'] !== 'string').map(([path]) => path),
    ).toEqual([])
    expect(entries.filter(([, entry]) => 'resolved' in entry).map(([path]) => path)).toEqual([])
  })

  test('none needs a script to install', async () => {
    const { packages } = await read('package-lock.json', lockFile)
    const scripted = Object.entries(packages).filter(([, entry]) => entry['hasInstallScript'] === true)
    // Comes with electron-builder for a kind of installer that is not made here; .npmrc keeps its script from running.
    expect(scripted.map(([path]) => path)).toEqual(['node_modules/electron-winstaller'])
    expect(await readFile(join(root, '.npmrc'), 'utf8')).toContain('ignore-scripts=true')
  })
})

test('continuous integration runs the test command and nothing else', async () => {
  const lines = (await readFile(join(root, '.ci/run'), 'utf8')).split('\n')
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual(['exec npm test'])
  expect((await stat(join(root, '.ci/run'))).mode & 0o111).not.toBe(0)
})

test('every script that runs our sources runs them on Node 24', async () => {
  const { scripts } = await read('package.json', packageFile)
  const ours = Object.values(scripts).filter((script) => /\.(ts|mjs)\b/.test(script))
  expect(ours.filter((script) => !script.startsWith('node scripts/start.mjs '))).toEqual([])
})
