import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

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

/** A file of the built page, as it goes to the window. */
export interface PageFile {
  /** The media type. */
  readonly type: string
  readonly bytes: Buffer
  /** Its name changes with its content: it may be kept for ever. */
  readonly lasting: boolean
}

/**
 * The built page, for either shell: a list of its files by the address that asks for them, taken once. What is not on
 * the list is not served, and nothing that a request says becomes part of a path: there is nothing to climb out of.
 */
export class PageFiles {
  readonly #paths: ReadonlyMap<string, string>

  private constructor(paths: ReadonlyMap<string, string>) {
    this.#paths = paths
  }

  /**
   * @param folder where the page was built to
   * @throws where the folder cannot be read or has no page in it
   */
  static async in(folder: string): Promise<PageFiles> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = new Map<string, string>()
    for (const entry of entries) {
      // A link is no file of the build.
      if (!entry.isFile() || typeOf(entry.name) === undefined) continue
      const path = join(entry.parentPath, entry.name)
      const below = path.slice(folder.length).replaceAll('\\', '/').replace(/^\/*/, '/')
      paths.set(encodeURI(below), path)
    }
    if (!paths.has('/index.html')) throw new Error(`There is no page in ${folder}.`)
    return new PageFiles(paths)
  }

  /** @param address the path of the request, undecoded; `/` is the page itself. Undefined: no such file. */
  async read(address: string): Promise<PageFile | undefined> {
    const wanted = address === '/' ? '/index.html' : address
    const path = this.#paths.get(wanted)
    if (path === undefined) return undefined
    return { bytes: await readFile(path), type: typeOf(path)!, lasting: wanted.startsWith('/assets/') }
  }
}

function typeOf(name: string): string | undefined {
  return types[extname(name).toLowerCase()]
}
