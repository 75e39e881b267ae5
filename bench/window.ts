import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium, type Browser, type Page } from 'playwright-core'

/** The folder of the program. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** A headless browser without a GPU, as machines of these figures have none. @throws Error where there is none */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const found = await promisify(execFile)(process.execPath, [join(root, 'scripts/chromium.ts')])
  return chromium.launch({
    executablePath: found.stdout.trim(),
    args: ['--disable-gpu', '--disable-background-networking', '--no-first-run', ...more],
  })
}

/** A page of the size that figures are given for. */
export function openPage(browser: Browser): Promise<Page> {
  return browser.newPage({ viewport: { width: 1440, height: 900 } })
}

export interface Served {
  /** Where the window is; good for one page. */
  readonly address: string
  /** Asks the program to end, and waits until it has. */
  readonly end: () => Promise<void>
}

/** Starts `vitrine serve` with that environment. @throws Error where it ends before it says its address */
export async function serveWindow(env: NodeJS.ProcessEnv): Promise<Served> {
  const child = spawn(process.execPath, [join(root, 'cli/main.ts'), 'serve', '--no-open', '--json'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  const address = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
      const line = text.slice(0, Math.max(0, text.indexOf('\n')))
      if (line) resolve((JSON.parse(line) as { readonly url: string }).url)
    })
    child.once('exit', () => reject(new Error('The program ended before it said its address.')))
  })
  const end = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { address, end }
}
