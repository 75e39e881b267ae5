import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const dist = fileURLToPath(new URL('../dist/renderer', import.meta.url))
/** Bytes, compressed, of what must be read before the page shows anything; what is loaded later does not count. */
const budget = 280_000

test('the page starts from few and light files, with nothing inline', async () => {
  const html = await readFile(join(dist, 'index.html'), 'utf8').catch(() => '')
  expect(html, 'dist/renderer is not there: run npm run build').not.toBe('')
  expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+="|<script(?![^>]* src=)/)
  const [, entry = ''] = /<script[^>]* src="\.\/(assets\/[^"]+\.js)"/.exec(html) ?? []
  // The entry names what it reads next, once the language is known: the window with all that it needs.
  const named = `${html} ${await readFile(join(dist, entry), 'utf8')}`
  const files = new Set(
    [...named.matchAll(/"\.\/(?:assets\/)?([^"/]+\.(?:js|css))"/g)].map(([, file = '']) => file),
  )
  expect([...files].some((file) => file.startsWith('window-'))).toBe(true)
  expect([...files].some((file) => file.startsWith('german'))).toBe(false)
  let bytes = 0
  for (const file of files) bytes += gzipSync(await readFile(join(dist, 'assets', file))).length
  expect(bytes).toBeLessThan(budget)
})
