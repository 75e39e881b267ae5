/// <reference lib="dom" />
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openBrowser, servePage, type PageServer } from './browser.ts'

/** Milliseconds; far more than is needed, since a browser on a busy machine is slow at everything. */
const patience = 180_000
vi.setConfig({ testTimeout: patience, hookTimeout: patience })

let browser: Browser
let server: PageServer
let page: Page
const said: string[] = []

beforeAll(async () => {
  server = await servePage('sheet')
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
afterEach(() => page.context().close())

interface View {
  readonly theme?: 'dark' | 'light'
  readonly width?: number
  readonly height?: number
}

/** Opens a made-up scene at a place in the program. */
async function open(
  scene: string,
  hash = '#/batch/lookbook',
  { theme = 'dark', width = 1440, height = 900 }: View = {},
) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(patience)
  page = await context.newPage()
  said.length = 0
  page.on('pageerror', (error) => said.push(error.message))
  page.on('console', (message) => {
    // The stage has no pictures.
    if (message.type() === 'error' && !message.text().includes('404')) said.push(message.text())
  })
  await page.goto(`${server.url}/dev/stage.html?scene=${scene}${hash}`)
}

const tile = (index: number) => page.locator(`[data-index="${index}"]`)
/** What a reader of the screen hears of a picture. */
const nameOf = (index: number) => tile(index).locator('.hidden-text').textContent()
const selected = () => page.locator('[role=option][aria-selected=true]')

async function violations(part: string) {
  const result = await new AxeBuilder({ page }).include(part).analyze()
  return result.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' ')}`,
  )
}

// Every screen by itself is looked through in every-screen.test.ts.
describe.each(['dark', 'light'] as const)('in the %s theme nothing stands in the way of anybody', (theme) => {
  test('sheets, menus and the palette', async () => {
    await open('running', undefined, { theme })
    await tile(4).click({ button: 'right' })
    await page.getByRole('menuitem', { name: /Retry, 6 cr/ }).waitFor()
    expect(await violations('.pop')).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    expect(await violations('.palette')).toEqual([])
    await page.keyboard.press('Escape')
    for (const name of [/^Decide 2/, /^Retry 3 failed/]) {
      await page.getByRole('button', { name }).click()
      await page.getByRole('dialog').waitFor()
      expect(await violations('.sheet')).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(said).toEqual([])
  })
})

describe('pictures by keyboard', () => {
  test('arrows move, Shift extends, Home and End jump, focus stays with the row', async () => {
    await open('running')
    await tile(0).click()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-index'))
    await vi.waitFor(async () => expect(await focused()).toBe('7'), patience)
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('3 selected').waitFor()
    await page.keyboard.press('End')
    await vi.waitFor(async () => expect(await focused()).toBe('211'), patience)
    await page.keyboard.press('Home')
    await vi.waitFor(async () => expect(await focused()).toBe('0'), patience)
    await page.keyboard.press('Control+a')
    await page.getByText('212 selected').waitFor()
    await page.keyboard.press('Escape')
    expect(await selected().count()).toBe(0)
  })

  test('a mark shows at once, and Ctrl Z takes it back', async () => {
    await open('running')
    await tile(1).click()
    await page.keyboard.press('x')
    await page.getByText('Rejected 1').waitFor()
    await vi.waitFor(async () => expect(await nameOf(1)).toContain('rejected'), patience)
    await page.keyboard.press('Control+z')
    await vi.waitFor(async () => expect(await nameOf(1)).not.toContain('rejected'), patience)
  })

  test('F6 goes through the regions and comes back to the row it left', async () => {
    await open('running')
    await tile(3).click()
    const region = () =>
      page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region'))
    const seen: (string | null | undefined)[] = []
    for (let n = 0; n < 7; n += 1) {
      await page.keyboard.press('F6')
      seen.push(await region())
    }
    expect(seen).toEqual(['status', 'inspector', 'sidebar', 'header', 'run', 'filters', 'pictures'])
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-index'))).toBe('3')
  })

  test('Space shows a large picture, and letting go closes it', async () => {
    await open('running')
    await tile(2).click()
    await page.keyboard.down(' ')
    await page.getByRole('dialog', { name: /Large preview/ }).waitFor()
    await page.waitForTimeout(400)
    await page.keyboard.up(' ')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-index'))
    await vi.waitFor(async () => expect(await focused()).toBe('2'), patience)
  })

  test('single letters do nothing in a field, and can be turned off', async () => {
    await open('running')
    await tile(1).click()
    await page.keyboard.press('Control+f')
    await page.keyboard.type('x1u')
    await page.getByText('Nothing called “x1u”.').waitFor()
    expect(await page.getByText('Rejected').count()).toBe(0)
  })
})

describe('filter, search and sort', () => {
  test('a filter is never silent, and Clear undoes it', async () => {
    await open('running')
    await page.getByRole('button', { name: 'Failed, 3' }).click()
    await page.getByText('Showing 3 of 212').waitFor()
    expect(await page.getByRole('option').count()).toBe(3)
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('212 images').waitFor()
  })

  test('a press on a column sorts, a second one turns it round, a third one goes back', async () => {
    await open('running')
    await tile(0).waitFor()
    await page.keyboard.press('g')
    const head = page.getByRole('columnheader', { name: 'Name' })
    const first = () => tile(0).locator('.tname bdi').first().textContent()
    await head.getByRole('button').click()
    await vi.waitFor(async () => expect(await first()).toBe('B4020-flat-1.tif'), patience)
    expect(await head.getAttribute('aria-sort')).toBe('ascending')
    await head.getByRole('button').click()
    await vi.waitFor(async () => expect(await first()).toMatch(/^R1204/), patience)
    await head.getByRole('button').click()
    await vi.waitFor(async () => expect(await first()).toBe('N2210-top.tif'), patience)
  })
})

describe('a hundred thousand images', () => {
  test('scroll with a bounded number of elements, and only pages in view are asked for', async () => {
    await open('huge')
    await tile(0).waitFor()
    const most = await page.evaluate(async () => {
      const scroller = document.querySelector('.grid-scroll')!
      let elements = 0
      for (let n = 1; n <= 60; n += 1) {
        scroller.scrollTop = (scroller.scrollHeight * n) / 60
        await new Promise((resolve) => requestAnimationFrame(resolve))
        elements = Math.max(elements, document.querySelectorAll('[role=option]').length)
      }
      return elements
    })
    expect(most).toBeLessThan(150)
    await page
      .getByRole('option', { name: /^E3311-pair-8333|^R1190-front-8333/ })
      .first()
      .waitFor()
    const asked = await page.evaluate(
      () => (globalThis as unknown as { stage: { pages: number[] } }).stage.pages.length,
    )
    // Two pages at most for each of the sixty places, of five hundred in all.
    expect(asked).toBeLessThan(130)
  })
})

test('what was selected and how far it was scrolled is there again after another page', async () => {
  for (const list of ['.grid-scroll', '.tbl-scroll']) {
    await open('huge')
    await tile(3).waitFor()
    if (list === '.tbl-scroll') await page.keyboard.press('g')
    await page.locator(list).evaluate((scroller) => (scroller.scrollTop = 40_000))
    const row = page.locator('[data-index]').nth(20)
    await row.click()
    const chosen = page.locator('[data-index][aria-selected=true]')
    const index = await chosen.getAttribute('data-index')
    const top = await page.locator(list).evaluate((scroller) => scroller.scrollTop)
    await page.getByRole('link', { name: 'History' }).click()
    await page.locator(list).waitFor({ state: 'detached' })
    await page.goBack()
    await tile(Number(index)).waitFor()
    expect(await page.locator(list).evaluate((scroller) => scroller.scrollTop)).toBe(top)
    expect(await chosen.getAttribute('data-index')).toBe(index)
    await page.context().close()
  }
})

describe('narrow windows', () => {
  test('the sidebar is a rail, the inspector lies over the pictures when it is asked for', async () => {
    await open('paused', undefined, { width: 1024, height: 700 })
    await tile(0).waitFor()
    expect((await page.locator('.side').boundingBox())?.width).toBe(60)
    expect(await page.locator('.insp').count()).toBe(0)
    await page.keyboard.press('Control+i')
    await page.locator('.insp.floating').waitFor()
    await page.getByText('79 left').first().waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1024)
  })

  test.each(['running', 'out-of-credits', 'key-rejected'])(
    'nothing reaches over the edge at 960 × 620 (%s)',
    async (scene) => {
      await open(scene, undefined, { width: 960, height: 620 })
      await tile(0).waitFor()
      const over = await page.evaluate(() =>
        [...document.querySelectorAll('.main *')]
          .filter(
            (one) =>
              one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.chips, .size-slider'),
          )
          .map((one) => one.outerHTML.slice(0, 200)),
      )
      expect(over).toEqual([])
    },
  )
})

describe('words from elsewhere', () => {
  test('a long, turned or marked-up name changes nothing but itself', async () => {
    await open('running')
    await tile(0).waitFor()
    const hostile = `<img src=x onerror=alert(1)>\u202Egnp.exe ${'W'.repeat(300)}`
    await page.evaluate((name) => {
      const { stage } = globalThis as unknown as {
        stage: { change: (batch: string, ids: number[], to: object) => void }
      }
      stage.change('lookbook', [1], { title: name, folder: name, reason: name })
    }, hostile)
    await vi.waitFor(async () => expect(await nameOf(0)).toContain('onerror'), patience)
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    const box = await tile(0).boundingBox()
    const next = await tile(1).boundingBox()
    expect(box?.width).toBeCloseTo(next?.width ?? 0, 0)
    expect(box?.height).toBeCloseTo(next?.height ?? 0, 0)
    await tile(0).click()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1440)
    expect(said).toEqual([])
  })
})
