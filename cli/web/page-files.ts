import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

/** A file of the built page. */
export interface PageFile {
  readonly type: string
  readonly bytes: Buffer
  /** Its name changes with its content: it may be kept for ever. */
  readonly lasting: boolean
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
}

/**
 * The built page: a list of its files, taken once. Only what is on the list is served, so that no spelling of a path
 * leads anywhere else (RELIABILITY T8).
 */
export class PageFiles {
  readonly #paths: ReadonlyMap<string, string>

  /** @param folder where the page was built to; a folder that is not there has no files. */
  constructor(folder: string) {
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && types[extname(entry.name)] !== undefined)
      .map((entry) => join(entry.parentPath, entry.name))
    this.#paths = new Map(names.map((path) => [addressOf(path.slice(folder.length)), path]))
  }

  /** @param path of the request, undecoded; `/` is the page itself. */
  async read(path: string): Promise<PageFile | undefined> {
    const address = path === '/' ? '/index.html' : path
    const file = this.#paths.get(address)
    if (file === undefined) return undefined
    const bytes = await readFile(file).catch(() => undefined)
    return bytes && { bytes, type: types[extname(file)]!, lasting: address.startsWith('/assets/') }
  }
}

function addressOf(relative: string): string {
  return relative.split(sep).map(encodeURIComponent).join('/')
}
