import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './tool.ts'

const page = 'docs/reliability.md'

test('every threat, fault and crash point has a row, and says how it is shown', async () => {
  const text = await readFile(join(root, page), 'utf8')
  const rows = [...text.matchAll(/^\| ([TFK]\d+b?) \| (.+) \| (.+) \|$/gm)]
  const wanted = [
    ...Array.from({ length: 24 }, (_, n) => `T${n + 1}`),
    ...Array.from({ length: 30 }, (_, n) => `F${n + 1}`),
    ...Array.from({ length: 18 }, (_, n) => `K${n}`),
    'K7b',
  ]
  expect(new Set(rows.map(([, id]) => id))).toEqual(new Set(wanted))
  expect(rows).toHaveLength(wanted.length)
})

test('every file that the pages on reliability and security name is there', async () => {
  const missing: string[] = []
  let named = 0
  for (const document of [page, 'docs/security.md']) {
    const text = await readFile(join(root, document), 'utf8')
    for (const [, path = ''] of text.matchAll(/`([a-z][\w-]*(?:\/[\w.-]+)+\.(?:ts|tsx|yml))`/g)) {
      named += 1
      const found = await access(join(root, path)).then(
        () => true,
        () => false,
      )
      if (!found) missing.push(`${document} names ${path}`)
    }
  }
  expect(missing).toEqual([])
  expect(named).toBeGreaterThan(80)
})
