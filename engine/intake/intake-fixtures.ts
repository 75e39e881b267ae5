import { mkdtemp, rm } from 'node:fs/promises'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder of its own for one test, with files by relative path; `remove` takes it away. */
export async function folderWith(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<{ root: string; path: (name: string) => string; remove: () => Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), 'vitrine-intake-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), content)
  }
  return { root, path: (name) => join(root, name), remove: () => rm(root, { recursive: true, force: true }) }
}
