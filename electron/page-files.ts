import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** One file of the built page. */
export interface PageFile {
  readonly path: string
  readonly type: string
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/**
 * The files of the built page by the address path that asks for them. What is not in this table is not served, and
 * nothing that a request says ever becomes part of a path: there is nothing to climb out of.
 * @throws where the folder cannot be read
 */
export async function pageFilesIn(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = new Map<string, PageFile>()
  for (const entry of entries) {
    const type = types[extname(entry.name).toLowerCase()]
    // A link is no file of the build.
    if (!entry.isFile() || type === undefined) continue
    const path = join(entry.parentPath, entry.name)
    const below = path.slice(folder.length).replaceAll('\\', '/').replace(/^\/*/, '/')
    files.set(encodeURI(below), { path, type })
  }
  return files
}
