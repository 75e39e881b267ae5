import { access, glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './tool.ts'

const documents = ['*.md', 'docs/**/*.md', 'practice-service/*.md']

test('every link between the documents leads somewhere', async () => {
  const dead: string[] = []
  let links = 0
  for await (const document of glob(documents, { cwd: root })) {
    const text = await readFile(join(root, document), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      links += 1
      const found = await access(join(root, dirname(document), target)).then(
        () => true,
        () => false,
      )
      if (!found) dead.push(`${document} links to ${target}`)
    }
  }
  expect(dead).toEqual([])
  expect(links).toBeGreaterThan(20)
})

test('every decision is listed, is short, and has the same three parts', async () => {
  const list = await readFile(join(root, 'docs/decisions/README.md'), 'utf8')
  for await (const page of glob('docs/decisions/[0-9]*.md', { cwd: root })) {
    const text = await readFile(join(root, page), 'utf8')
    expect(list).toContain(`](${page.slice(page.lastIndexOf('/') + 1)})`)
    expect(text.match(/^## .*$/gm)).toEqual(['## Context', '## Decision', '## Consequences'])
    expect(text.split('\n').length).toBeLessThanOrEqual(41)
  }
})

test('every npm script that a document or a source names is there', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const sources = '{shared,engine,practice-service,cli,electron,renderer,bench,scripts}/**/*.ts'
  const missing: string[] = []
  for await (const document of glob([...documents, sources], { cwd: root })) {
    const text = await readFile(join(root, document), 'utf8')
    for (const [, name = ''] of text.matchAll(/npm run (?:-s )?([a-z-]+)/g)) {
      if (!(name in scripts)) missing.push(`${document}: npm run ${name}`)
    }
  }
  expect(missing).toEqual([])
})
