import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addresses, connect, drop, images } from './person.ts'
import { eventually, expectQuiet, openStudio, patience, type Studio } from './studio.ts'

/** Adds a list of so many images as a batch, and sends nothing. */
async function add(studio: Studio, name: string, count: number) {
  const { page } = studio
  const path = join(studio.home, `${name}.txt`)
  writeFileSync(path, addresses(studio, count).join('\n'))
  await page.keyboard.press('ControlOrMeta+n')
  await page.getByText('Drop a shoot here').waitFor()
  await drop(page, path)
  const sheet = page.getByRole('dialog')
  await sheet
    .getByRole('heading', { name: new RegExp(`^${count.toLocaleString('en-US')} images found`) })
    .waitFor()
  await sheet.getByRole('button', { name: 'Add without starting' }).click()
  await page
    .getByText(`${count.toLocaleString('en-US')} images`, { exact: true })
    .first()
    .waitFor()
  await images(page, /^piece-1\.jpg/).waitFor()
}

interface Scrolled {
  /** Most options that there were at a time. */
  readonly rows: number
  /** Seconds of script and layout, by the browser's own count. */
  readonly work: number
}

/** Scrolls through the whole list in so many steps, a frame each. */
async function scroll(page: Page, steps: number): Promise<Scrolled> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const work = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0
    return of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration')
  }
  const before = await work()
  const rows = await page.evaluate(`(async () => {
    const scroller = document.querySelector('.grid-scroll')
    let most = 0
    for (let n = 1; n <= ${steps}; n += 1) {
      scroller.scrollTop = (scroller.scrollHeight - scroller.clientHeight) * n / ${steps}
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      most = Math.max(most, document.querySelectorAll('[role=option]').length)
    }
    return most
  })()`)
  const after = await work()
  await session.detach()
  return { rows: Number(rows), work: after - before }
}

const steps = 40

test('20,000 images scroll, are filtered, searched and selected as a hundred are', async (test) => {
  const studio = await openStudio(test)
  const { page, service } = studio
  await connect(studio)
  await add(studio, 'few', 100)
  const few = await scroll(page, steps)
  await add(studio, 'many', 20_000)
  const many = await scroll(page, steps)
  // Only what is in view and a screen around it is there, however long the list is.
  expect(many.rows).toBeLessThan(150)
  // Twenty thousand rows would be two hundred times the work of a hundred; what differs is only pages that are fetched.
  expect(many.work).toBeLessThan(Math.max(few.work, 0.2) * 12)
  await images(page, /^piece-20000\.jpg/).waitFor()

  await page.getByLabel(/^Search names/).fill('piece-1234')
  await page.getByText('Showing 11 of 20,000').waitFor()
  await eventually(async () => expect(await images(page).count()).toBe(11))
  await page.getByRole('button', { name: 'Clear search' }).click()
  await page.getByText('20,000 images', { exact: true }).first().waitFor()

  // A range over more than is in view.
  await page.evaluate("document.querySelector('.grid-scroll').scrollTop = 0")
  await images(page, /^piece-1\.jpg/).click()
  await page.evaluate("document.querySelector('.grid-scroll').scrollTop = 1e9")
  await images(page, /^piece-20000\.jpg/).click({ modifiers: ['Shift'] })
  await page.getByText('20,000 selected').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+a')
  await page.getByText('20,000 selected').waitFor()
  await page.keyboard.press('Backspace')
  await page.getByRole('button', { name: 'Cancelled, 20,000' }).waitFor({ timeout: patience })
  await page.keyboard.press('ControlOrMeta+z')
  await page.getByRole('button', { name: 'Waiting, 20,000' }).waitFor({ timeout: patience })
  expect(service.books().requests.submit.count).toBe(0)
  expectQuiet(studio)
})
