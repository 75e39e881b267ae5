import { execFile } from 'node:child_process'
import { readFile } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium, type Browser } from 'playwright-core'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Flags that keep Chromium from asking the world anything; a test's browser looks at this machine alone. */
const quiet = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-features=OptimizationHints,MediaRouter,Translate',
]

/**
 * A headless Chromium: the one that scripts/chromium.ts finds.
 * @throws Error with that program's sentence where there is none
 */
export async function openBrowser(): Promise<Browser> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'scripts/chromium.ts')])
  return chromium.launch({ executablePath: stdout.trim(), args: quiet })
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.woff2': 'font/woff2',
}
/** What a page of ours is allowed at most. */
const strictPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob:; connect-src 'self'"

export interface PageServer {
  /** Without a slash at the end. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** Serves a built folder of dist/ on loopback, under the strict content policy. */
export async function servePage(folder: 'renderer' | 'sheet'): Promise<PageServer> {
  const served = join(root, 'dist', folder)
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://page').pathname)
    const type = types[extname(path)] ?? 'application/octet-stream'
    readFile(join(served, path), (error, body) => {
      if (error) response.writeHead(404).end()
      else
        response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': strictPolicy }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
