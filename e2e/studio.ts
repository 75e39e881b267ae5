import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, expect, vi, type TestContext } from 'vitest'
import {
  startPracticeService,
  type PracticeOptions,
  type PracticeService,
} from '../practice-service/start.ts'
import {
  openWindow,
  pictureOfFailure,
  sharedBrowser,
  shell,
  type ShellWindow,
  type WindowOptions,
} from './shells.ts'

/** Milliseconds; far more than is needed, since a browser on a busy machine is slow at everything. */
export const patience = 180_000
vi.setConfig({ testTimeout: 2 * patience, hookTimeout: patience })

const browser = sharedBrowser()
afterAll(() => browser.close())

export interface StudioOptions {
  readonly practice?: PracticeOptions
  /** How long a submission without an answer must stay absent before it is sent again. */
  readonly settleSeconds?: number
  readonly width?: number
  readonly height?: number
  readonly theme?: 'dark' | 'light'
  readonly locale?: string
  readonly language?: string
}

/** The key of the studio's account. */
export const key = 'a-key-that-only-the-studio-knows'

/**
 * A photographer's computer: a home folder of its own, an account on a practice service of its own, and the program's
 * window, in whichever shell this machine has.
 */
export class Studio {
  readonly home: string
  readonly service: PracticeService
  /** What the page complained of; a test ends with none. */
  readonly complaints: string[] = []
  readonly #options: StudioOptions
  #window: ShellWindow | undefined

  constructor(home: string, service: PracticeService, options: StudioOptions) {
    this.home = home
    this.service = service
    this.#options = options
  }

  get page(): Page {
    return this.#opened().page
  }

  get context(): BrowserContext {
    return this.#opened().context
  }

  /** Starts the program and shows its window; what was kept by an earlier start is still there. */
  async start(again: Pick<WindowOptions, 'port' | 'context'> = {}): Promise<Page> {
    const env = {
      PATH: process.env['PATH'] ?? '',
      ...(process.env['DISPLAY'] === undefined ? {} : { DISPLAY: process.env['DISPLAY'] }),
      HOME: this.home,
      VITRINE_HOME: join(this.home, 'data'),
      VITRINE_SETTLE_SECONDS: String(this.#options.settleSeconds ?? 180),
    }
    const opened = await openWindow(browser.get, {
      ...this.#options,
      ...again,
      env,
      patience,
    })
    this.#window = opened
    this.listenTo(opened.page)
    if (opened.address !== undefined) await opened.page.goto(opened.address)
    return opened.page
  }

  /** Chooses a file in the dialog that `ask` opens. */
  async chooseFile(path: string, ask: () => Promise<void>) {
    const { page, answerDialogs } = this.#opened()
    if (answerDialogs) {
      await answerDialogs([path])
      await ask()
      return
    }
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), ask()])
    await chooser.setFiles(path)
  }

  listenTo(page: Page) {
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('console', (message) => {
      // A picture that cannot be shown is told by its tile; a browser reports it by itself all the same.
      const isPicture = message.location().url.includes('/picture')
      if (message.type() === 'error' && !isPicture) this.complaints.push(message.text())
    })
  }

  /** The program ends in good order, and its window with it. */
  async quit() {
    const ending = this.#window
    this.#window = undefined
    await ending?.quit()
    await ending?.context.close().catch(() => undefined)
  }

  /** The power goes. In the browser shell the page is left behind, without a program. */
  async kill(): Promise<ShellWindow> {
    const ending = this.#opened()
    this.#window = undefined
    await ending.kill()
    return ending
  }

  /** Every file below a folder of the home, relative to it, in order. */
  files(folder = ''): readonly string[] {
    const top = join(this.home, folder)
    return readdirSync(top, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(top, join(entry.parentPath, entry.name)))
      .sort()
  }

  /** A new folder in the home. */
  folder(name: string): string {
    const path = join(this.home, name)
    mkdirSync(path, { recursive: true })
    return path
  }

  /** How often each source was taken and charged, by the service's own books. */
  charges(): Readonly<Record<string, number>> {
    const times: Record<string, number> = {}
    for (const { source } of this.service.books().runs) {
      if (source !== undefined) times[source] = (times[source] ?? 0) + 1
    }
    return times
  }

  #opened(): ShellWindow {
    if (!this.#window) throw new Error('The program is not running.')
    return this.#window
  }
}

/** A studio for one test, with the program started; it is cleared away after the test. */
export async function openStudio(
  { onTestFinished, task }: Pick<TestContext, 'onTestFinished' | 'task'>,
  options: StudioOptions = {},
): Promise<Studio> {
  const service = await startPracticeService({
    imageWork: 'echo',
    processing: 0.05,
    concurrency: 8,
    accounts: [{ key, name: 'studio', subscriptionCredits: 500, otherCredits: 0 }],
    ...options.practice,
  })
  const home = mkdtempSync(join(tmpdir(), 'vitrine-studio-'))
  const studio = new Studio(home, service, options)
  onTestFinished(async () => {
    if (task.result?.state === 'fail') await leavePicture(studio, task.name)
    await studio.quit()
    await service.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })
  await studio.start()
  return studio
}

async function leavePicture(studio: Studio, title: string) {
  const folder = join(tmpdir(), 'vitrine-failures')
  mkdirSync(folder, { recursive: true })
  const path = pictureOfFailure(folder, title)
  const taken = await studio.page.screenshot({ path, timeout: 10_000 }).then(
    () => true,
    () => false,
  )
  const complaints = studio.complaints.map((text) => `\n  ${text}`).join('')
  process.stdout.write(`${shell}: ${taken ? path : 'no picture could be taken'}${complaints}\n`)
}

/** Waits for a condition, however long a busy machine takes. */
export async function eventually(check: () => void | Promise<void>, milliseconds: number = patience) {
  await vi.waitFor(check, { timeout: milliseconds, interval: 50 })
}

/** The studio's page must not have complained. */
export function expectQuiet(studio: Studio) {
  expect(studio.complaints).toEqual([])
}

/** The lines of a file, without the empty one at its end. */
export function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n')
}
