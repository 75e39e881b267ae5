import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, vi } from 'vitest'
import { openBrowser, servePage, type PageServer } from './browser.ts'

/** Milliseconds; far more than is needed, since a browser on a busy machine is slow at everything. */
const patience = 180_000

/** The window over made-up answers, for all tests of a file. Returns what opens it at a place, in a scene. */
export function useStage(): (place: string) => Promise<Page> {
  vi.setConfig({ testTimeout: patience, hookTimeout: patience })
  let browser: Browser
  let server: PageServer
  beforeAll(async () => {
    server = await servePage('sheet')
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  return async (place) => {
    const viewport = { width: 1440, height: 900 }
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
    context.setDefaultTimeout(patience)
    const page = await context.newPage()
    await page.goto(`${server.url}/dev/stage.html?scene=running${place}`)
    return page
  }
}
