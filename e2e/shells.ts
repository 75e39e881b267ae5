import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { _electron, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { electronProgram, isDesktopBuilt, packageFolder } from './electron-program.ts'

/** The program's window in one of its two shells. */
export interface ShellWindow {
  readonly page: Page
  readonly context: BrowserContext
  /** In the browser shell: the address that was printed at the start. It is good for one page. */
  readonly address: string | undefined
  /** In the desktop shell: what a person chooses in the system's next dialogs. A browser has a chooser of its own. */
  readonly answerDialogs: ((paths: readonly string[]) => Promise<void>) | undefined
  /** Asks the program to end, and waits until it has. */
  readonly quit: () => Promise<void>
  /** Ends the program as a power cut would, and waits until it is gone. */
  readonly kill: () => Promise<void>
}

export interface WindowOptions {
  /** Environment of the program: what is not in it is not there. */
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds that a person would wait for anything. */
  readonly patience: number
  readonly width?: number
  readonly height?: number
  readonly theme?: 'dark' | 'light'
  /** Of the machine, a BCP 47 tag; en-US by default. */
  readonly locale?: string
  /** What the window has kept of its language, as shared/language/choice.ts names it. */
  readonly language?: string
  /** Port of the browser shell; any free one by default. */
  readonly port?: number
  /** A browser's session to open the page in, in place of a new one. */
  readonly context?: BrowserContext
}

/** Which shell the scenarios are driven in on this machine. */
export const shell: 'Electron' | 'browser' =
  electronProgram() !== undefined && isDesktopBuilt() ? 'Electron' : 'browser'

/** Starts the program and opens its window. @throws Error where it does not come up */
export function openWindow(browser: () => Promise<Browser>, options: WindowOptions): Promise<ShellWindow> {
  return shell === 'Electron' ? openDesktop(options) : openServed(browser, options)
}

/** One headless browser for all windows of a test file. */
export function sharedBrowser() {
  let opening: Promise<Browser> | undefined
  return {
    get: () => (opening ??= openBrowser()),
    close: async () => await (await opening)?.close(),
  }
}

async function openServed(browser: () => Promise<Browser>, options: WindowOptions): Promise<ShellWindow> {
  const { env, port = 0 } = options
  const parameters = ['cli/main.ts', 'serve', '--no-open', '--json', '--port', String(port)]
  const child = spawn(process.execPath, parameters, {
    cwd: packageFolder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const end = said.indexOf('\n')
      if (end >= 0) resolve((JSON.parse(said.slice(0, end)) as { readonly url: string }).url)
    })
    child.once('close', () => reject(new Error(`The program ended before it said its address: ${errors}`)))
  })
  const context = options.context ?? (await newContext(await browser(), options))
  const page = await context.newPage()
  const end = (signal: 'SIGTERM' | 'SIGKILL') => async () => {
    child.kill(signal)
    await ended
  }
  return { page, context, address, answerDialogs: undefined, quit: end('SIGTERM'), kill: end('SIGKILL') }
}

async function newContext(browser: Browser, options: WindowOptions): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.theme ?? 'dark',
    reducedMotion: 'reduce',
    locale: options.locale ?? 'en-US',
    acceptDownloads: true,
  })
  await keepLanguage(context, options)
  context.setDefaultTimeout(options.patience)
  return context
}

/** As an earlier start of the program would have. */
async function keepLanguage(context: BrowserContext, { language }: WindowOptions) {
  if (language === undefined) return
  await context.addInitScript(`localStorage.setItem('vitrine.language', ${JSON.stringify(language)})`)
}

async function openDesktop(options: WindowOptions): Promise<ShellWindow> {
  const app = await _electron.launch({
    executablePath: electronProgram()!,
    args: [packageFolder],
    chromiumSandbox: process.getuid?.() !== 0,
    env: options.env,
    colorScheme: options.theme ?? 'dark',
    locale: options.locale ?? 'en-US',
  })
  const context = app.context()
  await keepLanguage(context, options)
  const page = await app.firstWindow()
  context.setDefaultTimeout(options.patience)
  const { width = 1440, height = 900 } = options
  await app.evaluate(
    ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
    { width, height },
  )
  const child = app.process()
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return {
    page,
    context,
    address: undefined,
    async answerDialogs(paths) {
      await app.evaluate(
        ({ dialog }, filePaths) => {
          dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths })
        },
        [...paths],
      )
    },
    // Through the system's own signal: closing the window would ask where a batch runs.
    async quit() {
      child.kill('SIGTERM')
      await ended
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Where a failing test leaves its last picture. */
export function pictureOfFailure(folder: string, title: string): string {
  return join(folder, `${title.replace(/\W+/g, '-').slice(0, 80)}.png`)
}
